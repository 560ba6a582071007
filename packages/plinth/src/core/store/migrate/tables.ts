// The tables that a model needs, as plain data: what a migration compares the database with.

import { DefinitionError, type DefinitionFault } from '../../model/definition-error.ts'
import type { OnDelete } from '../../model/field.ts'
import { historyMembers, keepsHistory } from '../../model/history.ts'
import {
  hasLabelOrder,
  hasOwnIndex,
  hasTextIndexes,
  indexWidthOf,
  isColumn,
  maxIndexEntry,
} from '../../model/indexes.ts'
import type { Registry } from '../../model/registry.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { trashedResources } from '../../model/trash.ts'
import type { ColumnType } from '../../model/value-field.ts'
import { entryColumns, historyTableOf } from '../history/columns.ts'
import {
  columnTypeOf,
  foldedColumnOf,
  indexPrefixes,
  isFolded,
  nameLimit,
  shortened,
  textIndexName,
} from '../sql/columns.ts'
import { deletionColumns, referenceTable, trashTableOf } from '../trash/columns.ts'

export interface Table {
  readonly name: string
  readonly columns: readonly TableColumn[]
  readonly primaryKey: readonly string[]
  readonly indexes: readonly TableIndex[]
  /** Before the resource, or the member whose links it holds, was renamed. */
  readonly formerNames: readonly string[]
  /** Pairs of keys and nothing else, which SQLite keeps in the key's own tree. */
  readonly pairs: boolean
}

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
  readonly required: boolean
  readonly references: ForeignKey | null
  readonly formerNames: readonly string[]
  /** What records that exist before the column get in it. */
  readonly initial: InitialValue | null
  /** The column whose text this one holds with case folded. */
  readonly foldOf: string | null
  /** The only values that it can have. */
  readonly choices?: readonly string[]
}

export interface ForeignKey {
  /** The constraint's name on PostgreSQL, by which a violation is traced back to its member. */
  readonly name: string
  readonly table: string
  readonly onDelete: OnDelete
}

export type InitialValue = { readonly kind: 'constant'; readonly value: unknown } | { readonly kind: 'now' }

export interface TableIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  readonly kind: IndexKind
}

/**
 * `anyCase`: in an order that ignores the case of ASCII letters. `trigrams`: for searches for a part of a text. Only indexes of whole
 * columns can be unique.
 */
type IndexKind = 'columns' | 'anyCase' | 'trigrams'

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

// Indexes

const indexesOf = (resource: Resource): TableIndex[] => {
  const { name, definition, members } = resource
  const indexes = [
    ...[...members.values()].flatMap(memberIndexes),
    ...(definition.uniqueTogether ?? []).map(group => toIndex(name, group, true)),
    ...(definition.indexes ?? []).map(group => toIndex(name, group, false)),
  ]
  return [...new Map(indexes.map(index => [index.name, index])).values()]
}

const memberIndexes = (member: Member): TableIndex[] => {
  const { name, field, owner } = member
  if (member === owner.pk || !isColumn(member)) return []
  const { unique } = field.options
  const indexes: TableIndex[] = []
  if (unique) indexes.push(toIndex(owner.name, [isFolded(member) ? foldedColumnOf(member) : name], true))
  if (hasOwnIndex(member)) indexes.push(toIndex(owner.name, [name, 'pk'], false))
  if (hasLabelOrder(member) && owner.label) indexes.push(toIndex(owner.name, [name, owner.label.name, 'pk'], false))
  if (hasTextIndexes(member)) indexes.push(...textIndexes(member))
  return indexes
}

// Two underscores part the pieces, since member names have none: different indexes never share a name.
const toIndex = (table: string, columns: readonly string[], unique: boolean): TableIndex => ({
  name: shortened((unique ? indexPrefixes.unique : indexPrefixes.columns) + [table, ...columns].join('__')),
  columns,
  unique,
  kind: 'columns',
})

const textIndexes = (member: Member): TableIndex[] => {
  const { name, owner } = member
  return [
    { name: textIndexName(member, 'anyCase'), columns: [name, owner.pk.name], unique: false, kind: 'anyCase' },
    { name: textIndexName(member, 'trigrams'), columns: [name], unique: false, kind: 'trigrams' },
  ]
}

export const referenceName = (table: string, column: string): string => shortened(`plinth_f_${table}__${column}`)

// Faults that only show once the model becomes tables

const widthOfNamed = (member: Member | undefined): number => (member ? indexWidthOf(member) : 0)

const widthFaults = ({ name, definition, members }: Resource): DefinitionFault[] => {
  const alone = [...members.values()].filter(({ field }) => field.options.unique).map(member => [member.name])
  return [...alone, ...(definition.uniqueTogether ?? []), ...(definition.indexes ?? [])].flatMap(group => {
    // Names that are no fields are reported with the definition.
    const width = group.reduce((sum, name) => sum + widthOfNamed(members.get(name)), 0)
    if (width <= maxIndexEntry) return []
    const most = Math.floor(maxIndexEntry / 3)
    return [
      { resource: name, message: `${group.join(', ')} can be too long for an index; lower 'max' to ${most} in all` },
    ]
  })
}

const nameFaults = (tables: readonly Table[]): DefinitionFault[] =>
  [...clashes('table', tables), ...tables.flatMap(table => clashes(`column of ${table.name}`, table.columns))].map(
    message => ({ message }),
  )

const clashes = (what: string, things: readonly Pick<Table | TableColumn, 'name' | 'formerNames'>[]): string[] => {
  const names = things.map(thing => thing.name)
  const formerNames = things.flatMap(thing => thing.formerNames)
  return [
    ...repeated(formerNames).map(name => `several claim to be the former ${what} '${name}'`),
    // Names are case-insensitive on SQLite.
    ...repeated(names.map(name => name.toLowerCase())).map(
      name => `the ${what} '${name}' is there twice, but for case`,
    ),
    ...names
      .filter(name => name.length > nameLimit)
      .map(name => `the ${what} '${name}' has more than ${nameLimit} characters`),
  ]
}

const repeated = (names: readonly string[]): string[] => names.filter((name, place) => names.indexOf(name) < place)
