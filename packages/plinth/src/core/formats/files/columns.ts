// Columns of files: fields of a resource, and fields of the records that it refers to, such as `author.name`.

import type { Json } from '../../model/json.ts'
import type { Link, StoredRecord } from '../../model/record.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { sumType } from '../../model/total-fields.ts'
import { valueToJson } from '../../model/value-field.ts'
import type { View } from '../../model/view.ts'
import { nearestName } from '../../nearest-name.ts'
import { Problem } from '../../problem.ts'
import type { WrittenColumn } from './file-format.ts'

export interface FileColumn {
  /** The header as it is in the file. */
  readonly header: string
  readonly field: ResourceField
  /** The field of the record that `field` refers to, by which that record is found. */
  readonly by: ResourceField | null
}

/** The fields that can be named. */
interface NamedFields extends Pick<View, 'resource' | 'fields'> {
  /** The fields of a record that one of them refers to; by default all. */
  readonly fieldsOf?: (target: Resource) => View['fields']
}

/** `title`, or `author.name`; problem `bad_request` for anything else. */
export const readColumn = (view: NamedFields, header: string, path = header): FileColumn => {
  const [name = '', byName, ...rest] = path.split('.')
  const field = view.fields.get(name)
  if (!field || rest.length > 0) throw unknownColumn(view, path)
  if (byName === undefined) return { header, field, by: null }
  const { target } = field
  const fields = field.definition.role === 'one' && target ? (view.fieldsOf?.(target) ?? target.fields) : null
  const by = fields?.get(byName)
  if (by?.definition.role !== 'value') throw unknownColumn(view, path)
  return { header, field, by }
}

const unknownColumn = ({ resource, fields }: Pick<View, 'resource' | 'fields'>, path: string): Problem => {
  const nearest = nearestName([...fields.keys()], path.split('.')[0] ?? '')
  const hint = nearest ? ` Did you mean ${nearest}?` : ''
  return new Problem('bad_request', `${resource.name} has no field '${path}'.${hint}`)
}

/** Has it a value in each record that is read? */
const isInRecords = ({ definition }: ResourceField): boolean => {
  if (definition.role === 'links') return definition.embed
  return definition.role !== 'inverse' || definition.single === true
}

export const usualColumns = (view: View): readonly FileColumn[] =>
  [...view.fields.values()].filter(isInRecords).map(field => ({ header: field.name, field, by: null }))

/** Reads a column as `readColumn` does, for an export. Related records have the label and the pk alone. */
export const readExportColumn = (view: View, path: string): FileColumn => {
  const column = readColumn(view, path)
  const { by, field } = column
  if (by === null || by === field.target?.pk || by === field.target?.label) return column
  throw new Problem('bad_request', `'${path}' cannot be exported: only the label and the pk of related records can.`)
}

export const cellOf = (record: StoredRecord, { field, by }: FileColumn): Json => {
  const value = record[field.name] ?? null
  if (value === null) return null
  if (by) {
    const { pk, label } = value as Link
    return by === field.target?.pk ? pk : label
  }
  const { definition } = field
  if (definition.role === 'value') {
    const { type } = definition
    return type.cell ? type.cell(value) : (valueToJson(type, value) as Json)
  }
  if (definition.role === 'count') {
    const type = sumType(field)
    return type ? valueToJson(type, value) : (value as number)
  }
  return Array.isArray(value) ? (value as Link[]).map(({ pk }) => pk) : (value as Link).pk
}

export const toWritten = ({ header, field, by }: FileColumn): WrittenColumn => {
  const { definition } = by ?? field
  const column = definition.role === 'value' ? definition.type.column : null
  return { header, type: column === 'date' || column === 'timestamp' ? column : 'other' }
}
