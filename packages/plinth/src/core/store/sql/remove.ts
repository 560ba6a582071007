// Deletes records, and publishes the deletion of all that go with them.

import { among, type Filter } from '../../model/query.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import type { Cell } from '../connection.ts'
import { beforeSql, recorderFor } from '../history/record-change.ts'
import { publisherFor, publishSql } from '../outbox/publish.ts'
import { linkTableOf, quote, sourceOf, tableOf } from './columns.ts'
import { baseScope, StatementDraft } from './from.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run, type Statement } from './statement.ts'
import { filterSql } from './where.ts'

interface RecordRemoval {
  readonly resource: Resource
  readonly which: Filter
  /** All resources, to find those whose records go too. */
  readonly resources: readonly Resource[]
}

type Execute = (name: string, toSql: (matching: string) => string) => Promise<readonly (readonly unknown[])[]>

/** Runs statements made from the selection of the matching pks, each known by its name. */
const executeOn = (
  { statements, connection }: SqlSession,
  { resource, which }: RecordRemoval,
  cells: readonly Cell[] = [],
): Execute => {
  const shape = new QueryShape(statements.dialect)
  shape.cells.push(...cells)
  const key = `${resource.name} ${shape.filter(which)}`
  return (name, toSql) => {
    const statement = statements.of<Statement>(`${name} ${key}`, () => {
      const draft = new StatementDraft(shape)
      const scope = baseScope(draft, `${sourceOf(resource)} AS b`)
      const where = filterSql(scope, which)
      return { sql: toSql(`SELECT b."pk" FROM ${scope.from.sql} WHERE ${where}`), constants: draft.constants }
    })
    return run(connection, statement, shape.cells)
  }
}

/** Removes a part of the matching records, whichever the database finds first. */
export const removeSome = async (session: SqlSession, removal: RecordRemoval, limit: number): Promise<number> => {
  const found = await executeOn(session, removal)(`some ${limit}`, matching => `${matching} LIMIT ${limit}`)
  if (found.length === 0) return 0
  const pks = among(
    removal.resource,
    found.map(([pk]) => String(pk)),
  )
  // Both conditions: a record may have changed since it was found.
  return removeRecords(session, { ...removal, which: { op: 'and', parts: [removal.which, pks] } })
}

/** Gives how many records were there. */
export const removeRecords = async (session: SqlSession, removal: RecordRemoval): Promise<number> => {
  const { resource, resources } = removal
  const { statements } = session
  await recordRemoval(session, removal)
  const execute = executeOn(session, removal)
  const remove = (matching: string) => `DELETE FROM ${tableOf(resource)} WHERE "pk" IN (${matching})`
  const publisher = publisherFor(session, resource)
  if (!publisher) return (await execute('remove', matching => `${remove(matching)} RETURNING "pk"`)).length
  publisher.onPublish()
  const publishFrom = (deleted: Resource, from: string) =>
    publishSql(publisher, { resource: deleted, type: 'deleted', from })
  const dependents = dependentsOf(resource, { resources, passed: [], on: null })
  const { dialect } = statements
  // No transaction can add to what depends on a locked record, so all deletions are published.
  if (dependents.length > 0 && dialect.lock('b') !== '') await execute('hold', matching => matching + dialect.lock('b'))
  for (const [at, one] of dependents.entries()) {
    const from = (matching: string) =>
      `${tableOf(one.resource)} AS b WHERE ${goesSql(one, withOwn(resource, matching))}`
    await execute(`goes ${at}`, matching => publishFrom(one.resource, from(matching)))
  }
  if (dialect.writesInWith && ownCascades(resource).length === 0) {
    const removed = (matching: string) =>
      `WITH b AS (${remove(matching)} RETURNING *), published AS (${publishFrom(resource, 'b')})`
    return (await execute('remove', matching => `${removed(matching)} SELECT b."pk" FROM b`)).length
  }
  const all = (matching: string) => `${tableOf(resource)} AS b WHERE b."pk" IN (${withOwn(resource, matching)})`
  await execute('publish', matching => publishFrom(resource, all(matching)))
  return (await execute('remove', matching => `${remove(matching)} RETURNING "pk"`)).length
}

/** Records the deleted records in the history, and those that go with them or lose a reference. */
const recordRemoval = async (session: SqlSession, removal: RecordRemoval): Promise<void> => {
  const { resource, resources } = removal
  const { dialect } = session.statements
  const dependents = dependentsOf(resource, { resources, passed: [], on: null })
  const deleted: readonly DeletedRecords[] = [
    {
      resource,
      where: matching => `b."pk" IN (${withOwn(resource, matching)})`,
      pks: matching => withOwn(resource, matching),
    },
    ...dependents.map(one => ({
      resource: one.resource,
      where: (matching: string) => goesSql(one, withOwn(resource, matching)),
      pks: (matching: string) => dependentPks(one, withOwn(resource, matching)),
    })),
  ]
  const changes = [
    ...deleted.map(one => ({ ...one, change: 'deleted' as const })),
    ...resources.flatMap(one => lossesOf(one, deleted)).map(one => ({ ...one, change: 'updated' as const })),
  ]
  for (const [at, { resource: changed, where, change }] of changes.entries()) {
    const recorder = recorderFor(session, changed)
    if (!recorder) continue
    await executeOn(
      session,
      removal,
      recorder.cells(),
    )(`record ${at}`, matching => beforeSql(changed, dialect, { change, where: where(matching), raises: 0 }))
  }
}

