// A migration as data, and as text for a person to read before or after it is applied.

export interface Plan {
  /** What is done, in order. */
  readonly steps: readonly Step[]
  /** What the database has and the model does not: left alone. */
  readonly leftAlone: readonly string[]
  /** What cannot be done without a person's decision: the start stops. */
  readonly refused: readonly string[]
  /** What the database cannot do: the service is slower without it. */
  readonly unavailable?: readonly string[]
}

export interface Step {
  readonly why: string
  readonly sql: string
}

export const toText = ({ steps, leftAlone, refused, unavailable = [] }: Plan): string => {
  const parts = steps.map(({ why, sql }, position) => `${toComment(`${position + 1}. ${why}`)}\n${sql}`)
  if (steps.length === 0 && refused.length === 0) parts.push('-- The database is up to date.')
  if (unavailable.length > 0) parts.push(toList('Unavailable: the service is slower without it', unavailable))
  if (leftAlone.length > 0) parts.push(toList('Left alone: in the database, not in the model', leftAlone))
  if (refused.length > 0) parts.push(toList('Refused: nothing is applied before a person has decided', refused))
  return `${parts.join('\n\n')}\n`
}

const toList = (title: string, lines: readonly string[]): string =>
  [`${title}:`, ...lines.map(line => `- ${line}`)].map(toComment).join('\n')

const toComment = (text: string): string => `-- ${text.replace(/\n/g, '\n--   ')}`
