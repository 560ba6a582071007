// Conditions and options → the parameters of a request.

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
}

/** In these, `*` and `%` stand for anything. */
const patterns = new Set(['like', 'ilike'])

type Members = Readonly<Record<string, unknown>>

/** Conditions → an RSQL text; undefined when there is none. */
export const toFilter = (condition: object | undefined, path = ''): string | undefined => {
  const parts = Object.entries((condition ?? {}) as Members).flatMap(([name, value]): string[] => {
    if (value === undefined) return []
    if (name === 'or' && Array.isArray(value)) return [joined(value, path, ',')]
    if (name === 'and' && Array.isArray(value)) return [joined(value, path, ';')]
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

const comparisons = (name: string, value: unknown): string[] => {
  if (value === null) return [`${name}=isnull=true`]
  if (typeof value !== 'object' || value instanceof Date) return [`${name}==${quoted(value)}`]
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

const compared = (name: string, operator: string, operand: unknown): string => {
  const text = Array.isArray(operand)
    ? `(${operand.map(one => quoted(one)).join(',')})`
    : quoted(operand, patterns.has(operator))
  // Nothing is among no values, and everything is outside of them.
  if (text === '()') return `pk=isnull=${operator === 'in'}`
  return `${name}${operators[operator]}${text}`
}

const isComparison = (value: object): value is Members => {
  const names = Object.keys(value)
  return names.length > 0 && names.every(name => Object.hasOwn(operators, name))
}

const quoted = (value: unknown, isPattern = false): string => {
  const text = value instanceof Date ? value.toISOString() : String(value)
  return `"${text.replace(isPattern ? /["\\]/g : /["\\*%]/g, '\\$&')}"`
}

export interface FindParameters {
  readonly where?: object
  readonly filter?: string
  readonly sort?: string | readonly string[]
  readonly fields?: readonly string[]
  readonly include?: readonly string[]
  readonly page?: number
  readonly size?: number
  readonly after?: string | null
  readonly before?: string | null
  readonly total?: string
}

export const toParameters = (find: FindParameters): QueryParameters => {
  const condition = toFilter(find.where)
  const filter = condition && find.filter ? `(${condition});(${find.filter})` : (condition ?? find.filter)
  return {
    filter,
    sort: typeof find.sort === 'string' ? find.sort : find.sort?.join(','),
    fields: find.fields?.join(','),
    include: find.include?.join(','),
    _pn: find.page,
    _ps: find.size,
    _after: find.after,
    _before: find.before,
    _total: find.total,
  }
}
