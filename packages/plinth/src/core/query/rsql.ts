// RSQL/FIQL text → a tree with positions. One pass from left to right; the limits hold before and while reading.

import { fault } from '../fault.ts'
import type { Pattern } from '../model/query.ts'
import { Problem } from '../problem.ts'
import { quoted, tooCostly } from './query-faults.ts'
import { blanksEnd, isDelimiter, operatorEnd, quoteEnd, unquotedEnd, wordEnd } from './rsql-tokens.ts'
import { toPattern } from './wildcards.ts'

export const operators = [
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  '=in=',
  '=out=',
  '=like=',
  '=ilike=',
  '=isnull=',
  '=bt=',
] as const
export type RsqlOperator = (typeof operators)[number]

const spellings = new Map<string, RsqlOperator>([
  ...operators.map(operator => [operator, operator] as const),
  ['=gt=', '>'],
  ['=ge=', '>='],
  ['=lt=', '<'],
  ['=le=', '<='],
])

export interface RsqlValue {
  readonly text: string
  readonly pattern: Pattern
  readonly position: number
}

export interface RsqlComparison {
  readonly kind: 'comparison'
  readonly selector: string
  readonly operator: RsqlOperator
  /** The operator as the caller wrote it. */
  readonly written: string
  readonly values: readonly RsqlValue[]
  readonly position: number
  readonly operatorPosition: number
}

export type RsqlNode =
  | RsqlComparison
  | { readonly kind: 'and' | 'or'; readonly parts: readonly RsqlNode[] }
  | { readonly kind: 'not'; readonly part: RsqlNode }

const maxBytes = 8192
const maxComparisons = 100
const maxDepth = 20

interface State {
  readonly text: string
  at: number
  comparisons: number
  /** The selector of the comparison being read, for error messages. */
  selector: string | undefined
}

/** Throws Problem: `bad_filter` with the position of a syntax error, `too_costly` beyond a limit. */
export const readRsql = (text: string): RsqlNode => {
  // A string never has fewer bytes than characters, so a long one is refused without a look inside.
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    throw tooCostly(`A filter may have at most ${maxBytes} bytes.`, { parameter: 'filter' })
  }
  const state: State = { text, at: 0, comparisons: 0, selector: undefined }
  const node = readGroup(state, 'or', 0)
  if (state.at < text.length) {
    throw text[state.at] === ')'
      ? syntax(state, state.at, 'This ) has no matching (; remove it, or add the (.')
      : syntax(state, state.at, `Expected ; (and), , (or) or the end${found(state)}. ${quotingAdvice}`)
  }
  return node
}

const quotingAdvice = `Quote values that contain spaces or any of " ' ( ) ; , = ! ~ < >`

const readGroup = (state: State, kind: 'and' | 'or', depth: number): RsqlNode => {
  const readPart = () => (kind === 'or' ? readGroup(state, 'and', depth) : readUnit(state, depth))
  const first = readPart()
  if (!takeConnective(state, kind)) return first
  const parts = [first]
  do parts.push(readPart())
  while (takeConnective(state, kind))
  return { kind, parts }
}

const signs = { and: ';', or: ',' } as const

const takeConnective = (state: State, kind: 'and' | 'or'): boolean => {
  skipBlanks(state)
  const { text, at } = state
  if (text[at] === signs[kind]) state.at++
  else if (text.startsWith(kind, at) && isDelimiter(text, at + kind.length)) state.at += kind.length
  else return false
  return true
}

const readUnit = (state: State, depth: number): RsqlNode => {
  skipBlanks(state)
  const isNegated = state.text.startsWith('!(', state.at)
  if (isNegated) state.at++
  else if (state.text[state.at] !== '(') return readComparison(state)
  const node = readParenthesis(state, depth)
  return isNegated ? { kind: 'not', part: node } : node
}

const readParenthesis = (state: State, depth: number): RsqlNode => {
  const open = state.at
  if (depth === maxDepth) {
    throw tooCostly(`Parentheses may nest at most ${maxDepth} deep.`, { parameter: 'filter', position: open })
  }
  state.at++
  const node = readGroup(state, 'or', depth + 1)
  if (state.text[state.at] !== ')') {
    const advice = state.at < state.text.length ? ` ${quotingAdvice}` : ''
    throw syntax(
      state,
      state.at,
      `Expected ; (and), , (or) or the ) for the ( at position ${open}${found(state)}.${advice}`,
    )
  }
  state.at++
  return node
}