/** Records of one resource that are about to be deleted, by SQL from the selection of the pks that the deletion begins with. */
interface DeletedRecords {
  readonly resource: Resource
  /** A condition on the rows of the table, as `b`. */
  readonly where: (matching: string) => string
  readonly pks: (matching: string) => string
}

/** What records of one resource lose with the deletion of others: references that are cleared, and embedded links. */
const lossesOf = (one: Resource, deleted: readonly DeletedRecords[]) => {
  const conditions = [...one.fields.values()].flatMap(field =>
    deleted.filter(({ resource }) => resource === field.target).flatMap(({ pks }) => lossSql(field, pks) ?? []),
  )
  if (conditions.length === 0) return []
  // What is deleted itself loses nothing before.
  const own = deleted.filter(({ resource }) => resource === one)
  const where = (matching: string): string => {
    const loses = conditions.map(toSql => toSql(matching)).join(' OR ')
    const isDeleted = own.map(({ where: isOwn }) => isOwn(matching)).join(' OR ')
    return isDeleted === '' ? loses : `(${loses}) AND (${isDeleted}) IS NOT TRUE`
  }
  return [{ resource: one, where }]
}

const lossSql = (field: ResourceField, pks: DeletedRecords['pks']): DeletedRecords['where'] | null => {
  const { definition, name } = field
  if (definition.role === 'one' && definition.onDelete === 'clear')
    return matching => `b.${quote(name)} IN (${pks(matching)})`
  if (definition.role !== 'links' || !definition.embed) return null
  const pairs = quote(linkTableOf(field))
  return matching => `b."pk" IN (SELECT "owner" FROM ${pairs} WHERE "target" IN (${pks(matching)}))`
}

/** Records that the database deletes together with others: those whose `by` fields lead to them. */
interface Dependents {
  readonly resource: Resource
  readonly by: readonly ResourceField[]
  /** What they depend on, in turn, when it is not the deleted resource itself. */
  readonly on: Dependents | null
}

interface DependentSearch extends Pick<RecordRemoval, 'resources'>, Pick<Dependents, 'on'> {
  readonly passed: readonly Resource[]
}

const cascadesTo = (resource: Resource, target: Resource): readonly ResourceField[] =>
  [...resource.fields.values()].filter(
    field => field.definition.role === 'one' && field.definition.onDelete === 'cascade' && field.target === target,
  )

/** References by which records go with others of their own resource, such as the branches of a tree. */
const ownCascades = (resource: Resource): readonly ResourceField[] => cascadesTo(resource, resource)

/** A selection of pks, and those of all records of the same resource that go with them in turn. */
const withOwn = (resource: Resource, pks: string): string => {
  const own = ownCascades(resource)
  if (own.length === 0) return pks
  const goes = own.map(({ name }) => `c.${quote(name)} = o."pk"`).join(' OR ')
  const others = `SELECT c."pk" FROM ${tableOf(resource)} AS c JOIN o ON ${goes}`
  return `WITH RECURSIVE o("pk") AS (${pks} UNION ${others}) SELECT o."pk" FROM o`
}

/** The deepest first. A chain that comes back to a resource it has passed ends there. */
const dependentsOf = (resource: Resource, { resources, passed, on }: DependentSearch): readonly Dependents[] => {
  const next = [...passed, resource]
  return resources.flatMap(one => {
    if (one.holder !== one || !one.hasEvents || next.includes(one)) return []
    const by = cascadesTo(one, resource)
    if (by.length === 0) return []
    const dependents = { resource: one, by, on }
    return [...dependentsOf(one, { resources, passed: next, on: dependents }), dependents]
  })
}

const dependsSql = ({ by, on }: Dependents, pks: string, alias: string): string => {
  const inner = on ? dependentPks(on, pks) : pks
  return `(${by.map(({ name }) => `${alias}.${quote(name)} IN (${inner})`).join(' OR ')})`
}

const dependentPks = (one: Dependents, pks: string): string =>
  withOwn(one.resource, `SELECT c."pk" FROM ${tableOf(one.resource)} AS c WHERE ${dependsSql(one, pks, 'c')}`)

/** A condition on the rows of the table, as `b`. */
const goesSql = (one: Dependents, pks: string): string =>
  ownCascades(one.resource).length === 0 ? dependsSql(one, pks, 'b') : `b."pk" IN (${dependentPks(one, pks)})`
