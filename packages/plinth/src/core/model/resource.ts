// A resource as the running service knows it: the definition with its relations resolved and its members in order.

import type { ResourceDefinition } from './define.ts'
import type { Field } from './field.ts'

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
  readonly definition: ResourceDefinition
  /** Every member including `pk`, `version` and the stamps, in the order shown. */
  readonly members: ReadonlyMap<string, Member>
  /** The text member that names a record for people, if any. */
  readonly label: Member | null
  readonly pk: Member
  /** The resource whose table holds the records, when it is another one. */
  readonly holder: Resource | null
}
