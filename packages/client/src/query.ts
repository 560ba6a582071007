// Conditions and options → the parameters of a request.

import { ApiProblem } from './problem.ts'
import type { QueryParameters } from './request.ts'

const operators: Readonly<Record<string, string>> = {
  ne: '!=',
  gt: '=gt=',
  ge: '=ge=',
  lt: '=lt=',
  le: '=le=',
  in: '=in=',
  notIn: '=out=',
  between: '=bt=',
  like: '=like=',
  ilike: '=ilike=',
  isNull: '=isnull=',
}

/** The operators in whose patterns `*` and `%` stand for anything, and for themselves after a backslash. */
const patterns = new Set(['like', 'ilike'])

type Fields = Readonly<Record<string, unknown>>

/**
 * Conditions → the text of the parameter `filter`, in RSQL; undefined when there are none.
 *
 * @example toFilter({ title: { ilike: containing('waves') }, author: { born: { lt: 1900 } } })
 */
export const toFilter = (condition: object | undefined, path = ''): string | undefined => {
  const parts = Object.entries((condition ?? {}) as Fields).flatMap(([name, value]): string[] => {
    if (value === undefined) return []
    if (name === 'or' && Array.isArray(value)) return [joined(value, path, ',')]
    if (name === 'and' && Array.isArray(value)) return [joined(value, path, ';')]
    if (name === 'not' && isObject(value)) return [`!(${toFilter(value, path) ?? `${path}pk=isnull=false`})`]
    return comparisons(path + name, value)
  })
  return parts.length === 0 ? undefined : parts.join(';')
}

/** An alternative without conditions always holds; none at all never does. */
const joined = (conditions: readonly object[], path: string, separator: ',' | ';'): string => {
  const texts = conditions.map(one => toFilter(one, path) ?? `${path}pk=isnull=false`)
  if (texts.length === 0) return `pk=isnull=${separator === ','}`
  return `(${texts.map(text => `(${text})`).join(separator)})`
}

/** What ends a name in RSQL. */
const reserved = /["'();,=!~<>\s\\]/

const comparisons = (name: string, value: unknown): string[] => {
  if (name === '' || reserved.test(name)) throw badFilter(`'${name}' cannot be the name of a field.`)
  if (value === null) return [`${name}=isnull=true`]
  if (!isObject(value)) return [`${name}==${quoted(value)}`]
  if (!isComparison(value)) {
    const nested = toFilter(value, `${name}.`)
    return [nested === undefined ? `${name}=isnull=false` : `(${nested})`]
  }
  return Object.entries(value).flatMap(([operator, operand]) => {
    if (operand === undefined) return []
    if (operand === null) return [`${name}=isnull=false`]
    return [compared(name, operator, operand)]
  })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

const compared = (name: string, operator: string, operand: unknown): string => {
  const text = Array.isArray(operand)
    ? `(${operand.map(one => quoted(one)).join(',')})`
    : quoted(operand, patterns.has(operator))
  // Nothing is among no values, and everything is outside of them.
  if (text === '()') return `pk=isnull=${operator !== 'notIn'}`
  return `${name}${operators[operator]}${text}`
}

const isComparison = (value: object): value is Fields => {
  const names = Object.keys(value)
  return names.length > 0 && names.every(name => Object.hasOwn(operators, name))
}

const quoted = (value: unknown, isPattern = false): string => {
  const text = value instanceof Date ? value.toISOString() : String(value)
  const escaped = isPattern
    ? text.replace(/\\([\\*%])|["\\]/g, (found, isEscaped) => (isEscaped ? found : `\\${found}`))
    : text.replace(/["\\*%]/g, '\\$&')
  return `"${escaped}"`
}

/**
 * A pattern for `like` and `ilike`: anything that holds the text, whose stars and percent signs mean themselves.
 *
 * @example const books = await client.books.find({ where: { title: { ilike: containing(search) } } })
 */
export const containing = (text: string): string => `*${text.replace(/[\\*%]/g, '\\$&')}*`

const badFilter = (detail: string): ApiProblem => new ApiProblem(400, { code: 'bad_filter', detail })

/** The filter itself, if its parentheses belong together: `a==1),(b==2` would escape from the condition beside it. */
const closed = (filter: string): string => {
  let depth = 0
  for (const [token] of filter.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|["'()]/gs)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    if (depth < 0 || token === '"' || token === "'")
      throw badFilter('The quotes or parentheses of the filter do not match.')
  }
  if (depth > 0) throw badFilter('A parenthesis of the filter is not closed.')
  return filter
}

export interface FindParameters {
  readonly where?: object
  readonly filter?: string
  readonly search?: string
  readonly similar?: string
  readonly near?: object
  readonly matches?: boolean
  readonly sort?: string | readonly string[]
  readonly fields?: readonly string[]
  readonly include?: readonly string[]
  readonly limit?: number
  readonly offset?: number
  readonly page?: number
  readonly after?: string | null
  readonly before?: string | null
  readonly total?: string
  readonly trash?: 'only'
}

export const toParameters = (find: FindParameters): QueryParameters => {
  const condition = toFilter(find.where)
  const filter = condition && find.filter ? `(${condition});(${closed(find.filter)})` : (condition ?? find.filter)
  return {
    filter,
    search: find.search,
    similar: find.similar,
    ...nearParameters(find.near),
    ...(find.matches && { _matches: 'true' }),
    sort: typeof find.sort === 'string' ? find.sort : find.sort?.join(','),
    fields: find.fields?.join(','),
    include: find.include?.join(','),
    ...(find.offset === undefined
      ? { _pn: find.page, _ps: find.limit }
      : { 'page[offset]': find.offset, 'page[limit]': find.limit }),
    _after: find.after,
    _before: find.before,
    _total: find.total,
    trash: find.trash,
  }
}

const nearParameters = (near: object = {}): QueryParameters =>
  Object.fromEntries(
    Object.entries(near).flatMap(([field, vector]) =>
      Array.isArray(vector) ? [[`near[${field}]`, toBase64(vector)]] : [],
    ),
  )

/** Numbers of 32 bits in Base64: addresses have a limit, and digits are three times as long. */
const toBase64 = (vector: readonly number[]): string => {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [at, number] of vector.entries()) bytes.setFloat32(at * 4, number, true)
  return btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)))
}
