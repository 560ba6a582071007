// Slow work on what a caller sent, such as the hashing of a password: done before the transaction that others wait for.

import type { RecordInput } from '../formats/format.ts'
import { ValueFault } from '../model/field.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Context } from './platform.ts'

export const prepareInput = async (context: Context, resource: Resource, input: RecordInput): Promise<RecordInput> => {
  const prepared = await prepareMembers(context, resource, input.members)
  return prepared.size === 0 ? input : { ...input, prepared }
}

/** What slow work makes of members, by their names; of those that need none, nothing. */
export const prepareMembers = async (
  context: Context,
  resource: Resource,
  sent: RecordInput['members'],
): Promise<ReadonlyMap<string, unknown>> => {
  const prepared = new Map<string, unknown>()
  for (const member of slowMembers(resource)) {
    if (sent[member.name] == null || !context.platform.access.mayWrite(member, context.caller)) continue
    const value = await prepare(member, sent[member.name])
    if (value !== undefined) prepared.set(member.name, value)
  }
  return prepared
}

const known = new WeakMap<Resource, readonly Member[]>()

const slowMembers = (resource: Resource): readonly Member[] => {
  let members = known.get(resource)
  if (!members) {
    members = [...resource.members.values()].filter(({ field }) => field.role === 'value' && field.prepare)
    known.set(resource, members)
  }
  return members
}

/** A value at fault is left as it is: reading the body names the fault. */
const prepare = async ({ field }: Member, sent: unknown): Promise<unknown> => {
  if (field.role !== 'value' || !field.prepare) return undefined
  try {
    return await field.prepare(field.type.read(sent))
  } catch (error) {
    if (error instanceof ValueFault) return undefined
    throw error
  }
}
