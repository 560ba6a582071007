// Do the rows that exist allow what a table is to become? Each answer is a sentence that says what to do.

import type { Connection } from '../connection.ts'
import type { DatabaseDialect } from '../driver.ts'
import { quote, textOf } from '../sql/columns.ts'
import type { FoundTable } from './catalogue.ts'
import { checkSql } from './check-sql.ts'
import { formerChoices, type ModelRecord, wasChecked } from './model-record.ts'
import type { TableCheck, TableColumn, TableIndex } from './table.ts'
import type { KeptColumn, TableChange } from './table-change.ts'
import { initialSql } from './table-sql.ts'

export interface InspectedDatabase {
  readonly connection: Connection
  readonly dialect: DatabaseDialect
  readonly tables: ReadonlyMap<string, FoundTable>
  readonly isAlone?: boolean
  readonly keepsFormerNames?: boolean
  /** The models that have used the database. */
  readonly models?: readonly ModelRecord[]
}

export const checkRows = async (change: TableChange, database: InspectedDatabase): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const column of change.added) faults.push(...(await checkAdded(change, column, database)))
  for (const pair of change.tightened) faults.push(...(await checkTightened(change, pair, database)))
  for (const pair of change.rereferenced) faults.push(...(await checkReferences(change, pair, database)))
  for (const index of change.createdIndexes) {
    if (index.unique) faults.push(...(await checkUnique(change, index, database)))
  }
  for (const pair of change.kept) faults.push(...(await checkChoices(change, pair, database)))
  for (const check of change.table.checks ?? []) faults.push(...(await checkCondition(change, check, database)))
  return faults
}

/** Checks choices only when one was taken away: the rows of large tables are not read at each start. */
const checkChoices = async ({ table, found }: TableChange, pair: KeptColumn, database: InspectedDatabase) => {
  const { column } = pair
  const former = formerChoices(database.models ?? [], table, column)
  const { choices } = column
  if (!choices || former === undefined || former?.every(one => choices.includes(one))) return []
  const name = quote(pair.found.name)
  const [count, example] = await violations(
    database.connection,
    `FROM ${quote(found.name)} WHERE ${name} IS NOT NULL AND ${name} NOT IN (${choices.map(textOf).join(', ')})`,
    exampleOf(found),
  )
  if (count === 0) return []
  return [
    `${table.name}.${column.name} takes only ${choices.join(', ')}, but ${records(count)} another value, such as '${example}': ` +
      'change the values first, or keep the choice',
  ]
}

/** Only when a check is new or has changed. */
const checkCondition = async (change: TableChange, check: TableCheck, database: InspectedDatabase) => {
  const { table, found } = change
  if (wasChecked(database.models ?? [], table, check.rule)) return []
  const { dialect } = database
  const fieldValue = (column: string) => valueNow(change, column, dialect)
  const holds = checkSql(check.condition, { dialect, fieldValue })
  const [count, example] = await violations(
    database.connection,
    `FROM ${quote(found.name)} WHERE NOT ${holds}`,
    exampleOf(found),
  )
  if (count === 0) return []
  const broken = count === 1 ? '1 record breaks' : `${count} records break`
  return [
    `${table.name} has the new check '${check.name}' (${check.rule}), which ${broken}, such as '${example}': ` +
      'change the records first, or the check',
  ]
}

const checkAdded = async ({ table, found }: TableChange, column: TableColumn, { connection }: InspectedDatabase) => {
  if (!column.required || column.initial) return []
  const some = await connection.rows(`SELECT 1 FROM ${quote(found.name)} LIMIT 1`, [])
  if (some.length === 0) return []
  return [
    `${table.name}.${column.name} is new and required, but existing records have no value for it: ` +
      'give the field a constant default, or make it required only after every record has a value',
  ]
}

const checkTightened = async ({ table, found }: TableChange, pair: KeptColumn, { connection }: InspectedDatabase) => {
  const [count, example] = await violations(
    connection,
    `FROM ${quote(found.name)} WHERE ${quote(pair.found.name)} IS NULL`,
    exampleOf(found),
  )
  if (count === 0) return []
  return [
    `${table.name}.${pair.column.name} becomes required, but ${records(count)} no value, such as '${example}': ` +
      'set the values first',
  ]
}

const checkReferences = async ({ table, found }: TableChange, pair: KeptColumn, database: InspectedDatabase) => {
  const { column } = pair
  if (!column.references || pair.found.reference?.table === column.references.table) return []
  const target = column.references.table
  const value = `r.${quote(pair.found.name)}`
  const known = database.tables.has(target) ? `SELECT t."pk" FROM ${quote(target)} t WHERE t."pk" = ${value}` : ''
  const [count, example] = await violations(
    database.connection,
    `FROM ${quote(found.name)} r WHERE ${value} IS NOT NULL${known && ` AND NOT EXISTS (${known})`}`,
    exampleOf(found),
  )
  if (count === 0) return []
  return [
    `${table.name}.${column.name} becomes a reference to ${target}, and ${records(count)} a value that does not exist there, ` +
      `such as '${example}': correct or clear them first`,
  ]
}

/** Names two records and not what they share, which may be a secret. */
const checkUnique = async (change: TableChange, index: TableIndex, { connection, dialect }: InspectedDatabase) => {
  const { table, found } = change
  const values = index.columns.map((column, place) => `${valueNow(change, column, dialect)} AS v${place}`)
  const names = index.columns.map((_, place) => `v${place}`)
  const groups =
    `FROM (SELECT min("pk") AS a, max("pk") AS b ` +
    `FROM (SELECT ${[...values, '"pk"'].join(', ')} FROM ${quote(found.name)}) v ` +
    `WHERE ${names.map(name => `${name} IS NOT NULL`).join(' AND ')} ` +
    `GROUP BY ${names.join(', ')} HAVING count(*) > 1) g`
  const [count, example] = await violations(connection, groups, "min(a || ''' and ''' || b)")
  if (count === 0) return []
  const fields = index.columns.map(name => table.columns.find(column => column.name === name)?.foldOf ?? name)
  return [
    `${table.name}.${fields.join(' with ')} becomes unique, but ${count === 1 ? '1 value is' : `${count} values are`} ` +
      `shared by several records, such as '${example}': remove the duplicates first`,
  ]
}

/** What a column of the model will hold once the steps before its index are done, from what is there now. */
const valueNow = (change: TableChange, name: string, dialect: DatabaseDialect): string => {
  const column = change.table.columns.find(column => column.name === name)
  if (column?.foldOf) return dialect.foldCase(valueNow(change, column.foldOf, dialect))
  const kept = change.kept.find(pair => pair.column === column)
  if (kept) return quote(kept.found.name)
  return column?.initial ? initialSql(column.initial, dialect) : 'NULL'
}

const violations = async (connection: Connection, from: string, example: string): Promise<[number, string]> => {
  const [row] = await connection.rows(`SELECT count(*), ${example} ${from}`, [])
  return [Number(row?.[0] ?? 0), String(row?.[1] ?? '')]
}

const exampleOf = ({ primaryKey }: FoundTable): string => `min(${quote(primaryKey[0] ?? 'pk')})`

const records = (count: number): string => (count === 1 ? '1 record has' : `${count} records have`)
