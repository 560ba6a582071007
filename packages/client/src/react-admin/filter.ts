// Filters of react-admin → conditions.

/** Suffixes that react-admin applications use for comparisons, longest first. */
const comparisons: readonly (readonly [suffix: string, operator: string])[] = [
  ['_neq_any', 'notIn'],
  ['_eq_any', 'in'],
  ['_neq', 'ne'],
  ['_gte', 'ge'],
  ['_lte', 'le'],
  ['_gt', 'gt'],
  ['_lt', 'lt'],
]

type Condition = Readonly<Record<string, unknown>>

/** `q` searches in these fields. */
export const toCondition = (filter: Condition, searched: readonly string[]): object => ({
  and: Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => toPart(name, value, searched)),
})

const toPart = (name: string, value: unknown, searched: readonly string[]): object => {
  if (name === 'q' && searched.length > 0) return { or: searched.map(field => atPath(field, containing(value))) }
  if (name.endsWith('_q')) return atPath(name.slice(0, -2), containing(value))
  for (const [suffix, operator] of comparisons)
    if (name.endsWith(suffix)) return atPath(name.slice(0, -suffix.length), { [operator]: value })
  const field = name === 'id' ? 'pk' : name
  return atPath(field, Array.isArray(value) ? { in: value } : value)
}

const containing = (value: unknown): object => ({ ilike: `*${String(value)}*` })

/** `author.name` is a condition on the related record. */
const atPath = (path: string, condition: unknown): object => {
  const [first = '', ...rest] = path.split('.')
  return { [first]: rest.length === 0 ? condition : atPath(rest.join('.'), condition) }
}
