// A statement: its text, and the values that come from the model.

import type { StoredRecord } from '../../model/record.ts'
import type { Cell, Connection, ReadHint, ResultRow } from '../connection.ts'
import type { StatementFacts } from '../statement-facts.ts'

export interface Statement {
  readonly sql: string
  readonly constants: readonly Cell[]
  /** What is known of a statement that reads. */
  readonly facts?: StatementFacts
  /** Says that the statement finds rows by their keys and does nothing more with them. */
  readonly quick?: boolean
}

export interface SelectStatement extends Statement {
  readonly decode: (row: ResultRow) => StoredRecord
}

export const run = (
  connection: Connection,
  { sql, constants, quick, facts }: Statement,
  cells: readonly Cell[],
  hint?: ReadHint,
) => {
  const all = constants.length === 0 ? cells : [...cells, ...constants]
  return connection.rows(sql, all, quick, quick ? hint : { ...hint, facts })
}
