// Restores the links of a deletion, and the references to its records that were cleared.

import { historyFields } from '../../model/history.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { trashedResources } from '../../model/trash.ts'
import { recordBefore, recorderFor } from '../history/record-change.ts'
import { linkTableOf, quote, tableOf, targetOf } from '../sql/columns.ts'
import { refusedRestoration } from '../sql/refusals.ts'
import type { SqlSession } from '../sql/session.ts'
import { fieldNamed, referenceTable, trashTableOf } from './columns.ts'
import type { Deletion } from './purge.ts'

type RestoredRecords = ReadonlyMap<Resource, readonly string[]>

export const restoreReferences = async (
  session: SqlSession,
  deletion: Deletion,
  restored: RestoredRecords,
): Promise<void> => {
  const { statements, connection } = session
  const place = statements.dialect.placeholder(1)
  const sql = `SELECT DISTINCT r."field" FROM ${quote(referenceTable)} AS r WHERE r."_deletion" = ${place}`
  for (const [stored] of await connection.rows(sql, [deletion.id])) {
    const field = fieldNamed(deletion.resources, String(stored))
    if (field?.definition.role !== 'links' && field?.definition.role !== 'one') continue
    const reference = { field, stored: String(stored) }
    await keepWithOtherSide(session, deletion, reference)
    await recordOwners(session, { deletion, reference, restored })
    const restoring = field.definition.role === 'links' ? linkSql(session, field) : referenceSql(session, field)
    await connection.rows(restoring, [deletion.id, reference.stored]).catch((error: unknown) => {
      throw refusedRestoration(session, field.owner, error)
    })
  }
}

interface StoredReference {
  readonly field: ResourceField
  /** The name of the field in the trash. */
  readonly stored: string
}

const whichSql = ({ statements: { dialect } }: SqlSession): string =>
  `r."_deletion" = ${dialect.placeholder(1)} AND r."field" = ${dialect.placeholder(2)}`

const exists = (resource: Resource, side: 'owner' | 'target'): string =>
  `EXISTS (SELECT 1 FROM ${tableOf(resource)} AS p WHERE p."pk" = r."${side}")`

const bothThere = (field: ResourceField): string =>
  `${exists(field.owner, 'owner')} AND ${exists(targetOf(field), 'target')}`

/** A link whose other side is in the trash comes back with that side. */
const keepWithOtherSide = async (
  session: SqlSession,
  { id, resources }: Deletion,
  { field, stored }: StoredReference,
): Promise<void> => {
  const inTrash = trashedResources(resources)
  const sides = [
    ['owner', field.owner],
    ['target', targetOf(field).holder],
  ] as const
  for (const [side, resource] of sides) {
    if (!inTrash.has(resource)) continue
    const trash = quote(trashTableOf(resource))
    const last = `SELECT max(g."_deletion") FROM ${trash} AS g WHERE g."pk" = r."${side}" AND g."_deletion" <> r."_deletion"`
    await session.connection.rows(
      `INSERT INTO ${quote(referenceTable)} ("_deletion", "field", "owner", "target") ` +
        `SELECT (${last}), r."field", r."owner", r."target" FROM ${quote(referenceTable)} AS r ` +
        `WHERE ${whichSql(session)} AND NOT ${exists(resource, side)} AND (${last}) IS NOT NULL ON CONFLICT DO NOTHING`,
      [id, stored],
    )
  }
}

/** The history shows that records regain a reference; not for those that are restored themselves. */
const recordOwners = async (
  session: SqlSession,
  { deletion, reference, restored }: { deletion: Deletion; reference: StoredReference; restored: RestoredRecords },
): Promise<void> => {
  const { field, stored } = reference
  const { owner } = field
  if (!recorderFor(session, owner) || !historyFields(owner).includes(field)) return
  const sql = `SELECT DISTINCT r."owner" FROM ${quote(referenceTable)} AS r WHERE ${whichSql(session)} AND ${bothThere(field)}`
  const own = new Set(restored.get(owner))
  const pks = (await session.connection.rows(sql, [deletion.id, stored])).map(([pk]) => String(pk))
  await recordBefore(session, { resource: owner, pks: pks.filter(pk => !own.has(pk)), raises: 0 })
}

const linkSql = (session: SqlSession, field: ResourceField): string =>
  `INSERT INTO ${quote(linkTableOf(field))} ("owner", "target") SELECT r."owner", r."target" ` +
  `FROM ${quote(referenceTable)} AS r WHERE ${whichSql(session)} AND ${bothThere(field)} ON CONFLICT DO NOTHING`

/** A reference that has another value by now keeps it. */
const referenceSql = (session: SqlSession, field: ResourceField): string => {
  const [table, column] = [tableOf(field.owner), quote(field.name)]
  const from = `FROM ${quote(referenceTable)} AS r WHERE ${whichSql(session)} AND ${bothThere(field)}`
  return (
    `UPDATE ${table} SET ${column} = (SELECT r."target" ${from} AND r."owner" = ${table}."pk") ` +
    `WHERE ${column} IS NULL AND "pk" IN (SELECT r."owner" ${from})`
  )
}
