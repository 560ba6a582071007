// The tables that a model needs, as plain data: what a migration compares the database with.

import { DefinitionError } from '../../model/definition-error.ts'
import { historyMembers, keepsHistory } from '../../model/history.ts'
import { isColumn } from '../../model/indexes.ts'
import type { Registry } from '../../model/registry.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { trashedResources } from '../../model/trash.ts'
import type { ColumnType } from '../../model/value-field.ts'
import { entryColumns, historyTableOf } from '../history/columns.ts'
import { columnTypeOf, foldedColumnOf, isFolded } from '../sql/columns.ts'
import { deletionColumns, referenceTable, trashTableOf } from '../trash/columns.ts'
import type { InitialValue, Table, TableColumn } from './table.ts'
import { nameFaults, widthFaults } from './table-faults.ts'
import { indexesOf, referenceName, toIndex } from './table-indexes.ts'

export const tablesOf = (registry: Registry): readonly Table[] => {
  const holders = registry.resources.filter(resource => resource.holder === null)
  const inTrash = trashedResources(registry.resources)
  const tables = holders.flatMap(resource => [
    tableOf(resource),
    ...linkTablesOf(resource),
    ...(keepsHistory(resource) ? [historyTable(resource)] : []),
    ...(inTrash.has(resource) ? [trashTable(resource)] : []),
  ])
  if (inTrash.size > 0) tables.push(trashReferences())
  const faults = [...nameFaults(tables), ...registry.resources.flatMap(widthFaults)]
  if (faults.length > 0) throw new DefinitionError(faults)
  return tables
}

const tableOf = (resource: Resource): Table => ({
  name: resource.name,
  columns: [...resource.members.values()].flatMap(columnsOf),
  primaryKey: ['pk'],
  indexes: indexesOf(resource),
  formerNames: formerly(resource.definition.renamedFrom),
  pairs: false,
})

const linkTablesOf = (resource: Resource): Table[] =>
  [...resource.members.values()].flatMap(({ name: member, field, target }) => {
    if (field.role !== 'links') return []
    const name = `${resource.name}_${member}`
    const side = (column: string, table: string): TableColumn => ({
      ...plainColumn(column, 'text'),
      required: true,
      references: { name: referenceName(name, column), table, onDelete: 'cascade' },
    })
    return [
      {
        name,
        columns: [side('owner', resource.name), side('target', targetTable(target, field.target))],
        primaryKey: ['owner', 'target'],
        indexes: [toIndex(name, ['target', 'owner'], false)],
        formerNames: formerLinkTables(resource, member, field.options.renamedFrom),
        pairs: true,
      },
    ]
  })

/** Records as they were: no value has to be there or to be unique, and what they referred to may be gone. */
const historyTable = (resource: Resource): Table => {
  const name = historyTableOf(resource)
  const columns = historyMembers(resource).map(
    (member): TableColumn => ({
      ...plainColumn(member.name, isColumn(member) ? columnTypeOf(member) : 'json'),
      required: member === resource.pk,
      formerNames: formerly(member.field.options.renamedFrom),
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
  const columns = [...resource.members.values()].flatMap(columnsOf)
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

/** Resource and member may have been renamed one after the other, or at once. */
const formerLinkTables = (resource: Resource, member: string, former: string | undefined): readonly string[] => {
  const owners = [resource.name, ...formerly(resource.definition.renamedFrom)]
  const names = owners.flatMap(owner => [member, ...formerly(former)].map(one => `${owner}_${one}`))
  return names.slice(1)
}

/** A reference to a part of a resource points into the table of the whole. */
const targetTable = (target: Resource | null, name: string): string => target?.holder?.name ?? name

const plainColumn = (name: string, type: ColumnType): TableColumn => ({
  name,
  type,
  required: false,
  references: null,
  formerNames: [],
  initial: null,
  foldOf: null,
})

const columnsOf = (member: Member): TableColumn[] => {
  if (!isColumn(member)) return []
  const { name, field, owner } = member
  const column: TableColumn = {
    ...plainColumn(name, field.role === 'one' ? 'text' : field.type.column),
    required: field.options.required === true,
    references:
      field.role === 'one'
        ? {
            name: referenceName(owner.name, name),
            table: targetTable(member.target, field.target),
            onDelete: field.onDelete,
          }
        : null,
    formerNames: formerly(field.options.renamedFrom),
    initial: initialOf(member),
    ...choicesOf(member),
  }
  return isFolded(member) ? [column, foldedColumn(member)] : [column]
}

const choicesOf = ({ field }: Member): Pick<TableColumn, 'choices'> => {
  const values = field.role === 'value' && field.type.column === 'text' ? field.type.schema.enum : undefined
  return Array.isArray(values) ? { choices: values.map(String) } : {}
}

const foldedColumn = (member: Member): TableColumn => {
  const { renamedFrom } = member.field.options
  return {
    ...plainColumn(foldedColumnOf(member), 'text'),
    formerNames: renamedFrom ? [foldedColumnOf({ ...member, name: renamedFrom })] : [],
    foldOf: member.name,
  }
}

const isStamp = ({ name, owner }: Member): boolean =>
  owner.definition.stamps !== 'none' && (name === 'createdDate' || name === 'lastModifiedDate')

const initialOf = (member: Member): InitialValue | null => {
  if (isStamp(member)) return { kind: 'now' }
  const value = member.field.options.default
  return value === undefined || value === null || typeof value === 'function' ? null : { kind: 'constant', value }
}
