// Writes of records that are searched by words: the record, and then what the index has of it.

import type { StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import type { NewRecord } from '../../model/transaction.ts'
import { insertRecords } from '../sql/insertion.ts'
import type { RecordWrite } from '../sql/record-write.ts'
import type { SqlSession } from '../sql/session.ts'
import { ensureRecord, insertRecord, updateRecord } from '../sql/write.ts'
import { type TextsOfRecord, textsOf, writeEntries } from './write-entries.ts'

export const insertSearched = async (session: SqlSession, write: RecordWrite): Promise<StoredRecord> => {
  const record = await insertRecord(session, followed(write))
  await index(session, write.resource, [textsOf(record)], write.options)
  return record
}

export const insertAllSearched = async (
  session: SqlSession,
  resource: Resource,
  records: readonly NewRecord[],
): Promise<void> => {
  await insertRecords(session, resource, records)
  await index(session, resource, records)
}

export const ensureSearched = async (session: SqlSession, write: RecordWrite): Promise<boolean> => {
  const isNew = await ensureRecord(session, write)
  if (isNew) await index(session, write.resource, [write])
  return isNew
}

/** The row is locked by its own update, so the texts that others have changed before are those that are read here. */
export const updateSearched = async (session: SqlSession, write: RecordWrite): Promise<StoredRecord | null> => {
  const record = await updateRecord(session, followed(write))
  if (record) await index(session, write.resource, [textsOf(record)], write.options)
  return record
}

/** The index is written after the record, in the same transaction. */
const followed = ({ options, ...write }: RecordWrite): RecordWrite =>
  options ? { ...write, options: { ...options, isLast: false } } : write

const index = (
  { statements: { dialect }, connection }: SqlSession,
  resource: Resource,
  records: readonly TextsOfRecord[],
  options: RecordWrite['options'] = {},
): Promise<void> => writeEntries({ connection, dialect }, resource, records, options)
