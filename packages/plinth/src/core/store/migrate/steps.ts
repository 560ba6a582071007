// The steps of a migration that change tables which exist, in an order in which each finds what it needs.

import type { DatabaseDialect } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import type { MigrationStep, StepEffect } from './step.ts'
import type { TableIndex } from './table.ts'
import type { KeptColumn, TableChange } from './table-change.ts'
import {
  addColumn,
  allowNull,
  createIndex,
  dropIndex,
  fillColumn,
  forbidNull,
  hasDefault,
  isFilled,
  renameColumn,
} from './table-sql.ts'

export const alterTable = (change: TableChange, dialect: DatabaseDialect): readonly MigrationStep[] => {
  const table = change.table.name
  const effect = (kind: StepEffect['kind']): Pick<MigrationStep, 'effect'> => ({
    effect: { kind, table: change.found.name },
  })
  return [
    ...change.droppedIndexes.map(({ name }) => dropUnneeded(change, dropIndex(name, dialect))),
    ...change.added.map(column => ({
      why: `${table}.${column.name}: new`,
      sql: addColumn(table, column, dialect),
      ...effect(isFilled(column) ? 'update' : 'brief'),
      ...(column.required && !hasDefault(column) && { breaks: 'the records that they create have no value for it' }),
    })),
    ...change.relaxed.map(({ name }) => ({
      why: `${table}.${name}: no longer required`,
      sql: allowNull(table, name),
      ...effect('brief'),
    })),
    ...change.tightened.map(({ found: { name } }) => ({
      why: `${table}.${name}: now required`,
      sql: forbidNull(table, name),
      ...effect('scan'),
      breaks: 'they cannot write records without a value',
    })),
    ...change.rereferenced.map(pair => ({
      why: `${table}.${pair.found.name}: ${referenceReason(pair)}`,
      sql: dialect.schema.replaceReference(change, pair),
      ...effect('reference'),
      ...(isNewReference(pair) && { breaks: 'they cannot write values that are no keys there' }),
    })),
    ...change.renamed.map(pair => renameStep(change, pair, dialect)),
    ...change.refolded.map(column => ({
      why: `${table}.${column.name}: the case-folded text of ${column.foldOf}`,
      sql: fillColumn(table, column.name, dialect.foldCase(quote(column.foldOf ?? column.name))),
      ...effect('update'),
    })),
    ...change.createdIndexes.map(index => createIndexStep(change, index, dialect)),
  ]
}

const renameStep = (change: TableChange, { column, found }: KeptColumn, { schema }: DatabaseDialect): MigrationStep => {
  const table = change.table.name
  const sql = renameColumn(table, found.name, column.name)
  const why = `${table}.${column.name}: formerly ${found.name}`
  const affected = change.found.name
  if (!schema.formerNames || !change.keepsFormerNames)
    return { why, sql, effect: { kind: 'brief', table: affected }, breaks: `they read and write ${found.name}` }
  const kept = schema.formerNames.keepColumn({ table, column: column.name, former: found.name }, found.type)
  return {
    why: `${why}, which running instances can still use; the next release drops it`,
    sql: `${sql}\n${kept}`,
    effect: { kind: 'update', table: affected },
  }
}

export const dropUnneeded = ({ table, found }: TableChange, sql: string): MigrationStep => ({
  why: `${table.name}: an index is no longer needed`,
  sql,
  effect: { kind: 'brief', table: found.name },
})

export const createIndexStep = (change: TableChange, index: TableIndex, dialect: DatabaseDialect): MigrationStep => ({
  why: `${change.table.name}: ${indexReason(index)}`,
  sql: createIndex(change.table.name, index, dialect),
  effect: { kind: index.kind === 'trigrams' ? 'textIndex' : 'index', table: change.found.name },
  ...(index.unique && !wasUnique(change, index) && { breaks: 'they cannot write duplicates' }),
})

/** Says whether an index of the same columns was unique, under their names before a rename. */
const wasUnique = ({ kept, found }: TableChange, { columns }: TableIndex): boolean => {
  const former = columns.map(name => kept.find(({ column }) => column.name === name)?.found.name ?? name)
  return found.indexes.some(index => index.unique && index.columns.join() === former.join())
}

const isNewReference = ({ column, found }: KeptColumn): boolean =>
  column.references !== null && found.reference?.table !== column.references.table

const indexReason = ({ columns, unique, kind }: TableIndex): string => {
  if (kind === 'anyCase') return `${columns[0]} searched by prefix, case-insensitive`
  if (kind === 'trigrams') return `${columns[0]} searched by substring`
  return `${unique ? 'unique' : 'searched and sorted'} by ${columns.join(', ')}`
}

const referenceReason = ({ column, found }: KeptColumn): string => {
  if (!column.references) return `no longer refers to ${found.reference?.table}`
  if (found.reference?.table !== column.references.table) return `refers to ${column.references.table}`
  return `on deletion of the record that it refers to: ${column.references.onDelete}`
}
