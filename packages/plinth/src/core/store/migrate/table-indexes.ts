// The indexes of a table.

import { hasLabelOrder, hasOwnIndex, hasTextIndexes, isColumn } from '../../model/indexes.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { foldedColumnOf, indexPrefixes, isFolded, shortened, textIndexName } from '../sql/columns.ts'
import type { TableIndex } from './table.ts'

export const indexesOf = (resource: Resource): TableIndex[] => {
  const { name, definition, fields } = resource
  const indexes = [
    ...[...fields.values()].flatMap(fieldIndexes),
    ...(definition.uniqueTogether ?? []).map(group => toIndex(name, group, true)),
    ...(definition.indexes ?? []).map(group => toIndex(name, group, false)),
  ]
  return [...new Map(indexes.map(index => [index.name, index])).values()]
}

const fieldIndexes = (field: ResourceField): TableIndex[] => {
  const { name, definition, owner } = field
  if (field === owner.pk || !isColumn(field)) return []
  const { unique } = definition.options
  const indexes: TableIndex[] = []
  if (unique) indexes.push(toIndex(owner.name, [isFolded(field) ? foldedColumnOf(field) : name], true))
  if (hasOwnIndex(field)) indexes.push(toIndex(owner.name, [name, 'pk'], false))
  if (hasLabelOrder(field) && owner.label) indexes.push(toIndex(owner.name, [name, owner.label.name, 'pk'], false))
  if (hasTextIndexes(field)) indexes.push(...textIndexes(field))
  return indexes
}

// Two underscores part the pieces, since field names have none: different indexes never share a name.
export const toIndex = (table: string, columns: readonly string[], unique: boolean): TableIndex => ({
  name: shortened((unique ? indexPrefixes.unique : indexPrefixes.columns) + [table, ...columns].join('__')),
  columns,
  unique,
  kind: 'columns',
})

const textIndexes = (field: ResourceField): TableIndex[] => {
  const { name, owner } = field
  return [
    { name: textIndexName(field, 'anyCase'), columns: [name, owner.pk.name], unique: false, kind: 'anyCase' },
    { name: textIndexName(field, 'trigrams'), columns: [name], unique: false, kind: 'trigrams' },
  ]
}

export const referenceName = (table: string, column: string): string => shortened(`plinth_f_${table}__${column}`)
