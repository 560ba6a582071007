// A resource as the running service knows it: the definition with its relations resolved and its members in order.

import type { ResourceDefinition } from './define.ts'
import type { Field } from './field.ts'
import type { JsonSchema } from './json.ts'

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
  /** For reading the trash: the same resource with `deletedDate` and `deletedBy`. Null without a trash. */
  readonly inTrash: Resource | null
}

// Which texts can be the pk of a record.

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** With the pattern, since many validators ignore formats, and since capitals are refused. */
export const uuidSchema: JsonSchema = { type: 'string', format: 'uuid', pattern: uuid.source }

const sha256 = /^[0-9a-f]{64}$/

/** Could a record of this resource have this pk? Says nothing about whether one does. */
export const isPossiblePk = ({ definition: { identifier }, members }: Resource, pk: string): boolean => {
  switch (identifier.kind) {
    case 'generated':
      return uuid.test(pk)
    case 'assigned':
      return pk.length <= identifier.max && identifier.pattern.test(pk)
    case 'hashed':
      return sha256.test(pk)
    case 'shared':
      return isPkOfTarget(members.get(identifier.by)?.target, pk)
    case 'composite':
      return isComposed(
        identifier.by.map(name => members.get(name)?.target),
        pk.split('_'),
      )
  }
}

const isPkOfTarget = (target: Resource | null | undefined, pk: string): boolean =>
  target != null && isPossiblePk(target, pk)

/** The pks of the targets may contain underscores themselves: the first one takes as many parts as it needs. */
const isComposed = (
  [target, ...others]: readonly (Resource | null | undefined)[],
  parts: readonly string[],
): boolean => {
  if (others.length === 0) return isPkOfTarget(target, parts.join('_'))
  return parts.some(
    (_, at) => at > 0 && isPkOfTarget(target, parts.slice(0, at).join('_')) && isComposed(others, parts.slice(at)),
  )
}
