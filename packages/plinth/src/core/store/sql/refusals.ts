// Finds out why a write was refused, and asks the database where its error does not say.

import { type FaultReason, fault } from '../../fault.ts'
import type { Values } from '../../model/record.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { type Fault, Problem } from '../../problem.ts'
import { foldedColumnOf, isFolded, quote, sourceOf, targetOf } from './columns.ts'
import type { SqlSession } from './session.ts'

/** Turns the error of a write into the problem with its values; an error that is no constraint's is returned itself. */
export const refusedWrite = async (
  session: SqlSession,
  { resource, values }: { readonly resource: Resource; readonly values: Values },
  error: unknown,
): Promise<unknown> => {
  const violation = session.statements.dialect.violationOf(error)
  if (!violation) return error
  const fields = fieldsOf(resource, violation.columns)
  if (violation.kind === 'unique') return taken(fields, error)
  if (violation.kind === 'required') return absent(fields, error)
  const references = [...resource.fields.values()].filter(({ name, definition }) =>
    violation.columns.length > 0 ? fields.includes(name) : definition.role === 'one' && values[name] != null,
  )
  const missing: Missing[] = []
  for (const reference of references) {
    const target = targetOf(reference)
    // PostgreSQL has named the field, and accepts no further statement after a failed one.
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

/** Returns the problem of a record that cannot come back from the trash, with what is in its way. */
export const refusedRestoration = (
  { statements: { dialect } }: SqlSession,
  resource: Resource,
  error: unknown,
): unknown => {
  const violation = dialect.violationOf(error)
  if (!violation) return error
  const fields = fieldsOf(resource, violation.columns)
  if (violation.kind === 'unique') return takenIn(resource, fields, error)
  // A field that was added since, and must have a value.
  if (violation.kind === 'required')
    return new Problem('conflict', {
      detail: `Records of ${resource.name} must have a value for ${fields.join(', ')} now; this one has none.`,
      errors: faultsOf(fields, fault('required')),
      cause: error,
    })
  return new Problem('conflict', {
    detail: {
      en: 'A record that it refers to was deleted in the meantime; try again.',
      de: 'Ein Datensatz, auf den er verweist, wurde inzwischen gelöscht; versuchen Sie es noch einmal.',
    },
    errors: fields.flatMap(field => faultsOf([field], fault('missing', { resource: targetName(resource, field) }))),
    cause: error,
  })
}

const targetName = (resource: Resource, field: string): string => resource.fields.get(field)?.target?.name ?? ''

const takenIn = (resource: Resource, fields: readonly string[], cause: unknown): Problem => {
  const problem = taken(fields, cause)
  // Callers do not know internal resources by name.
  if (resource.definition.internal) return problem
  const detail = {
    en: `Another record of ${resource.name} has this ${fields.join(' and ') || 'value'}.`,
    de: `Ein anderer Datensatz von ${resource.name} hat diesen Wert schon.`,
  }
  return new Problem(problem, { ...problem.details, detail, cause })
}

/** Returns the problem of a link to a record that does not exist. */
export const refusedLink = ({ statements }: SqlSession, relation: ResourceField, error: unknown): unknown =>
  statements.dialect.violationOf(error)?.kind === 'reference'
    ? missingTargets([{ member: relation.name, target: targetOf(relation).name }], error)
    : error

interface RefusedRemoval {
  readonly resource: Resource
  /** Is null when several records were to go. */
  readonly pk: string | null
  /** All resources, to find those that refer. */
  readonly resources: readonly Resource[]
}

/** Returns the problem of a deletion, with the records that still refer to the record. */
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
  for (const { owner, name } of referringFields(resource, resources)) {
    const place = statements.dialect.placeholder(1)
    const sql = `SELECT 1 FROM ${sourceOf(owner)} AS b WHERE ${quote(name)} = ${place} LIMIT 1`
    if ((await connection.rows(sql, [pk])).length > 0) return owner
  }
  return null
}

const referringFields = (resource: Resource, resources: readonly Resource[]): ResourceField[] =>
  resources.flatMap(({ fields }) =>
    [...fields.values()].filter(
      ({ definition, target }) => definition.role === 'one' && definition.onDelete === 'refuse' && target === resource,
    ),
  )

/** The fields that the columns belong to; a companion column stands for its field. */
const fieldsOf = (resource: Resource, columns: readonly string[]): string[] => {
  const folded = new Map([...resource.fields.values()].filter(isFolded).map(one => [foldedColumnOf(one), one.name]))
  return columns.map(column => folded.get(column) ?? column).filter(name => resource.fields.has(name))
}

const faultsOf = (fields: readonly string[], reason: FaultReason): Fault[] =>
  fields.map(field => ({ pointer: `/${field}`, member: field, ...reason }))

const taken = (fields: readonly string[], cause: unknown): Problem =>
  new Problem('taken', {
    detail: {
      en: fields.length > 0 ? `Another record has this ${fields.join(' and ')}.` : 'Another record has this value.',
      de: 'Ein anderer Datensatz hat diesen Wert schon.',
    },
    errors: faultsOf(fields, fault('taken')),
    cause,
  })

const absent = (fields: readonly string[], cause: unknown): Problem =>
  new Problem('invalid', { errors: faultsOf(fields, fault('required')), cause })

interface Missing {
  readonly member: string
  readonly target: string
}

const missingTargets = (missing: readonly Missing[], cause: unknown): Problem =>
  new Problem('unprocessable', {
    detail: {
      en: 'A referenced record does not exist.',
      de: 'Einen Datensatz, auf den verwiesen wird, gibt es nicht.',
    },
    errors: missing.flatMap(({ member: field, target }) => faultsOf([field], fault('missing', { resource: target }))),
    cause,
  })

export const referenced = (by: string | null, cause: unknown): Problem =>
  new Problem('referenced', {
    detail: by
      ? { en: `Records of ${by} still refer to this one.`, de: `Datensätze von ${by} verweisen noch darauf.` }
      : { en: 'Other records still refer to this one.', de: 'Andere Datensätze verweisen noch darauf.' },
    // Clients know what people call these records.
    ...(by && { extra: { referencedBy: by } }),
    cause,
  })
