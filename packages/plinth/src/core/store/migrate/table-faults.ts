// Faults of definitions that only show once the model becomes tables.

import type { DefinitionFault } from '../../model/definition-error.ts'
import { indexWidthOf, maxIndexEntry } from '../../model/indexes.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { nameLimit } from '../sql/columns.ts'
import type { Table, TableColumn } from './table.ts'

const widthOfNamed = (field: ResourceField | undefined): number => (field ? indexWidthOf(field) : 0)

export const widthFaults = ({ name, definition, fields }: Resource): DefinitionFault[] => {
  const alone = [...fields.values()].filter(({ definition: field }) => field.options.unique).map(field => [field.name])
  return [...alone, ...(definition.uniqueTogether ?? []), ...(definition.indexes ?? [])].flatMap(group => {
    // Names that are no fields are reported with the definition.
    const width = group.reduce((sum, name) => sum + widthOfNamed(fields.get(name)), 0)
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
