// Erases what the history and the trash hold of a record, and of the records that are deleted with it.

import { keepsHistory } from '../model/history.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Erasure } from '../model/transaction.ts'
import { holderOfTarget, trashedResources } from '../model/trash.ts'
import type { Connection } from './connection.ts'
import { historyTableOf, imageColumns } from './history/columns.ts'
import { quote, recordTableOf } from './sql/columns.ts'
import type { Dialect } from './sql/dialect.ts'
import { referenceTable, trashTableOf } from './trash/columns.ts'

interface ErasedDatabase {
  readonly connection: Connection
  readonly dialect: Dialect
  readonly resources: readonly Resource[]
}

/** Every table that holds values of a resource: its own, its trash and its history. */
const tablesWith = (
  resource: Resource,
  { resources }: ErasedDatabase,
): Readonly<Record<'own' | 'trash' | 'history', string | null>> => ({
  own: recordTableOf(resource),
  trash: trashedResources(resources).has(resource) ? trashTableOf(resource) : null,
  history: keepsHistory(resource) ? historyTableOf(resource) : null,
})

/** The pks of all records, present or past, whose member has or had one of these values. */
export const findTraces = async (
  database: ErasedDatabase,
  member: Member,
  values: readonly string[],
): Promise<readonly string[]> => {
  const { connection, dialect } = database
  const { own, trash, history } = tablesWith(member.owner, database)
  const isRecorded = imageColumns(member.owner).includes(member)
  const tables = [own, trash, isRecorded ? history : null].filter(table => table !== null)
  const condition = dialect.among(quote(member.name), dialect.placeholder(1), 'text')
  const sql = tables.map(table => `SELECT "pk" FROM ${quote(table)} WHERE ${condition}`).join(' UNION ')
  return (await connection.rows(sql, [dialect.list(values, 'text')])).map(([pk]) => String(pk))
}

/** The record, and all that belonged to it at some time. */
const findBelongings = async (
  database: ErasedDatabase,
  resource: Resource,
  pk: string,
): Promise<ReadonlyMap<Resource, ReadonlySet<string>>> => {
  const found = new Map([[resource, new Set([pk])]])
  const queue: { readonly target: Resource; readonly pks: readonly string[] }[] = [{ target: resource, pks: [pk] }]
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const member of cascadesTo(next.target, database.resources)) {
      const known = found.get(member.owner) ?? new Set<string>()
      const pks = (await findTraces(database, member, next.pks)).filter(one => !known.has(one))
      if (pks.length === 0) continue
      for (const one of pks) known.add(one)
      found.set(member.owner, known)
      queue.push({ target: member.owner, pks })
    }
  }
  return found
}

const cascadesTo = (target: Resource, resources: readonly Resource[]): readonly Member[] =>
  resources
    .filter(({ holder }) => holder === null)
    .flatMap(({ members }) => [...members.values()])
    .filter(member => member.field.role === 'one' && member.field.onDelete === 'cascade')
    .filter(member => holderOfTarget(member) === target)

/** References such as `createdBy`, which would be cleared if the record that they refer to were deleted. */
const clearedReferences = ({ members }: Resource, target: Resource): readonly Member[] =>
  [...members.values()].filter(
    member => member.field.role === 'one' && member.field.onDelete === 'clear' && holderOfTarget(member) === target,
  )

/** The present records stay. `resource` is that of the users who make changes. */
export const eraseTraces = async (database: ErasedDatabase, resource: Resource, pk: string): Promise<Erasure> => {
  const { connection, dialect, resources } = database
  const place = dialect.placeholder(1)
  const count = async (sql: string, cell: string | ReturnType<Dialect['list']>): Promise<number> =>
    (await connection.rows(`${sql} RETURNING 1`, [cell])).length
  let [entries, trashed, authored] = [0, 0, 0]
  for (const [owner, pks] of await findBelongings(database, resource, pk)) {
    const { trash, history } = tablesWith(owner, database)
    const condition = dialect.among('"pk"', place, 'text')
    const list = dialect.list([...pks], 'text')
    if (history) entries += await count(`DELETE FROM ${quote(history)} WHERE ${condition}`, list)
    if (trash) trashed += await count(`DELETE FROM ${quote(trash)} WHERE ${condition}`, list)
  }
  for (const one of resources.filter(({ holder }) => holder === null)) {
    const { trash, history } = tablesWith(one, database)
    if (history)
      authored += await count(
        `UPDATE ${quote(history)} SET "_by" = NULL, "_address" = NULL, "_request" = NULL WHERE "_by" = ${place}`,
        pk,
      )
    if (trash) authored += await count(`UPDATE ${quote(trash)} SET "_by" = NULL WHERE "_by" = ${place}`, pk)
    const recorded = new Set(imageColumns(one))
    for (const member of clearedReferences(one, resource)) {
      const column = quote(member.name)
      for (const table of [recorded.has(member) ? history : null, trash].filter(table => table !== null))
        await count(`UPDATE ${quote(table)} SET ${column} = NULL WHERE ${column} = ${place}`, pk)
    }
  }
  if (trashedResources(resources).size > 0)
    await count(`DELETE FROM ${quote(referenceTable)} WHERE "owner" = ${place} OR "target" = ${place}`, pk)
  return { entries, trashed, authored }
}
