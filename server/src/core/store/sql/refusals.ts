// Finds out what a write was refused for, asking the database where its error does not tell.

import type { Values } from '../../model/record.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { absent, type Missing, membersOf, missingTargets, referenced, taken } from './constraint-errors.ts'
import { quote, sourceOf, targetOf } from './names.ts'
import type { SqlSession } from './statements.ts'

/** For the writer of a record: the problem with its values, or the error itself when it is no constraint's. */
export const refusedWrite = async (
  session: SqlSession,
  { resource, values }: { readonly resource: Resource; readonly values: Values },
  error: unknown,
): Promise<unknown> => {
  const violation = session.statements.dialect.violationOf(error)
  if (!violation) return error
  const members = membersOf(resource, violation.columns)
  if (violation.kind === 'unique') return taken(members, error)
  if (violation.kind === 'required') return absent(members, error)
  const references = [...resource.members.values()].filter(({ name, field }) =>
    violation.columns.length > 0 ? members.includes(name) : field.role === 'one' && values[name] != null,
  )
  const missing: Missing[] = []
  for (const reference of references) {
    const target = targetOf(reference)
    // PostgreSQL has named the member, and accepts no further statement after a failed one.
    const known = violation.columns.length > 0 || !(await exists(session, target, values[reference.name]))
    if (known) missing.push({ member: reference.name, target: target.name })
  }
  return missingTargets(missing, error)
}

const exists = async ({ statements, connection }: SqlSession, resource: Resource, pk: unknown): Promise<boolean> => {
  const sql = `SELECT 1 FROM ${sourceOf(resource)} AS b WHERE "pk" = ${statements.dialect.placeholder(1)}`
  const rows = await connection.rows(sql, [statements.dialect.cell(pk, 'text')])
  return rows.length > 0
}

/** For pairs of a link relation: a side that does not exist. */
export const refusedLink = ({ statements }: SqlSession, relation: Member, error: unknown): unknown =>
  statements.dialect.violationOf(error)?.kind === 'reference'
    ? missingTargets([{ member: relation.name, target: targetOf(relation).name }], error)
    : error

interface RefusedRemoval {
  readonly resource: Resource
  /** Null when several records were to go. */
  readonly pk: string | null
  /** All resources, to find those that refer. */
  readonly resources: readonly Resource[]
}

/** For a deletion: who still refers to the record. */
export const refusedRemoval = async (
  session: SqlSession,
  { resource, pk, resources }: RefusedRemoval,
  error: unknown,
): Promise<unknown> => {
  const violation = session.statements.dialect.violationOf(error)
  if (violation?.kind !== 'reference') return error
  if (violation.table) return referenced(resources.find(one => one.name === violation.table)?.name ?? null, error)
  if (pk === null) return referenced(null, error)
  return referenced((await findReferrer(session, { resource, pk, resources }))?.name ?? null, error)
}

/** A resource whose records refer to this one and keep it from being removed; null when there is none. */
export const findReferrer = async (
  { statements, connection }: SqlSession,
  { resource, pk, resources }: RefusedRemoval & { readonly pk: string },
): Promise<Resource | null> => {
  for (const { owner, name } of referringMembers(resource, resources)) {
    const place = statements.dialect.placeholder(1)
    const sql = `SELECT 1 FROM ${sourceOf(owner)} AS b WHERE ${quote(name)} = ${place} LIMIT 1`
    if ((await connection.rows(sql, [pk])).length > 0) return owner
  }
  return null
}

const referringMembers = (resource: Resource, resources: readonly Resource[]): Member[] =>
  resources.flatMap(({ members }) =>
    [...members.values()].filter(
      ({ field, target }) => field.role === 'one' && field.onDelete === 'refuse' && target === resource,
    ),
  )
