// What databases say differently about the event log and the outbox.

import type { ColumnType } from '../../model/value-field.ts'
import type { Connection } from '../connection.ts'

/** The channel on which instances notify one another of new events. */
export const eventChannel = 'plinth_events'

/** The log itself: `sequence`, `time`, `type`, `resource`, `pk`, `seen`, `was`. */
export const eventTable = '"plinth_events"'

/** The newest event: the numbers of events must not begin again, since subscribers resume by them. */
export interface LastEvent {
  readonly sequence: number
  readonly type: string
  readonly resource: string
  readonly pk: string
}

export interface OutboxDialect {
  /** Makes the tables that are missing, and what else the log needs; nothing else runs it at the same time. */
  readonly createTables: string
  /** The table that a write adds its events to, in its own transaction. */
  readonly table: string
  /** Columns of that table beside those of every event, with their values as SQL. */
  readonly columns: Readonly<Record<string, string>>
  /** A JSON object as an expression, from names and values by turns. */
  image(pairs: readonly string[]): string
  /** A placeholder for the text of such an object, as a value of the table. */
  imageOf(placeholder: string): string
  /** The text of such an object. */
  imageText(image: string): string
  /** The form that a value of a column has inside such an object → its stored form; absent: the same. */
  readonly decode: { readonly [column in ColumnType]?: (value: unknown) => unknown }
  /** Moves committed events from the table of writes to the log, numbered in an order that agrees with that of the commits. Absent: they are
   * in the log, in this order. */
  arrange?(database: Connection): Promise<void>
  /** Empties the log. The next event has the number after `sequence`, and subscribers who saw others have to reload. */
  restart(connection: Connection, last: LastEvent): Promise<void>
  /** Selects the lowest number in the log, or null, and the highest that was ever given, or null. */
  readonly window: string
  /** The moment so many hours ago, in the form of the log's `time`. */
  hoursAgo(placeholder: string): string
}
