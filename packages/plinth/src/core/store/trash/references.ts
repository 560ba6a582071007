// References of deleted records, when a deletion is restored.

import { fault } from '../../fault.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { holderOfTarget, trashedResources } from '../../model/trash.ts'
import { Problem } from '../../problem.ts'
import { quote, tableOf } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { fieldNameOf, referenceTable, trashTableOf } from './columns.ts'
import type { Deletion } from './purge.ts'

interface SettledReference {
  readonly field: ResourceField
  readonly target: Resource
  readonly onDelete: 'refuse' | 'cascade' | 'clear'
  /** The trash of the records that refer, as `t`. */
  readonly trash: string
  /** A condition on `t`: the record that it refers to is neither there nor part of the deletion. */
  readonly missing: string
  /** A subselect: the last deletion of the record that `t` refers to; null where the trash has none of this resource. */
  readonly elsewhere: string | null
}

export const settleReferences = async (session: SqlSession, deletion: Deletion): Promise<void> => {
  const references = [...deletion.together].flatMap(resource => referencesOf(session, deletion, resource))
  // What stays behind may take others along.
  for (let changed = true; changed; ) {
    changed = false
    for (const reference of references) {
      if (reference.onDelete === 'clear') await clear(session, deletion, reference)
      else if (await leaveBehind(session, deletion, reference)) changed = true
    }
  }
}

const referencesOf = (
  { statements: { dialect } }: SqlSession,
  { resources, together }: Deletion,
  owner: Resource,
): readonly SettledReference[] => {
  const inTrash = trashedResources(resources)
  const deletion = dialect.placeholder(1)
  return [...owner.fields.values()].flatMap(field => {
    const target = holderOfTarget(field)
    if (field.definition.role !== 'one' || !target) return []
    const column = `t.${quote(field.name)}`
    const kept = (which: string) =>
      `SELECT max(g."_deletion") FROM ${quote(trashTableOf(target))} AS g WHERE g."pk" = ${column} AND g."_deletion" ${which}`
    const conditions = [
      `t."_deletion" = ${deletion} AND ${column} IS NOT NULL`,
      `NOT EXISTS (SELECT 1 FROM ${tableOf(target)} AS p WHERE p."pk" = ${column})`,
      ...(together.has(target) ? [`(${kept(`= ${deletion}`)}) IS NULL`] : []),
    ]
    return [
      {
        field,
        target,
        onDelete: field.definition.onDelete,
        trash: quote(trashTableOf(owner)),
        missing: conditions.join(' AND '),
        elsewhere: inTrash.has(target) ? `(${kept(`<> ${deletion}`)})` : null,
      },
    ]
  })
}

/** The reference comes back with the record that it refers to. */
const clear = async (
  { connection }: SqlSession,
  { id }: Deletion,
  { field, trash, missing, elsewhere }: SettledReference,
): Promise<void> => {
  const column = quote(field.name)
  if (elsewhere !== null) {
    const rows = `SELECT ${elsewhere}, '${fieldNameOf(field)}', t."pk", t.${column} FROM ${trash} AS t`
    await connection.rows(
      `INSERT INTO ${quote(referenceTable)} ("_deletion", "field", "owner", "target") ${rows} ` +
        `WHERE ${missing} AND ${elsewhere} IS NOT NULL ON CONFLICT DO NOTHING`,
      [id],
    )
  }
  await connection.rows(`UPDATE ${trash} AS t SET ${column} = NULL WHERE ${missing}`, [id])
}

/**
 * Records that would have been deleted with the missing one go to its deletion, if that is in the trash, and else for good. Answers
 * whether there were any. The deleted record itself is not left behind: its restoration is refused.
 */
const leaveBehind = async (
  { connection }: SqlSession,
  { id }: Deletion,
  reference: SettledReference,
): Promise<boolean> => {
  const { trash, missing, onDelete, elsewhere } = reference
  const blocking = onDelete === 'refuse' ? missing : `${missing} AND t."_root"`
  const isElsewhere = elsewhere === null ? 'FALSE' : `${elsewhere} IS NOT NULL`
  const found = `SELECT CASE WHEN ${isElsewhere} THEN 1 ELSE 0 END FROM ${trash} AS t WHERE ${blocking} LIMIT 1`
  const [blocked] = await connection.rows(found, [id])
  if (blocked) throw missingTarget(reference, Number(blocked[0]) === 1)
  if (onDelete === 'refuse') return false
  // Others can follow what is moved here in the next round, so only what cannot be moved is dropped.
  const canMove =
    elsewhere === null
      ? 'FALSE'
      : `(${elsewhere} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${trash} AS o WHERE o."pk" = t."pk" AND o."_deletion" = ${elsewhere}))`
  const moved =
    elsewhere === null
      ? []
      : await connection.rows(
          `UPDATE ${trash} AS t SET "_deletion" = ${elsewhere} WHERE ${missing} AND ${canMove} RETURNING 1`,
          [id],
        )
  const dropped = await connection.rows(`DELETE FROM ${trash} AS t WHERE ${missing} AND NOT ${canMove} RETURNING 1`, [
    id,
  ])
  return moved.length + dropped.length > 0
}

const missingTarget = ({ field, target }: SettledReference, isInTrash: boolean): Problem =>
  new Problem('conflict', {
    detail: isInTrash
      ? `${fieldNameOf(field)} refers to a record of ${target.name} that is in the trash; restore that record first.`
      : `${fieldNameOf(field)} refers to a record of ${target.name} that no longer exists.`,
    errors: [{ pointer: `/${field.name}`, member: field.name, ...fault('missing', { resource: target.name }) }],
  })