const readComparison = (state: State): RsqlComparison => {
  const position = state.at
  state.at = wordEnd(state.text, position)
  if (state.at === position) {
    throw syntax(state, position, `Expected a comparison, such as name==value, or a (${found(state)}.`)
  }
  state.comparisons++
  if (state.comparisons > maxComparisons) {
    throw tooCostly(`A filter may hold at most ${maxComparisons} comparisons.`, { parameter: 'filter', position })
  }
  const selector = state.text.slice(position, state.at)
  skipBlanks(state)
  const operatorPosition = state.at
  state.at = operatorEnd(state.text, operatorPosition)
  const written = state.text.slice(operatorPosition, state.at)
  const operator = spellings.get(written)
  if (!operator) {
    const what = written === '' ? found(state) : `, found ${quoted(written)}`
    throw syntax(state, operatorPosition, `Expected one of ${operators.join(' ')} after ${quoted(selector)}${what}.`)
  }
  state.selector = selector
  const values = readValues(state)
  checkCount(state, { operator, written, values })
  state.selector = undefined
  return { kind: 'comparison', selector, operator, written, values, position, operatorPosition }
}

const readValues = (state: State): RsqlValue[] => {
  skipBlanks(state)
  const open = state.at
  if (state.text[open] !== '(') return [readValue(state)]
  const values: RsqlValue[] = []
  do {
    state.at++
    skipBlanks(state)
    values.push(readValue(state))
    skipBlanks(state)
  } while (state.text[state.at] === ',')
  if (state.text[state.at] !== ')') {
    throw syntax(
      state,
      state.at,
      `Expected , or the ) for the list at position ${open}${found(state)}. ${quotingAdvice}`,
    )
  }
  state.at++
  return values
}

const readValue = (state: State): RsqlValue => {
  const { text, at: position } = state
  if (text[position] === '"' || text[position] === "'") {
    const close = quoteEnd(text, position)
    if (close < 0)
      throw syntax(
        state,
        position,
        `This quote is never closed; write a quote inside the value as \\${text[position]}.`,
      )
    state.at = close + 1
    return { ...toPattern(text.slice(position + 1, close), 'all'), position }
  }
  state.at = unquotedEnd(text, position)
  if (state.at > text.length) {
    throw syntax(state, text.length - 1, 'The backslash at the end escapes nothing; write \\\\ for a backslash.')
  }
  if (state.at === position) {
    const endsHere = position === text.length || [';', ',', ')'].includes(text.charAt(position))
    const advice = endsHere ? "Write '' for an empty value." : quotingAdvice
    throw syntax(state, position, `Expected a value${found(state)}. ${advice}`)
  }
  return { ...toPattern(text.slice(position, state.at), 'all'), position }
}

const checkCount = (
  state: State,
  { operator, written, values }: Pick<RsqlComparison, 'operator' | 'written' | 'values'>,
): void => {
  if (operator === '=in=' || operator === '=out=') return
  const allowed = operator === '=bt=' ? 2 : 1
  if (values.length === allowed) return
  const position = values[Math.min(allowed, values.length - 1)]?.position ?? 0
  throw syntax(
    state,
    position,
    allowed === 2
      ? `=bt= takes two values, the lowest and the highest: ${state.selector}=bt=(1,5).`
      : `${written} takes one value, found ${values.length}; =in= and =out= take several.`,
  )
}

const skipBlanks = (state: State): void => {
  state.at = blanksEnd(state.text, state.at)
}

const found = ({ text, at }: State): string => `, found ${at < text.length ? quoted(text.charAt(at)) : 'the end'}`

const syntax = ({ selector }: State, position: number, reason: string): Problem =>
  new Problem('bad_filter', {
    detail: `${reason} (position ${position})`,
    errors: [
      {
        parameter: 'filter',
        ...(selector !== undefined && { member: selector }),
        position,
        ...fault('syntax', { message: reason }),
      },
    ],
  })
