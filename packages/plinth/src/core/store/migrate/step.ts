// A step of a migration: why it is needed, its SQL, and what it does to a table that has rows.

export interface MigrationStep {
  readonly why: string
  readonly sql: string
  /** Says that the application has written its SQL. */
  readonly isOwn?: boolean
  /** What it does to rows that exist; absent for steps that touch none. */
  readonly effect?: StepEffect
  /** What instances of the earlier model can no longer do afterwards; absent where they go on. */
  readonly breaks?: string
}

/** What a step does to a table that has rows: who waits for it, and about how long it takes. */
export interface StepEffect {
  readonly kind: keyof typeof effects
  /** The table, by its name in the database now. */
  readonly table: string
}

/** Rows a second are of a small server: what counts is whether a step takes seconds or hours. */
const effects = {
  brief: { rate: Number.POSITIVE_INFINITY, locks: 'locks the table for a moment' },
  scan: { rate: 2_000_000, locks: 'reads all rows, and locks the table against reads and writes' },
  reference: { rate: 500_000, locks: 'checks all rows, and locks the table against writes' },
  index: { rate: 300_000, locks: 'locks the table against writes' },
  textIndex: { rate: 30_000, locks: 'locks the table against writes' },
  build: { rate: 150_000, locks: 'writes and reads continue while it is built' },
  textBuild: { rate: 20_000, locks: 'writes and reads continue while it is built' },
  update: { rate: 100_000, locks: 'writes all rows, and locks them against writes' },
} as const

export const describeEffect = ({ kind, table }: StepEffect, sizes: ReadonlyMap<string, number>): string => {
  const { rate, locks } = effects[kind]
  const rows = sizes.get(table)
  if (rows === undefined) return `${capitalised(locks)}.`
  return `${capitalised(locks)}: about ${inWords(rows / rate)} for ${rows.toLocaleString('en')} rows.`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const inWords = (seconds: number): string => {
  if (seconds < 1) return 'a second or less'
  if (seconds < 120) return `${Math.ceil(seconds)} seconds`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}
