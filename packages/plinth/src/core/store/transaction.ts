// A transaction as code below the handlers sees it: reads and writes of tables, on one connection.

import { equals } from '../model/query.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import type { Activity } from '../model/running-code.ts'
import type { Actor, Transaction } from '../model/transaction.ts'
import { keepsTrash } from '../model/trash.ts'
import type { TransactionConnection } from './connection.ts'
import { eraseTraces } from './erase.ts'
import {
  ensureSearched,
  insertAllSearched,
  insertSearched,
  settleSearches,
  updateSearched,
} from './search/searched-writes.ts'
import { changesSearch } from './search/write-entries.ts'
import { SharedLocks } from './shared-locks.ts'
import { insertRecords } from './sql/insertion.ts'
import { writeOwn } from './sql/own-statement.ts'
import { createReader, readOne } from './sql/read.ts'
import { findReferrer, refusedRemoval } from './sql/refusals.ts'
import { removeRecords, removeSome } from './sql/remove.ts'
import type { SqlSession } from './sql/session.ts'
import { ensureRecord, insertRecord, updateRecord } from './sql/write.ts'
import { moveToTrash } from './trash/move-to-trash.ts'
import { purgeDeletion } from './trash/purge.ts'
import { findDeletion, restoreFromTrash } from './trash/restore.ts'
import type { WriteCounts } from './write-counts.ts'

interface TransactionParts {
  readonly session: SqlSession
  readonly connection: TransactionConnection
  readonly registry: Registry
  /** The resources of the registry that have tables. */
  readonly resources: readonly Resource[]
  readonly by: Actor
  readonly writes: WriteCounts
  readonly activity: Activity
}

export const createTransaction = ({
  session,
  connection,
  registry,
  resources,
  by,
  writes,
  activity,
}: TransactionParts): Transaction => {
  const reader = createReader(session)
  const sharedLocks = new SharedLocks(writes)
  // One by one: an object that grows by spreading another one costs more time.
  return {
    get: reader.get,
    changed: reader.changed,
    valuesAlong: reader.valuesAlong,
    readOwn: reader.readOwn,
    find: reader.find,
    findFused: reader.findFused,
    words: reader.words,
    similar: reader.similar,
    searchedTexts: reader.searchedTexts,
    history: reader.history,
    stream: reader.stream,
    groups: reader.groups,
    count: reader.count,
    countAlong: reader.countAlong,
    isInTrash: reader.isInTrash,
    pairs: reader.pairs,
    by,
    attempt: part => sharedLocks.during(connection.attempt(part)),
    activity,
    writes: resource => writes.count(resource),
    resource: registry.resource,
    published: registry.published,
    lock: (resource, pk, { shared = false, ...options } = {}) => {
      const locked = { resource, pk, lock: shared ? 'shared' : 'exclusive' } as const
      return shared && Object.keys(options).length === 0
        ? sharedLocks.lock(resource, pk, () => readOne(session, locked, options))
        : readOne(session, locked, options)
    },
    insert: (resource, pk, values, options) => {
      writes.note(resource)
      const write = { resource, pk, values, options }
      return resource.writesIndexes ? insertSearched(session, write) : insertRecord(session, write)
    },
    insertAll: (resource, records) => {
      writes.note(resource)
      return resource.writesIndexes
        ? insertAllSearched(session, resource, records)
        : insertRecords(session, resource, records)
    },
    ensure: (resource, pk, values) => {
      writes.note(resource)
      const write = { resource, pk, values }
      return resource.writesIndexes ? ensureSearched(session, write) : ensureRecord(session, write)
    },
    update: (resource, pk, values, options) => {
      writes.note(resource)
      const write = { resource, pk, values, options }
      return resource.writesIndexes && changesSearch(resource, values)
        ? updateSearched(session, write)
        : updateRecord(session, write)
    },
    isReferenced: async (resource, pk) => (await findReferrer(session, { resource, pk, resources })) !== null,
    writeOwn: statement => {
      writes.cascades += 1
      const { dialect } = session.statements
      return writeOwn({ dialect, connection }, statement)
    },
    remove: async (resource, pk, options) => {
      writes.cascades += 1
      try {
        const isKept = keepsTrash(resource.holder) && !options?.permanently
        if (isKept && !(await moveToTrash(session, { resource, pk, resources }))) return false
        const removed = await removeRecords(session, { resource, which: equals(resource.pk, pk), resources })
        if (resource.writesIndexes) await settleSearches(session, resource)
        return removed > 0
      } catch (error) {
        throw await refusedRemoval(session, { resource, pk, resources }, error)
      }
    },
    restore: (resource, pk) => {
      writes.cascades += 1
      return restoreFromTrash(session, { resource, pk, resources })
    },
    purge: async (resource, pk) => {
      const deletion = await findDeletion(session, { resource, pk, resources })
      if (deletion) await purgeDeletion(session, deletion)
      return deletion !== null
    },
    eraseTraces: (resource, pk) => {
      const { statements, connection } = session
      return eraseTraces({ connection, dialect: statements.dialect, resources }, resource, pk)
    },
    removeWhere: async (resource, filter, limit) => {
      writes.cascades += 1
      try {
        const removal = { resource, which: filter, resources }
        const removed = await (limit === undefined
          ? removeRecords(session, removal)
          : removeSome(session, removal, limit))
        if (resource.writesIndexes) await settleSearches(session, resource)
        return removed
      } catch (error) {
        throw await refusedRemoval(session, { resource, pk: null, resources }, error)
      }
    },
  }
}
