// Until accounts are kept, demo mode knows one caller: an administrator, by HTTP Basic.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Request } from '../../core/http/exchange.ts'
import { type Caller, nobody } from '../../core/model/caller.ts'
import { Problem } from '../../core/problem.ts'

const administrator: Caller = {
  pk: '00000000-0000-7000-8000-000000000001',
  username: 'admin',
  roles: new Set(['ROLE_ADMIN', 'ROLE_USER']),
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Who sends no credentials is nobody; who sends wrong ones is told so. */
export const identifyDemoCaller = (demo: boolean) => {
  const expected = sha256('admin:admin')
  // A header that was right once is right again: programs send the same one with each request.
  let known: string | null = null
  return ({ headers: { authorization } }: Request): Caller => {
    if (authorization === undefined) return nobody
    if (authorization === known) return administrator
    const [, encoded] = /^basic ([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? []
    const sent = Buffer.from(encoded ?? '', 'base64').toString('utf8')
    if (!demo || !timingSafeEqual(sha256(sent), expected)) throw new Problem('unauthorized')
    known = authorization
    return administrator
  }
}
