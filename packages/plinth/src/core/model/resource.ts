// A resource as the running service knows it: the definition with its relations resolved and its fields in order.

import type { CodeContext } from './code-context.ts'
import type { ResourceModel } from './definition.ts'
import type { Field } from './field.ts'
import type { HookSet } from './hook-set.ts'
import { linkIn, linksIn, type StoredRecord } from './record.ts'

export interface ResourceField {
  readonly name: string
  readonly definition: Field
  /** The resource that this field belongs to. */
  readonly owner: Resource
  /** The resource at the other end of a relation. */
  readonly target: Resource | null
  /** The field of the target that an inverse relation follows back: a to-one or a link. */
  readonly inverseOf: ResourceField | null
  /** The way back from the target of a relation to this record. Not always a field that callers can name. */
  readonly back: ResourceField | null
}

export interface Resource {
  readonly name: string
  readonly definition: ResourceModel
  readonly hooks: HookSet
  /** Settings and a logger, for code about its records. */
  readonly code: CodeContext
  /** Every field including `pk`, `version` and the stamps, in the order shown. */
  readonly fields: ReadonlyMap<string, ResourceField>
  /** The text field that names a record for people, if any. */
  readonly label: ResourceField | null
  readonly pk: ResourceField
  /** The resource whose table holds the records: itself, unless it is a part of another one. */
  readonly holder: Resource
  /** Are its records searched by words? */
  readonly isSearched: boolean
  /** The resources that are searched by words of its records as well. */
  readonly searchedThrough: readonly SearchedThrough[]
  /** Do writes of its records change an index of words, its own or that of others? */
  readonly writesIndexes: boolean
  /** Does it keep each record as it was before every change? */
  readonly keepsHistory: boolean
  /** Are its changes published? Those of internal tables are only where they ask for it. */
  readonly hasEvents: boolean
  /** The same resource with `deletedDate` and `deletedBy`, for reading the trash. Null without a trash. */
  readonly inTrash: Resource | null
}

/** A resource whose index has words of the records of another one. */
export interface SearchedThrough {
  /** The resource that is searched. */
  readonly resource: Resource
  /** The fields of related records that a change of it follows from: texts, and relations that lead back. */
  readonly fields: ReadonlySet<string>
  /** Those of them that are relations: a new record has referrers only by these. */
  readonly relations: ReadonlySet<string>
}

/** A field as it was read → as it would be written: links become pks, in order. */
export const storedValue = ({ name, definition }: ResourceField, record: StoredRecord): unknown => {
  if (definition.role === 'one') return linkIn(record, name)?.pk ?? null
  return definition.role === 'links' && record[name] ? linksIn(record, name).map(link => link.pk) : record[name]
}

/** Its records lie in a table: a view has none. */
export const hasTable = ({ definition }: Resource): boolean => definition.view === undefined
