// Restores the links of a deletion, and the references to its records that were cleared.

import { historyMembers } from '../../model/history.ts'
import type { Member, Resource } from '../../model/resource.ts'
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
    const member = fieldNamed(deletion.resources, String(stored))
    if (member?.field.role !== 'links' && member?.field.role !== 'one') continue
    const field = { member, stored: String(stored) }
    await keepWithOtherSide(session, deletion, field)
    await recordOwners(session, { deletion, field, restored })
    const restoring = member.field.role === 'links' ? linkSql(session, member) : referenceSql(session, member)
    await connection.rows(restoring, [deletion.id, field.stored]).catch((error: unknown) => {
      throw refusedRestoration(session, member.owner, error)
    })
  }
}

interface StoredField {
  readonly member: Member
  /** Its name in the trash. */
  readonly stored: string
}

const whichSql = ({ statements: { dialect } }: SqlSession): string =>
  `r."_deletion" = ${dialect.placeholder(1)} AND r."field" = ${dialect.placeholder(2)}`

const exists = (resource: Resource, side: 'owner' | 'target'): string =>
  `EXISTS (SELECT 1 FROM ${tableOf(resource)} AS p WHERE p."pk" = r."${side}")`

const bothThere = (member: Member): string =>
  `${exists(member.owner, 'owner')} AND ${exists(targetOf(member), 'target')}`

/** A link whose other side is in the trash comes back with that side. */
const keepWithOtherSide = async (
  session: SqlSession,
  { id, resources }: Deletion,
  { member, stored }: StoredField,
): Promise<void> => {
  const inTrash = trashedResources(resources)
  const sides = [
    ['owner', member.owner],
    ['target', targetOf(member).holder ?? targetOf(member)],
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
  { deletion, field, restored }: { deletion: Deletion; field: StoredField; restored: RestoredRecords },
): Promise<void> => {
  const { owner } = field.member
  if (!recorderFor(session, owner) || !historyMembers(owner).includes(field.member)) return
  const sql = `SELECT DISTINCT r."owner" FROM ${quote(referenceTable)} AS r WHERE ${whichSql(session)} AND ${bothThere(field.member)}`
  const own = new Set(restored.get(owner))
  const pks = (await session.connection.rows(sql, [deletion.id, field.stored])).map(([pk]) => String(pk))
  await recordBefore(session, { resource: owner, pks: pks.filter(pk => !own.has(pk)), raises: 0 })
}

const linkSql = (session: SqlSession, member: Member): string =>
  `INSERT INTO ${quote(linkTableOf(member))} ("owner", "target") SELECT r."owner", r."target" ` +
  `FROM ${quote(referenceTable)} AS r WHERE ${whichSql(session)} AND ${bothThere(member)} ON CONFLICT DO NOTHING`

/** A reference that has another value by now keeps it. */
const referenceSql = (session: SqlSession, member: Member): string => {
  const [table, column] = [tableOf(member.owner), quote(member.name)]
  const from = `FROM ${quote(referenceTable)} AS r WHERE ${whichSql(session)} AND ${bothThere(member)}`
  return (
    `UPDATE ${table} SET ${column} = (SELECT r."target" ${from} AND r."owner" = ${table}."pk") ` +
    `WHERE ${column} IS NULL AND "pk" IN (SELECT r."owner" ${from})`
  )
}
