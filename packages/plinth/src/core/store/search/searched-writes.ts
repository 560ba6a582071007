// Writes of records that are searched by words: the record, and then what the indexes have of it.

import type { StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import { searchIndexOf } from '../../model/search/search-index.ts'
import type { NewRecord } from '../../model/transaction.ts'
import { insertRecords } from '../sql/insertion.ts'
import type { RecordWrite } from '../sql/record-write.ts'
import type { SqlSession } from '../sql/session.ts'
import { ensureRecord, insertRecord, updateRecord } from '../sql/write.ts'
import { forgetMarks, settleMarks } from './marks.ts'
import type { TextsOfRecord } from './texts.ts'
import { changesOwnIndex, indexStored, isAnyIn, textsOf, writeEntries } from './write-entries.ts'

export const insertSearched = async (session: SqlSession, write: RecordWrite): Promise<StoredRecord> => {
  const record = await insertRecord(session, followed(write))
  const { resource } = write
  if (resource.isSearched) await index(session, resource, [textsOf(record)], write.options)
  await settleNew(session, resource, [write])
  return record
}

export const insertAllSearched = async (
  session: SqlSession,
  resource: Resource,
  records: readonly NewRecord[],
): Promise<void> => {
  await insertRecords(session, resource, records)
  if (resource.isSearched) await index(session, resource, records)
  await settleNew(session, resource, records)
}

export const ensureSearched = async (session: SqlSession, write: RecordWrite): Promise<boolean> => {
  const isNew = await ensureRecord(session, write)
  if (!isNew) return false
  if (write.resource.isSearched) await index(session, write.resource, [write])
  await settleNew(session, write.resource, [write])
  return true
}

/** The row is locked by its own update, so the texts that others have changed before are those that are read here. */
export const updateSearched = async (session: SqlSession, write: RecordWrite): Promise<StoredRecord | null> => {
  const record = await updateRecord(session, followed(write))
  if (!record) return null
  const { resource, values, options } = write
  if (changesOwnIndex(resource, values)) await index(session, resource, [textsOf(record)], options)
  for (const { resource: other, fields } of resource.searchedThrough)
    if (isAnyIn(fields, values)) await settleMarks(session, other)
  return record
}

/** What the indexes of others have of records that are gone, or there again. */
export const settleSearches = async (session: SqlSession, { searchedThrough }: Resource): Promise<void> => {
  for (const { resource } of searchedThrough) await settleMarks(session, resource)
}

/** Nothing refers to a new record, unless it does so itself. */
const settleNew = async (
  session: SqlSession,
  { searchedThrough }: Resource,
  records: readonly Pick<NewRecord, 'values'>[],
): Promise<void> => {
  for (const { resource, relations } of searchedThrough)
    if (records.some(({ values }) => isAnyIn(relations, values))) await settleMarks(session, resource)
}

/** The index is written after the record, in the same transaction. */
const followed = ({ options, ...write }: RecordWrite): RecordWrite =>
  options ? { ...write, options: { ...options, isLast: false } } : write

const index = async (
  session: SqlSession,
  resource: Resource,
  records: readonly TextsOfRecord[],
  options: RecordWrite['options'] = {},
): Promise<void> => {
  const { statements, connection } = session
  const { dialect } = statements
  if (searchIndexOf(resource.holder)?.relations.length === 0) {
    const isLast = options.isLast === true && resource.searchedThrough.length === 0
    return writeEntries({ connection, dialect }, resource, records, { isLast })
  }
  // Texts of related records are read with those of the record.
  const pks = records.map(({ pk }) => pk)
  for (let from = 0; from < pks.length; from += readAtOnce) {
    const some = pks.slice(from, from + readAtOnce)
    await indexStored(session, resource.holder, some)
    await forgetMarks(session, resource.holder, some)
  }
}

/** The records whose texts are read at a time. */
const readAtOnce = 500
