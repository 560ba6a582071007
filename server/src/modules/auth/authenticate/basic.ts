// HTTP Basic (RFC 7617) sends the password with each request. A password that was right is remembered for a while, by a
// keyed hash, so that not every request costs the time of a sign-in; who the user is by now is read each time all the same.

import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Request } from '../../../core/http/exchange.ts'
import type { Caller } from '../../../core/model/caller.ts'
import { Problem } from '../../../core/problem.ts'
import type { AuthContext } from '../context.ts'
import type { ReadPerson } from './person-reader.ts'

interface Remembered {
  readonly userPk: string
  /** When it is another one, the password has changed. */
  readonly passwordHash: string
}

const rememberedFor = 5 * 60_000

export const createBasic = ({ platform: { store }, prove, noteRefusal }: AuthContext, readPerson: ReadPerson) => {
  const key = randomBytes(32)
  const known = new LRUCache<string, Promise<Remembered>>({ max: 1000, ttl: rememberedFor })
  const signIn = async (name: string, password: string, request: Request): Promise<Remembered> => {
    const { secrets, settle } = await prove({ name, password, request, way: 'header' })
    if (secrets.mfa === true) {
      const reason = 'A header has no room for the second factor.'
      await noteRefusal({ type: 'AUTHENTICATION_FAILURE', principal: name, request, reason })
      throw new Problem('unauthorized')
    }
    const { pk, passwordHash } = await store.transaction(settle)
    return { userPk: pk, passwordHash: String(passwordHash) }
  }
  return async (credentials: string, request: Request): Promise<Caller> => {
    const { name, password } = readCredentials(credentials)
    const entry = createHmac('sha256', key).update(credentials).digest('base64')
    let remembered = known.get(entry)
    if (!remembered) {
      // Requests that come together wait for the one check.
      remembered = signIn(name, password, request)
      known.set(entry, remembered)
      remembered.catch(() => known.delete(entry))
    }
    const { userPk, passwordHash } = await remembered
    const person = await readPerson(userPk)
    if (!person?.active || person.passwordHash !== passwordHash) {
      known.delete(entry)
      throw new Problem('unauthorized')
    }
    if (person.mfa) throw new Problem('unauthorized')
    return person.caller
  }
}

const readCredentials = (text: string): { readonly name: string; readonly password: string } => {
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : ''
  const colon = decoded.indexOf(':')
  if (colon < 1) throw new Problem('unauthorized')
  return { name: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}
