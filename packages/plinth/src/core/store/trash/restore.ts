// Restores a deletion: the record and all that went to the trash with it come back as they were.

import type { Resource, ResourceField } from '../../model/resource.ts'
import { holderOfTarget, trashedTogether } from '../../model/trash.ts'
import { recordNew } from '../history/record-change.ts'
import { publish } from '../outbox/publish.ts'
import { settleSearches } from '../search/searched-writes.ts'
import { indexStored } from '../search/write-entries.ts'
import { quote, tableOf } from '../sql/columns.ts'
import { refusedRestoration } from '../sql/refusals.ts'
import type { SqlSession } from '../sql/session.ts'
import { recordColumns, trashTableOf } from './columns.ts'
import { type Deletion, purgeDeletion } from './purge.ts'
import { settleReferences } from './references.ts'
import { restoreReferences } from './restore-references.ts'

interface TrashedRecord {
  readonly resource: Resource
  readonly pk: string
  readonly resources: readonly Resource[]
}

/** The last deletion of the record, held against others; null when the record is not in the trash. */
export const findDeletion = async (
  { statements: { dialect }, connection }: SqlSession,
  { resource, pk, resources }: TrashedRecord,
): Promise<Deletion | null> => {
  const sql =
    `SELECT b."_deletion" FROM ${quote(trashTableOf(resource))} AS b WHERE b."pk" = ${dialect.placeholder(1)} AND b."_root" ` +
    `ORDER BY b."_deletion" DESC LIMIT 1${dialect.lock('b')}`
  const [row] = await connection.rows(sql, [pk])
  return row ? { id: String(row[0]), root: resource, resources, together: trashedTogether(resource, resources) } : null
}

/** Returns false when the record is not in the trash. Problem `conflict` or `taken` for what is in its way. */
export const restoreFromTrash = async (session: SqlSession, record: TrashedRecord): Promise<boolean> => {
  const deletion = await findDeletion(session, record)
  if (!deletion) return false
  await settleReferences(session, deletion)
  const present = await resourcesIn(session, deletion)
  const restored = new Map<Resource, readonly string[]>()
  const later: ResourceField[] = []
  for (const { resource, postponed } of inOrder(present)) {
    restored.set(resource, await insertRows(session, deletion, { resource, postponed }))
    later.push(...postponed)
  }
  for (const field of later) await setReference(session, deletion, field)
  await restoreReferences(session, deletion, restored)
  for (const [resource, pks] of restored) {
    await recordNew(session, { resource, pks, change: 'restored' })
    await publish(session, { resource, type: 'created', pks })
    if (resource.isSearched) await indexStored(session, resource, pks)
  }
  for (const resource of restored.keys()) if (resource.writesIndexes) await settleSearches(session, resource)
  await purgeDeletion(session, deletion)
  return true
}

/** Returns the resources that have records in the deletion. */
const resourcesIn = async (
  { statements: { dialect }, connection }: SqlSession,
  { id, together }: Deletion,
): Promise<readonly Resource[]> => {
  const found: Resource[] = []
  for (const resource of together) {
    const sql = `SELECT 1 FROM ${quote(trashTableOf(resource))} AS t WHERE t."_deletion" = ${dialect.placeholder(1)} LIMIT 1`
    if ((await connection.rows(sql, [id])).length > 0) found.push(resource)
  }
  return found
}

interface InsertedResource {
  readonly resource: Resource
  /** References to records that are restored later: they are set at the end. */
  readonly postponed: readonly ResourceField[]
}

/** Records come after those that they refer to. In circles, references that may be empty are set at the end. */
const inOrder = (resources: readonly Resource[]): readonly InsertedResource[] => {
  const left = new Set(resources)
  const ordered: InsertedResource[] = []
  const waiting = (resource: Resource): readonly ResourceField[] =>
    [...resource.fields.values()].filter(field => {
      const target = field.definition.role === 'one' ? holderOfTarget(field) : null
      return target !== null && target !== resource && left.has(target)
    })
  while (left.size > 0) {
    const all = [...left]
    const next =
      all.find(resource => waiting(resource).length === 0) ??
      all.find(resource => waiting(resource).every(({ definition }) => !definition.options.required)) ??
      all[0]
    if (!next) break
    ordered.push({ resource: next, postponed: waiting(next) })
    left.delete(next)
  }
  return ordered
}

/** Answers the pks. */
const insertRows = async (
  session: SqlSession,
  { id }: Deletion,
  { resource, postponed }: InsertedResource,
): Promise<readonly string[]> => {
  const { statements, connection } = session
  const empty = new Set(postponed.map(({ name }) => name))
  const columns = recordColumns(resource).filter(name => !empty.has(name))
  const sql =
    `INSERT INTO ${tableOf(resource)} (${columns.map(quote).join(', ')}) ` +
    `SELECT ${columns.map(name => `t.${quote(name)}`).join(', ')} FROM ${quote(trashTableOf(resource))} AS t ` +
    `WHERE t."_deletion" = ${statements.dialect.placeholder(1)} RETURNING "pk"`
  const rows = await connection.rows(sql, [id]).catch((error: unknown) => {
    throw refusedRestoration(session, resource, error)
  })
  return rows.map(([pk]) => String(pk))
}

const setReference = async (session: SqlSession, { id }: Deletion, { owner, name }: ResourceField): Promise<void> => {
  const { statements, connection } = session
  const [table, trash, column] = [tableOf(owner), quote(trashTableOf(owner)), quote(name)]
  const deletion = statements.dialect.placeholder(1)
  const value = `SELECT t.${column} FROM ${trash} AS t WHERE t."_deletion" = ${deletion} AND t."pk" = ${table}."pk"`
  const which = `SELECT t."pk" FROM ${trash} AS t WHERE t."_deletion" = ${deletion} AND t.${column} IS NOT NULL`
  await connection
    .rows(`UPDATE ${table} SET ${column} = (${value}) WHERE "pk" IN (${which})`, [id])
    .catch((error: unknown) => {
      throw refusedRestoration(session, owner, error)
    })
}
