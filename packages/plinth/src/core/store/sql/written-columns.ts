// What writing needs to know of a resource: its columns, and where their values come from.

import { DefinitionError, didYouMean } from '../../model/definition-error.ts'
import { isColumn } from '../../model/indexes.ts'
import type { Values } from '../../model/record.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import type { ColumnType } from '../../model/value-field.ts'
import { columnTypeOf, foldedColumnOf, isFolded } from './columns.ts'
import type { RecordWrite } from './record-write.ts'
import { fold } from './text-patterns.ts'

/** A misspelt field in the code of a module must not be dropped silently. */
export const mustHaveFields = ({ name: resource, fields }: Resource, values: Values): void => {
  const unknown = Object.keys(values).filter(name => !fields.has(name))
  if (unknown.length === 0) return
  throw new DefinitionError(
    unknown.map(field => ({ resource, field, message: `there is no such field${didYouMean(fields.keys(), field)}` })),
  )
}

/** A column to write: a field's own, or the companion that holds its text with case folded. */
export interface ColumnWrite {
  readonly name: string
  readonly field: ResourceField
  readonly type: ColumnType
  readonly read: (values: Values) => unknown
}

/** What writing needs to know of a resource, found out once. */
interface WrittenColumns {
  readonly columns: readonly ColumnWrite[]
  readonly refersToItself: boolean
}

export const writtenOf = (resource: Resource): WrittenColumns => {
  let written = knownResources.get(resource)
  if (!written) {
    const fields = [...resource.fields.values()]
    written = {
      columns: fields.filter(isWritten).flatMap(writtenColumns),
      refersToItself: fields.some(({ definition, target }) => definition.role === 'one' && target === resource),
    }
    knownResources.set(resource, written)
  }
  return written
}

/** The columns that a write gives values to. */
export const columnsIn = ({ resource, values }: RecordWrite): readonly ColumnWrite[] =>
  writtenOf(resource).columns.filter(({ field }) => values[field.name] !== undefined)

const knownResources = new WeakMap<Resource, WrittenColumns>()

const isWritten = (field: ResourceField): boolean =>
  isColumn(field) && field !== field.owner.pk && field.name !== 'version'

const writtenColumns = (field: ResourceField): ColumnWrite[] => {
  const { name } = field
  const own: ColumnWrite = { name, field, type: columnTypeOf(field), read: values => values[name] }
  if (!isFolded(field)) return [own]
  const folded = (values: Values) => (typeof values[name] === 'string' ? fold(values[name]) : null)
  return [own, { name: foldedColumnOf(field), field, type: 'text', read: folded }]
}
