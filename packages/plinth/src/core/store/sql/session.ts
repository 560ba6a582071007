// What reading and writing work with: the statements, and the connection to run them on.

import type { Connection } from '../connection.ts'
import type { ChangeRecorder } from '../history/recorder.ts'
import type { Publisher } from '../outbox/publisher.ts'
import type { TableSizeCache } from '../table-sizes.ts'
import type { PagePositions } from './page-positions.ts'
import type { Statements } from './statements.ts'

/** What reading and writing work with: the statements, and the connection to run them on. */
export interface SqlSession {
  readonly statements: Statements
  readonly connection: Connection
  /** Is absent where changes are not published. */
  readonly publisher?: Publisher
  /** Is absent where changes are not recorded in the history. */
  readonly recorder?: ChangeRecorder
  /** Is absent inside a transaction, where tables may differ from what others see. */
  readonly sizes?: Pick<TableSizeCache, 'known'>
  /** Is absent inside a transaction, too. */
  readonly positions?: PagePositions
  /** Statements travel to another process, and several may run at the same time. */
  readonly isRemote?: boolean
}
