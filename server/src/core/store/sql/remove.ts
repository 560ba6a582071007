// Deleting records, and telling of all that go with them.

import { isAnnounced } from '../../model/event.ts'
import { among, type Filter } from '../../model/query.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { announcerFor, tellingSql } from '../outbox/publish.ts'
import { baseScope, Draft } from './from.ts'
import { quote, sourceOf, tableOf } from './names.ts'
import type { Session } from './read.ts'
import { Shape } from './shape.ts'
import { run, type Statement } from './statements.ts'
import { filterSql } from './where.ts'

interface Removal {
  readonly resource: Resource
  readonly which: Filter
  /** All resources, to find those whose records go too. */
  readonly resources: readonly Resource[]
}

type Execute = (name: string, toSql: (matching: string) => string) => Promise<readonly (readonly unknown[])[]>

/** Runs statements made from the selection of the matching pks, each known by its name. */
const executeOn = ({ statements, connection }: Session, { resource, which }: Removal): Execute => {
  const shape = new Shape(statements.dialect)
  const key = `${resource.name} ${shape.filter(which)}`
  return (name, toSql) => {
    const statement = statements.of<Statement>(`${name} ${key}`, () => {
      const draft = new Draft(shape)
      const scope = baseScope(draft, `${sourceOf(resource)} AS b`)
      const where = filterSql(scope, which)
      return { sql: toSql(`SELECT b."pk" FROM ${scope.from.sql} WHERE ${where}`), constants: draft.constants }
    })
    return run(connection, statement, shape.cells)
  }
}

/** Removes a part of the matching records, whichever the database finds first. */
export const removeSome = async (session: Session, removal: Removal, limit: number): Promise<number> => {
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
export const removeRecords = async (session: Session, removal: Removal): Promise<number> => {
  const { resource, resources } = removal
  const { statements } = session
  const execute = executeOn(session, removal)
  const remove = (matching: string) => `DELETE FROM ${tableOf(resource)} WHERE "pk" IN (${matching})`
  const announcer = announcerFor(session, resource)
  if (!announcer) return (await execute('remove', matching => `${remove(matching)} RETURNING "pk"`)).length
  announcer.noted()
  const tell = (told: Resource, from: string) =>
    tellingSql(session, announcer, { resource: told, type: 'deleted', from })
  const dependents = dependentsOf(resource, { resources, passed: [], on: null })
  const { dialect } = statements
  // Nobody can add to what depends on a record that is held, so all that goes is told of.
  if (dependents.length > 0 && dialect.lock('b') !== '') await execute('hold', matching => matching + dialect.lock('b'))
  for (const [at, one] of dependents.entries()) {
    const from = (matching: string) => `${tableOf(one.resource)} AS b WHERE ${dependsSql(one, matching, 'b')}`
    await execute(`goes ${at}`, matching => tell(one.resource, from(matching)))
  }
  if (dialect.writesInWith) {
    const told = (matching: string) => `WITH b AS (${remove(matching)} RETURNING *), told AS (${tell(resource, 'b')})`
    return (await execute('remove', matching => `${told(matching)} SELECT b."pk" FROM b`)).length
  }
  await execute('tell', matching => tell(resource, `${tableOf(resource)} AS b WHERE b."pk" IN (${matching})`))
  return (await execute('remove', matching => `${remove(matching)} RETURNING "pk"`)).length
}

/** Records that the database deletes together with others: those whose `by` members lead to them. */
interface Dependents {
  readonly resource: Resource
  readonly by: readonly Member[]
  /** What they depend on, in turn, when it is not the deleted resource itself. */
  readonly on: Dependents | null
}

interface Search extends Pick<Removal, 'resources'>, Pick<Dependents, 'on'> {
  readonly passed: readonly Resource[]
}

/** The deepest first. A chain that comes back to a resource it has passed ends there. */
const dependentsOf = (resource: Resource, { resources, passed, on }: Search): readonly Dependents[] => {
  const next = [...passed, resource]
  return resources.flatMap(one => {
    if (one.holder || !isAnnounced(one) || next.includes(one)) return []
    const by = [...one.members.values()].filter(
      ({ field, target }) => field.role === 'one' && field.onDelete === 'cascade' && target === resource,
    )
    if (by.length === 0) return []
    const dependents = { resource: one, by, on }
    return [...dependentsOf(one, { resources, passed: next, on: dependents }), dependents]
  })
}

const dependsSql = ({ by, on }: Dependents, matching: string, alias: string): string => {
  const inner = on ? `SELECT c."pk" FROM ${tableOf(on.resource)} AS c WHERE ${dependsSql(on, matching, 'c')}` : matching
  return `(${by.map(({ name }) => `${alias}.${quote(name)} IN (${inner})`).join(' OR ')})`
}
