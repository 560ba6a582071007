// One data migration on its way through the records, by pk: a batch is a transaction, and the next one goes on behind it.

import { everything, type Filter } from '../model/query.ts'
import type { TransactionRecords } from '../model/records.ts'
import type { Resource } from '../model/resource.ts'
import type { Transaction } from '../model/transaction.ts'
import type { ScriptRunner } from '../store/store.ts'

export interface MigrationTask {
  readonly name: string
  /** The definition of a module. */
  readonly definition?: object
  /** Does a part of the work, behind the position. Gives the next position; null when all is done. */
  readonly step: (records: TransactionRecords, at: MigrationPosition) => Promise<string | null>
}

interface MigrationPosition {
  readonly position: string
  readonly script: ScriptRunner
}

/** The records of a batch, for whose transaction others wait. */
const batchSize = 200

interface RecordWalk {
  readonly resource: Resource
  readonly filter: Filter | null
  /** The pk after which it goes on. */
  readonly position: string
}

export const eachRecord = async (
  tx: Transaction,
  { resource, filter, position }: RecordWalk,
  work: (record: Awaited<ReturnType<Transaction['find']>>['records'][number]) => Promise<void>,
): Promise<string | null> => {
  const behind: Filter = { op: 'gt', path: { steps: [], field: resource.pk }, value: position }
  const both: Filter = filter ? { op: 'and', parts: [filter, behind] } : behind
  const { records } = await tx.find(resource, everything(resource, both, batchSize))
  for (const record of records) await work(record)
  return records.length < batchSize ? null : (records.at(-1)?.pk ?? null)
}
