// What needs the person, and not just a browser that was left open or a cookie that was stolen, asks whether the user has been
// verified lately.

import type { Config } from '../../../core/config/settings.ts'
import { isInPerson } from '../../../core/model/caller.ts'
import type { RecentSignInCheck } from '../../../core/model/recent-sign-in.ts'
import { Problem } from '../../../core/problem.ts'
import { sessionSettings } from '../settings.ts'
import { isWithin, sessions } from './session.ts'

/**
 * A password that comes with the request counts, as in a Basic header. A remembered device does not, and an API key never does: programs
 * cannot confirm who is there.
 */
export const createRecentSignInCheck = (config: Config): RecentSignInCheck => {
  const maxAge = config.get(sessionSettings).recentMinutes * 60
  return async (records, caller, now) => {
    if (!isInPerson(caller))
      throw new Problem('forbidden', {
        en: 'This needs a person who has signed in; an API key is not enough.',
        de: 'Dafür muss sich eine Person anmelden; ein API-Schlüssel genügt nicht.',
      })
    if (caller.session === undefined) return
    const session = await records.first(sessions, { where: { pk: caller.session } })
    if (!isWithin(maxAge * 1000, session?.verified ?? null, now))
      throw new Problem('recent_sign_in_required', { extra: { maxAge } })
  }
}
