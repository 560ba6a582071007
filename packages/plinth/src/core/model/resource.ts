// A resource as the running service knows it: the definition with its relations resolved and its members in order.

import type { CodeContext } from './code-context.ts'
import type { ResourceModel } from './definition.ts'
import type { Field } from './field.ts'
import type { HookSet } from './hook-set.ts'
import { linkIn, linksIn, type StoredRecord } from './record.ts'

export interface Member {
  readonly name: string
  readonly field: Field
  /** The resource that this member belongs to. */
  readonly owner: Resource
  /** For relations: the resource at the other end. */
  readonly target: Resource | null
  /** For inverse relations: the member of the target that points here (a to-one or a link). */
  readonly inverseOf: Member | null
  /** For relations: the way back, from the target to this record. Not always a member that callers can name. */
  readonly back: Member | null
}

export interface Resource {
  readonly name: string
  readonly definition: ResourceModel
  readonly hooks: HookSet
  /** Settings and a logger, for code about its records. */
  readonly code: CodeContext
  /** Every member including `pk`, `version` and the stamps, in the order shown. */
  readonly members: ReadonlyMap<string, Member>
  /** The text member that names a record for people, if any. */
  readonly label: Member | null
  readonly pk: Member
  /** The resource whose table holds the records, when it is another one. */
  readonly holder: Resource | null
  /** For reading the trash: the same resource with `deletedDate` and `deletedBy`. Null without a trash. */
  readonly inTrash: Resource | null
}

/** A member as it was read → as it would be written: links become pks, in order. */
export const storedValue = ({ name, field }: Member, record: StoredRecord): unknown => {
  if (field.role === 'one') return linkIn(record, name)?.pk ?? null
  return field.role === 'links' && record[name] ? linksIn(record, name).map(link => link.pk) : record[name]
}

/** The resource whose table holds the records. */
export const holderOf = (resource: Resource): Resource => resource.holder ?? resource
