import type { Member, Resource } from '../../core/model/resource.ts'

/** A member that the code names itself, so its absence is a mistake in the code. */
export const memberOf = (resource: Resource, name: string): Member => {
  const member = resource.members.get(name)
  if (!member) throw new Error(`${resource.name} has no member '${name}'`)
  return member
}
