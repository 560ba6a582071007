// Moves a record to the trash together with all that the database deletes with it, before it is deleted.

import type { Resource, ResourceField } from '../../model/resource.ts'
import { holderOfTarget, trashedThrough } from '../../model/trash.ts'
import { linkTableOf, partSql, quote, tableOf } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { deletionColumns, fieldNameOf, recordColumns, referenceTable, trashTableOf } from './columns.ts'

interface RecordDeletion {
  readonly resource: Resource
  readonly pk: string
  /** All resources, to find those whose records go too. */
  readonly resources: readonly Resource[]
}

/** Returns false when there is no such record. */
export const moveToTrash = async (
  session: SqlSession,
  { resource, pk, resources }: RecordDeletion,
): Promise<boolean> => {
  const { statements, connection, recorder } = session
  if (!recorder) throw new Error('only a transaction moves records to the trash')
  const { dialect } = statements
  const [deletion = null, by = null] = recorder.cells()
  const [first, second, third] = [1, 2, 3].map(slot => dialect.placeholder(slot))
  const holder = resource.holder
  const copy = (moved: Resource, isRoot: boolean, where: string): string => {
    const columns = recordColumns(moved)
    const entry = [`CAST(${first} AS text)`, isRoot ? 'TRUE' : 'FALSE', `CAST(${second} AS text)`]
    return (
      `INSERT INTO ${quote(trashTableOf(moved))} (${[...deletionColumns, ...columns].map(quote).join(', ')}) ` +
      `SELECT ${[...entry, ...columns.map(name => `b.${quote(name)}`)].join(', ')} FROM ${tableOf(moved)} AS b ` +
      `WHERE ${where}${dialect.lock('b')} RETURNING 1`
    )
  }
  const root = await connection.rows(copy(holder, true, `b."pk" = ${third} AND ${partSql(resource)}`), [
    deletion,
    by,
    pk,
  ])
  if (root.length === 0) return false
  const moved = new Set([holder])
  const grown = [holder]
  for (let one = grown.shift(); one; one = grown.shift()) {
    for (const { field, owner } of trashedThrough(one, resources)) {
      const isNew = `NOT EXISTS (SELECT 1 FROM ${quote(trashTableOf(owner))} AS t WHERE t."pk" = b."pk" AND t."_deletion" = ${first})`
      const where = `b.${quote(field.name)} IN (${pksIn(one, String(first))}) AND ${isNew}`
      if ((await connection.rows(copy(owner, false, where), [deletion, by])).length === 0) continue
      moved.add(owner)
      grown.push(owner)
    }
  }
  for (const sql of [...moved].flatMap(one => referenceStatements(one, resources, String(first))))
    await connection.rows(sql, [deletion])
  return true
}

/** The records of this deletion. */
export const pksIn = (resource: Resource, deletion: string): string =>
  `SELECT m."pk" FROM ${quote(trashTableOf(resource))} AS m WHERE m."_deletion" = ${deletion}`

/** Keep the links of deleted records, and the references to them that the database clears. */
const referenceStatements = (
  deleted: Resource,
  resources: readonly Resource[],
  deletion: string,
): readonly string[] => {
  const keep = (field: ResourceField, { owner, target, from, near }: PairSource): string =>
    `INSERT INTO ${quote(referenceTable)} ("_deletion", "field", "owner", "target") ` +
    `SELECT CAST(${deletion} AS text), '${fieldNameOf(field)}', ${owner}, ${target} FROM ${from} AS b ` +
    `WHERE ${near} IN (${pksIn(deleted, deletion)}) ON CONFLICT DO NOTHING`
  return resources
    .filter(one => one.holder === one)
    .flatMap(({ fields }) => [...fields.values()])
    .flatMap(field => {
      const { definition, owner } = field
      const isTarget = holderOfTarget(field) === deleted
      if (definition.role === 'one' && definition.onDelete === 'clear' && isTarget) {
        const column = `b.${quote(field.name)}`
        return [keep(field, { owner: 'b."pk"', target: column, from: tableOf(owner), near: column })]
      }
      if (definition.role !== 'links') return []
      const pairs = { owner: 'b."owner"', target: 'b."target"', from: quote(linkTableOf(field)) }
      return [
        ...(owner === deleted ? [keep(field, { ...pairs, near: pairs.owner })] : []),
        ...(isTarget ? [keep(field, { ...pairs, near: pairs.target })] : []),
      ]
    })
}

interface PairSource {
  readonly owner: string
  readonly target: string
  readonly from: string
  /** The side that is deleted. */
  readonly near: string
}
