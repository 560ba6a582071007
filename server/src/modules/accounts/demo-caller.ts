// Until accounts are kept, demo mode knows its users by HTTP Basic: the password is the username.

import type { Request } from '../../core/http/exchange.ts'
import { type Caller, nobody } from '../../core/model/caller.ts'
import { Problem } from '../../core/problem.ts'
import { demoUsers } from './demo-users.ts'

/** Who sends no credentials is nobody; who sends wrong ones is told so. */
export const identifyDemoCaller = (demo: boolean) => {
  const known = new Map<string, Caller>()
  for (const { pk, username, roles } of demo ? demoUsers : []) {
    const credentials = Buffer.from(`${username}:${username}`).toString('base64')
    known.set(`Basic ${credentials}`, { pk, username, roles: new Set(roles) })
  }
  return ({ headers: { authorization } }: Request): Caller => {
    if (authorization === undefined) return nobody
    const caller = known.get(authorization)
    if (!caller) throw new Problem('unauthorized')
    return caller
  }
}
