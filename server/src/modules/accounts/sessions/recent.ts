// For what needs the person, and not just a browser that was left open.

import type { Caller } from '../../../core/model/caller.ts'
import { isInPerson } from '../../../core/model/reach.ts'
import type { Platform } from '../../../core/rest/platform.ts'

/** Has the caller shown a password within so many minutes? One that comes with the request itself was; a key is none. */
export const hasSignedInWithin = async (platform: Platform, caller: Caller, minutes: number): Promise<boolean> => {
  if (caller.session === undefined) return isInPerson(caller)
  const session = await platform.store.get(platform.registry.resource('sessions'), caller.session)
  const since = Date.parse(String(session?.created))
  return platform.clock().getTime() - since <= minutes * 60_000
}
