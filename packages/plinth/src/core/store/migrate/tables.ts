// The tables that a model needs, as plain data: what a migration compares the database with.

import { callerPathOf } from '../../model/caller-default.ts'
import { checksOf } from '../../model/checks.ts'
import { DefinitionError } from '../../model/definition-error.ts'
import { historyFields } from '../../model/history.ts'
import { isColumn } from '../../model/indexes.ts'
import { numberingOf } from '../../model/number-fields.ts'
import type { Registry } from '../../model/registry.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { trashedResources } from '../../model/trash.ts'
import type { ColumnType } from '../../model/value-field.ts'
import { entryColumns, historyTableOf } from '../history/columns.ts'
import { columnTypeOf, foldedColumnOf, isFolded } from '../sql/columns.ts'
import { deletionColumns, referenceTable, trashTableOf } from '../trash/columns.ts'
import type { InitialValue, Table, TableColumn } from './table.ts'
import { nameFaults, widthFaults } from './table-faults.ts'
import { indexesOf, referenceName, toIndex } from './table-indexes.ts'

export const tablesOf = (registry: Registry): readonly Table[] => {
  const holders = registry.resources.filter(resource => resource.holder === resource && !resource.definition.view)
  const inTrash = trashedResources(registry.resources)
  const tables = holders.flatMap(resource => [
    tableOf(resource),
    ...linkTablesOf(resource),
    ...(resource.keepsHistory ? [historyTable(resource)] : []),
    ...(inTrash.has(resource) ? [trashTable(resource)] : []),
  ])
  if (inTrash.size > 0) tables.push(trashReferences())
  const faults = [...nameFaults(tables), ...registry.resources.flatMap(widthFaults)]
  if (faults.length > 0) throw new DefinitionError(faults)
  return tables
}

const tableOf = (resource: Resource): Table => ({
  name: resource.name,
  columns: [...resource.fields.values()].flatMap(columnsOf),
  primaryKey: ['pk'],
  indexes: indexesOf(resource),
  formerNames: formerly(resource.definition.renamedFrom),
  pairs: false,
  ...tableChecks(resource),
})

const tableChecks = (resource: Resource): Pick<Table, 'checks'> => {
  const checks = checksOf(resource)
  return checks.length === 0 ? {} : { checks: checks.map(({ name, rule, condition }) => ({ name, rule, condition })) }
}

const linkTablesOf = (resource: Resource): Table[] =>
  [...resource.fields.values()].flatMap(({ name: field, definition, target }) => {
    if (definition.role !== 'links') return []
    const name = `${resource.name}_${field}`
    const side = (column: string, table: string): TableColumn => ({
      ...plainColumn(column, 'text'),
      required: true,
      references: { name: referenceName(name, column), table, onDelete: 'cascade' },
    })
    return [
      {
        name,
        columns: [side('owner', resource.name), side('target', targetTable(target, definition.target))],
        primaryKey: ['owner', 'target'],
        indexes: [toIndex(name, ['target', 'owner'], false)],
        formerNames: formerLinkTables(resource, field, definition.options.renamedFrom),
        pairs: true,
      },
    ]
  })

/** Records as they were: no value has to be there or to be unique, and what they referred to may be gone. */
const historyTable = (resource: Resource): Table => {
  const name = historyTableOf(resource)
  const columns = historyFields(resource).map(
    (field): TableColumn => ({
      ...plainColumn(field.name, isColumn(field) ? columnTypeOf(field) : 'json'),
      required: field === resource.pk,
      formerNames: formerly(field.definition.options.renamedFrom),
    }),
  )
  const entry = entryColumns.map(
    (column): TableColumn => ({
      ...plainColumn(column, column === '_version' ? 'integer' : 'text'),
      required: column === '_entry' || column === '_change' || column === '_version',
    }),
  )
  return {
    name,
    columns: [...entry, ...columns],
    primaryKey: ['pk', '_entry'],
    indexes: [toIndex(name, ['_entry'], false)],
    formerNames: formerly(resource.definition.renamedFrom).map(former => historyTableOf({ ...resource, name: former })),
    pairs: false,
  }
}

