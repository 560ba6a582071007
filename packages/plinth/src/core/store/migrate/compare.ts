// Compares a table of the model with the one in the database.

import type { DatabaseDialect } from '../driver.ts'
import { indexPrefixes } from '../sql/columns.ts'
import type { FoundIndex, FoundReference, FoundTable } from './catalogue.ts'
import type { ForeignKey, Table, TableColumn, TableIndex } from './table.ts'
import type { KeptColumn, TableChange } from './table-change.ts'
import { deleteAction } from './table-sql.ts'

export const compareTable = (table: Table, found: FoundTable, dialect: DatabaseDialect): TableChange => {
  const holders = holdersOf(table.columns, found.columns)
  const kept = [...holders].map(([column, found]) => ({ column, found }))
  const holderNames = new Set(holders.values())
  const unwanted = [...found.columns.values()].filter(column => !holderNames.has(column))
  const createdIndexes = table.indexes.filter(index => !found.indexes.some(there => isSameIndex(there, index)))
  return {
    table,
    found,
    kept,
    added: table.columns.filter(column => !holders.has(column)),
    relaxed: [
      ...kept.filter(({ column, found }) => found.required && !column.required).map(({ found }) => found),
      // The store does not know these columns, so it could insert nothing while they insist on a value.
      ...unwanted.filter(column => column.required && !column.filled),
    ],
    tightened: kept.filter(({ column, found }) => column.required && !found.required),
    rereferenced: kept.filter(({ column, found }) => !isSameReference(found.reference, column.references)),
    renamed: kept.filter(({ column, found }) => column.name !== found.name),
    refolded: table.columns.filter(column => column.foldOf !== null && isIndexed(column, createdIndexes)),
    unwanted,
    droppedIndexes: found.indexes.filter(
      there => there.valid && isOurs(there) && !table.indexes.some(index => isSameIndex(there, index)),
    ),
    createdIndexes,
    invalidIndexes: found.indexes.filter(there => !there.valid && isOurs(there)),
    refused: kept.flatMap(pair => [...typeFaults(table, pair, dialect), ...pairFaults(table, pair)]),
  }
}

interface Renamable {
  readonly name: string
  /** The former names, in order of preference. */
  readonly formerNames: readonly string[]
}

/** What holds each thing of the model now. A name that the model still uses is no former name. */
export const holdersOf = <Target extends Renamable, Found>(
  columns: readonly Target[],
  found: ReadonlyMap<string, Found>,
): ReadonlyMap<Target, Found> => {
  const used = new Set(columns.map(one => one.name))
  const holders = new Map<Target, Found>()
  for (const one of columns) {
    const former = one.formerNames.find(name => !used.has(name) && found.has(name))
    const holder = found.get(one.name) ?? found.get(former ?? '')
    if (holder) holders.set(one, holder)
  }
  return holders
}

const isSameReference = (found: FoundReference | null, reference: ForeignKey | null): boolean => {
  if (!found || !reference) return !found && !reference
  return (
    found.table === reference.table &&
    found.onDelete === deleteAction(reference.onDelete) &&
    (found.name === null || found.name === reference.name)
  )
}

/**
 * Compares indexes; those on expressions by name, since databases show nothing else of them and the name says what they
 * are on.
 */
const isSameIndex = (found: FoundIndex, index: TableIndex): boolean =>
  found.valid &&
  found.name === index.name &&
  (index.kind !== 'columns' ||
    (found.plain && found.unique === index.unique && found.columns.join() === index.columns.join()))

const isOurs = ({ name }: FoundIndex): boolean => Object.values(indexPrefixes).some(prefix => name.startsWith(prefix))

const isIndexed = ({ name }: TableColumn, indexes: readonly TableIndex[]): boolean =>
  indexes.some(index => index.columns.includes(name))

const typeFaults = (table: Table, { column, found }: KeptColumn, dialect: DatabaseDialect): string[] => {
  const columnType = dialect.schema.columnTypes[column.type]
  if (found.type === columnType) return []
  return [
    `${table.name}.${column.name} is ${found.type} in the database and ${columnType} in the model: ` +
      'declare the field under a new name and move the values, or change the column manually',
  ]
}

/** Pairs say nothing of their own: once they mean records of another resource they are other pairs. */
const pairFaults = ({ name, pairs }: Table, { column, found }: KeptColumn): string[] => {
  if (!pairs || found.reference?.table === column.references?.table) return []
  return [
    `${name}.${column.name} refers to ${found.reference?.table ?? 'nothing'} in the database and to ` +
      `${column.references?.table} in the model: declare the links under a new name, or drop the table manually`,
  ]
}
