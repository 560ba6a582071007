// What needs the person, and not just a browser that was left open.

import { Problem } from '../../core/problem.ts'
import type { Call } from '../../core/rest/endpoint.ts'
import { hasSignedInRecently, recentMinutes } from '../auth/index.ts'

export const mustBeRecent = async ({
  caller,
  now,
  records,
}: Pick<Call, 'caller' | 'now' | 'records'>): Promise<string> => {
  if (caller.pk === null) throw new Problem('unauthorized')
  if (await hasSignedInRecently(records.asService, caller, now)) return caller.pk
  throw new Problem('forbidden', {
    en: `The last sign-in was more than ${recentMinutes} minutes ago. Sign in again or verify the password.`,
    de: `Die letzte Anmeldung liegt mehr als ${recentMinutes} Minuten zurück. Melden Sie sich noch einmal an, oder bestätigen Sie das Passwort.`,
  })
}