/** Deleted records: nothing has to be unique, and what they refer to may be gone. New columns get their initial values. */
const trashTable = (resource: Resource): Table => {
  const name = trashTableOf(resource)
  const columns = [...resource.fields.values()].flatMap(columnsOf)
  const deletion = deletionColumns.map(
    (column): TableColumn => ({
      ...plainColumn(column, column === '_root' ? 'boolean' : 'text'),
      required: column !== '_by',
    }),
  )
  return {
    name,
    columns: [...deletion, ...columns.map(column => ({ ...column, required: column.name === 'pk', references: null }))],
    primaryKey: ['pk', '_deletion'],
    indexes: [toIndex(name, ['_deletion'], false)],
    formerNames: formerly(resource.definition.renamedFrom).map(former => trashTableOf({ name: former })),
    pairs: false,
  }
}

const trashReferences = (): Table => ({
  name: referenceTable,
  columns: ['_deletion', 'field', 'owner', 'target'].map(name => ({ ...plainColumn(name, 'text'), required: true })),
  primaryKey: ['_deletion', 'field', 'owner', 'target'],
  indexes: [],
  formerNames: [],
  pairs: false,
})

const formerly = (name: string | undefined): readonly string[] => (name === undefined ? [] : [name])

/** Resource and field may have been renamed one after the other, or at once. */
const formerLinkTables = (resource: Resource, field: string, former: string | undefined): readonly string[] => {
  const owners = [resource.name, ...formerly(resource.definition.renamedFrom)]
  const names = owners.flatMap(owner => [field, ...formerly(former)].map(one => `${owner}_${one}`))
  return names.slice(1)
}

/** A reference to a part of a resource points into the table of the whole. */
const targetTable = (target: Resource | null, name: string): string => target?.holder.name ?? name

const plainColumn = (name: string, type: ColumnType): TableColumn => ({
  name,
  type,
  required: false,
  references: null,
  formerNames: [],
  initial: null,
  foldOf: null,
})

const columnsOf = (field: ResourceField): TableColumn[] => {
  if (!isColumn(field)) return []
  const { name, definition, owner } = field
  const column: TableColumn = {
    ...plainColumn(name, definition.role === 'one' ? 'text' : definition.type.column),
    // Records that exist are numbered after the column is added.
    required: definition.options.required === true && !numberingOf(field),
    references:
      definition.role === 'one'
        ? {
            name: referenceName(owner.name, name),
            table: targetTable(field.target, definition.target),
            onDelete: definition.onDelete,
          }
        : null,
    formerNames: formerly(definition.options.renamedFrom),
    initial: initialOf(field),
    ...choicesOf(field),
  }
  return isFolded(field) ? [column, foldedColumn(field)] : [column]
}

const choicesOf = ({ definition }: ResourceField): Pick<TableColumn, 'choices'> => {
  const values =
    definition.role === 'value' && definition.type.column === 'text' ? definition.type.schema.enum : undefined
  return Array.isArray(values) ? { choices: values.map(String) } : {}
}

const foldedColumn = (field: ResourceField): TableColumn => {
  const { renamedFrom } = field.definition.options
  return {
    ...plainColumn(foldedColumnOf(field), 'text'),
    formerNames: renamedFrom ? [foldedColumnOf({ ...field, name: renamedFrom })] : [],
    foldOf: field.name,
  }
}

const isStamp = ({ name, owner }: ResourceField): boolean =>
  owner.definition.stamps !== 'none' && (name === 'createdDate' || name === 'lastModifiedDate')

const initialOf = (field: ResourceField): InitialValue | null => {
  if (isStamp(field)) return { kind: 'now' }
  const value = field.definition.options.default
  if (callerPathOf(field.definition)) return null
  return value === undefined || value === null || typeof value === 'function' ? null : { kind: 'constant', value }
}
