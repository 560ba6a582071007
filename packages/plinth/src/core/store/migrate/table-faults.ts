// Faults of definitions that only show once the model becomes tables.

import type { DefinitionFault } from '../../model/definition-error.ts'
import { indexWidthOf, maxIndexEntry } from '../../model/indexes.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { nameLimit } from '../sql/columns.ts'
import type { Table, TableColumn } from './table.ts'

const widthOfNamed = (member: Member | undefined): number => (member ? indexWidthOf(member) : 0)

export const widthFaults = ({ name, definition, members }: Resource): DefinitionFault[] => {
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

export const nameFaults = (tables: readonly Table[]): DefinitionFault[] =>
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
