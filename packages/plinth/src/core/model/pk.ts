// Which texts can be the pk of a record.

import type { JsonSchema } from './json.ts'
import type { Resource } from './resource.ts'

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The schema of a UUID, with the pattern, since many validators ignore formats, and since capitals are refused. */
export const uuidSchema: JsonSchema = { type: 'string', format: 'uuid', pattern: uuid.source }

const sha256 = /^[0-9a-f]{64}$/

/** Could a record of this resource have this pk? Says nothing about whether one does. */
export const isPossiblePk = ({ definition: { identifier }, fields }: Resource, pk: string): boolean => {
  switch (identifier.kind) {
    case 'generated':
      return uuid.test(pk)
    case 'assigned':
      return pk.length <= identifier.max && identifier.pattern.test(pk)
    case 'hashed':
      return sha256.test(pk)
    case 'shared':
      return isPkOfTarget(fields.get(identifier.by)?.target, pk)
    case 'composite':
      return isComposed(
        identifier.by.map(name => fields.get(name)?.target),
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
