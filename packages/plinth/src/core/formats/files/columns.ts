// Columns of files: fields of a resource, and fields of the records that it refers to, such as `author.name`.

import type { Json } from '../../model/json.ts'
import type { Link, StoredRecord } from '../../model/record.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { valueToJson } from '../../model/value-field.ts'
import type { View } from '../../model/view.ts'
import { nearestName } from '../../nearest-name.ts'
import { Problem } from '../../problem.ts'
import type { WrittenColumn } from './file-format.ts'

export interface FileColumn {
  /** As in the file. */
  readonly header: string
  readonly member: Member
  /** The field of the record that `member` refers to, by which that record is found. */
  readonly by: Member | null
}

/** The fields that can be named. */
interface NamedFields extends Pick<View, 'resource' | 'members'> {
  /** Those of a record that one of them refers to; all unless given. */
  readonly fieldsOf?: (target: Resource) => View['members']
}

/** `title`, or `author.name`; problem `bad_request` for anything else. */
export const readColumn = (view: NamedFields, header: string, field = header): FileColumn => {
  const [name = '', byName, ...rest] = field.split('.')
  const member = view.members.get(name)
  if (!member || rest.length > 0) throw unknownColumn(view, field)
  if (byName === undefined) return { header, member, by: null }
  const { target } = member
  const fields = member.field.role === 'one' && target ? (view.fieldsOf?.(target) ?? target.members) : null
  const by = fields?.get(byName)
  if (by?.field.role !== 'value') throw unknownColumn(view, field)
  return { header, member, by }
}

const unknownColumn = ({ resource, members }: Pick<View, 'resource' | 'members'>, field: string): Problem => {
  const nearest = nearestName([...members.keys()], field.split('.')[0] ?? '')
  const hint = nearest ? ` Did you mean ${nearest}?` : ''
  return new Problem('bad_request', `${resource.name} has no field '${field}'.${hint}`)
}

/** Has it a value in each record that is read? */
const isInRecords = ({ field }: Member): boolean => {
  if (field.role === 'links') return field.embed
  return field.role !== 'inverse' || field.single === true
}

export const usualColumns = (view: View): readonly FileColumn[] =>
  [...view.members.values()].filter(isInRecords).map(member => ({ header: member.name, member, by: null }))

/** As `readColumn`, for an export. Of related records it has the label and the pk alone. */
export const readExportColumn = (view: View, field: string): FileColumn => {
  const column = readColumn(view, field)
  const { by, member } = column
  if (by === null || by === member.target?.pk || by === member.target?.label) return column
  throw new Problem('bad_request', `'${field}' cannot be exported: only the label and the pk of related records can.`)
}

export const cellOf = (record: StoredRecord, { member, by }: FileColumn): Json => {
  const value = record[member.name] ?? null
  if (value === null) return null
  if (by) {
    const { pk, label } = value as Link
    return by === member.target?.pk ? pk : label
  }
  const { field } = member
  if (field.role === 'value') return valueToJson(field.type, value) as Json
  if (field.role === 'count') return value as number
  return Array.isArray(value) ? (value as Link[]).map(({ pk }) => pk) : (value as Link).pk
}

export const toWritten = ({ header, member, by }: FileColumn): WrittenColumn => {
  const { field } = by ?? member
  const column = field.role === 'value' ? field.type.column : null
  return { header, type: column === 'date' || column === 'timestamp' ? column : 'other' }
}
