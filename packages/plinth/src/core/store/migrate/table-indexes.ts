// The indexes of a table.

import { hasLabelOrder, hasOwnIndex, hasTextIndexes, isColumn } from '../../model/indexes.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { foldedColumnOf, indexPrefixes, isFolded, shortened, textIndexName } from '../sql/columns.ts'
import type { TableIndex } from './table.ts'

export const indexesOf = (resource: Resource): TableIndex[] => {
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
export const toIndex = (table: string, columns: readonly string[], unique: boolean): TableIndex => ({
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
