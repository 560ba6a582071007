// Looks for records in the trash, and deletes them from it for good: one deletion, or all old ones.

import type { Resource } from '../../model/resource.ts'
import { trashedResources } from '../../model/trash.ts'
import type { Driver } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { readsOf } from '../statement-facts.ts'
import { referenceTable, trashTableOf } from './columns.ts'

/** The trash must be able to hold records of this resource. */
export const isInTrash = async (
  { statements: { dialect }, connection }: SqlSession,
  resource: Resource,
  pk: string,
): Promise<boolean> => {
  const sql = `SELECT 1 FROM ${quote(trashTableOf(resource))} AS t WHERE t."pk" = ${dialect.placeholder(1)} LIMIT 1`
  const facts = readsOf({ t: trashTableOf(resource) })
  return (await connection.rows(sql, [pk], false, { facts })).length > 0
}

/** One deletion that the trash holds. */
export interface Deletion {
  readonly id: string
  /** The resource of the record that was deleted. */
  readonly root: Resource
  /** All resources whose records may be part of it. */
  readonly together: ReadonlySet<Resource>
  /** All resources. */
  readonly resources: readonly Resource[]
}

export const purgeDeletion = async (
  { statements: { dialect }, connection }: SqlSession,
  { id, together }: Deletion,
): Promise<void> => {
  for (const table of [...[...together].map(trashTableOf), referenceTable])
    await connection.rows(`DELETE FROM ${quote(table)} WHERE "_deletion" = ${dialect.placeholder(1)}`, [id])
}

/** The number of rows at once that a writer hardly notices. */
const batchSize = 1000

/** Deletes a bounded number of rows from before a moment; answers how many. A deletion that is half gone cannot be restored. */
export const purgeOld = (driver: Driver, resources: readonly Resource[], before: string): Promise<number> => {
  const { dialect } = driver
  const tables = [...trashedResources(resources)].map(trashTableOf)
  if (tables.length === 0) return Promise.resolve(0)
  const purge = (table: string, key: string, condition: string): string => {
    const old = `SELECT ${key} FROM ${quote(table)} WHERE "_deletion" < ${dialect.placeholder(1)}${condition} LIMIT ${batchSize}`
    return `DELETE FROM ${quote(table)} WHERE (${key}) IN (${old}) RETURNING 1`
  }
  const statements = [
    ...tables.map(table => purge(table, '"pk", "_deletion"', ' AND "_root"')),
    ...tables.map(table => purge(table, '"pk", "_deletion"', '')),
    purge(referenceTable, '"_deletion", "field", "owner", "target"', ''),
  ]
  return driver.transaction(async connection => {
    for (const sql of statements) {
      const { length } = await connection.rows(sql, [before])
      if (length > 0) return length
    }
    return 0
  })
}
