// Erases what the history and the trash hold of a record, and of the records that are deleted with it.

import type { Resource, ResourceField } from '../model/resource.ts'
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
  history: resource.keepsHistory ? historyTableOf(resource) : null,
})

/** The pks of all records, present or past, whose field has or had one of these values. */
export const findTraces = async (
  database: ErasedDatabase,
  field: ResourceField,
  values: readonly string[],
): Promise<readonly string[]> => {
  const { connection, dialect } = database
  const { own, trash, history } = tablesWith(field.owner, database)
  const isRecorded = imageColumns(field.owner).includes(field)
  const tables = [own, trash, isRecorded ? history : null].filter(table => table !== null)
  const condition = dialect.among(quote(field.name), dialect.placeholder(1), 'text')
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
    for (const field of cascadesTo(next.target, database.resources)) {
      const known = found.get(field.owner) ?? new Set<string>()
      const pks = (await findTraces(database, field, next.pks)).filter(one => !known.has(one))
      if (pks.length === 0) continue
      for (const one of pks) known.add(one)
      found.set(field.owner, known)
      queue.push({ target: field.owner, pks })
    }
  }
  return found
}

const cascadesTo = (target: Resource, resources: readonly Resource[]): readonly ResourceField[] =>
  resources
    .filter(one => one.holder === one)
    .flatMap(({ fields }) => [...fields.values()])
    .filter(field => field.definition.role === 'one' && field.definition.onDelete === 'cascade')
    .filter(field => holderOfTarget(field) === target)

/** References such as `createdBy`, which would be cleared if the record that they refer to were deleted. */
const clearedReferences = ({ fields }: Resource, target: Resource): readonly ResourceField[] =>
  [...fields.values()].filter(
    field =>
      field.definition.role === 'one' && field.definition.onDelete === 'clear' && holderOfTarget(field) === target,
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
  for (const one of resources.filter(one => one.holder === one)) {
    const { trash, history } = tablesWith(one, database)
    if (history)
      authored += await count(
        `UPDATE ${quote(history)} SET "_by" = NULL, "_address" = NULL, "_request" = NULL WHERE "_by" = ${place}`,
        pk,
      )
    if (trash) authored += await count(`UPDATE ${quote(trash)} SET "_by" = NULL WHERE "_by" = ${place}`, pk)
    const recorded = new Set(imageColumns(one))
    for (const field of clearedReferences(one, resource)) {
      const column = quote(field.name)
      for (const table of [recorded.has(field) ? history : null, trash].filter(table => table !== null))
        await count(`UPDATE ${quote(table)} SET ${column} = NULL WHERE ${column} = ${place}`, pk)
    }
  }
  if (trashedResources(resources).size > 0)
    await count(`DELETE FROM ${quote(referenceTable)} WHERE "owner" = ${place} OR "target" = ${place}`, pk)
  return { entries, trashed, authored }
}
