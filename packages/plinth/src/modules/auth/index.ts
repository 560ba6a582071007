// Authentication: sessions, tokens, cookies, second factors, API keys, sign-in at other services. It imports `people`;
// `registration` imports it.

import { switchedBy } from '../../core/config/features.ts'
import { expires } from '../../core/jobs/sweep.ts'
import type { Where } from '../../core/model/row-where.ts'
import { defineModule } from '../../core/module.ts'
import { apiKeySecrets } from './api-keys/api-key-secrets.ts'
import { apiKeyHooks, apiKeys } from './api-keys/api-keys.ts'
import { authContextOf } from './context.ts'
import { passkeyEndpoints, secondFactorEndpoints, signInEndpoints, socialEndpoints } from './endpoints.ts'
import { explainRights } from './explain.ts'
import { keyCommands, keyRotation } from './key-commands.ts'
import { prepareKeys, signingKeys } from './keys.ts'
import { apiKeyCreated } from './mails.ts'
import { usedChallenges } from './passkeys/challenges.ts'
import { passkeys } from './passkeys/passkeys.ts'
import { authAudit, authFault, authProblem } from './problems.ts'
import { secondFactors } from './second-factor/second-factors.ts'
import { cookieNames } from './sessions/cookies.ts'
import { latestStart, sessions } from './sessions/session.ts'
import { apiKeySettings, basicSettings, settingsOfAuth } from './settings.ts'
import { externalIdentities } from './social/identities.ts'
import type { RegisterNewcomer } from './social/link-identity.ts'
import { knownNetworks } from './verification/known-networks.ts'

// What expires: sessions, API keys, known networks.

export const authSweeps = [
  keyRotation,
  expires(sessions, ({ now }) => endedBy(now)),
  expires(knownNetworks, ({ now }) => ({ until: { le: now } })),
  expires(usedChallenges, ({ now }) => ({ until: { le: now } })),
  // Some days after their expiry: until then their owners see that they have expired.
  expires(apiKeys, ({ config, daysAgo }) => {
    const { keepDays } = config.get(apiKeySettings)
    return keepDays === 0 ? null : { expirationDate: { le: daysAgo(keepDays) } }
  }),
]

/** Past their end, begun while the clock was ahead, or idle for too long and not remembered. */
const endedBy = (now: string): Where<typeof sessions> => ({
  or: [
    { until: { le: now } },
    { created: { gt: latestStart(new Date(now)) } },
    { idleUntil: { le: now }, or: [{ rememberHash: null }, { rememberUntil: { le: now } }] },
  ],
})

export { apiKeys, revokeKeys } from './api-keys/api-keys.ts'
export { createAuthentication } from './authenticate/authenticate.ts'
export { userAsCaller } from './authenticate/user-as-caller.ts'
export { type AuthContext, authContextOf } from './context.ts'
export { createKeys, sealingSecrets } from './keys.ts'
export { apiKeyCreated } from './mails.ts'
export { authFault } from './problems.ts'
export type { RevocationListener } from './revocation.ts'
export { createAccountListener, revokeCredentials, setPassword } from './revoke.ts'
export type { Seals } from './seals.ts'
export { removeSecondFactor } from './second-factor/enrol.ts'
export { type Cookie, cookieNames } from './sessions/cookies.ts'
export { createRecentSignInCheck } from './sessions/recent-sign-in.ts'
export { endSessions, renewTokens, sessions } from './sessions/session.ts'
export { tokenCookies } from './sessions/tokens.ts'
export { signInOrChallenge, ssoCookie, userResponse } from './sign-in/sign-in.ts'
export type { RegisterNewcomer } from './social/link-identity.ts'
export { rememberNetwork } from './verification/known-networks.ts'
export {
  requiredPassword,
  requiredText,
  type Verification,
  type VerifyPassword,
} from './verification/verify-password.ts'

const securitySchemes = {
  cookie: { type: 'apiKey', in: 'cookie', name: cookieNames.access, description: 'Set by the sign-in operations.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API key.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key: see the resource `apiKeys`.' },
  basic: { type: 'http', scheme: 'basic', description: 'Username or verified e-mail address, and password.' },
}

/**
 * `registerNewcomer` creates the accounts of people whom a provider knows and this service does not. `otherScopes` are those of API keys
 * that are not for a resource.
 */
export const createAuth = (registerNewcomer: RegisterNewcomer, otherScopes: readonly string[]) =>
  defineModule({
    name: 'auth',
    title: { de: 'Anmeldung' },
    about: {
      en: 'Authentication: sessions, API keys, sign-in.',
      de: 'Authentifizierung: Sitzungen, API-Schlüssel, Anmeldung.',
    },
    problems: authProblem.table,
    faults: authFault.table,
    settings: settingsOfAuth,
    features: [switchedBy('basicSignIn', basicSettings, 'enabled')],
    auditTypes: authAudit.types,
    reservedNames: ['explain', ...otherScopes],
    mails: [apiKeyCreated],
    resources: [
      secondFactors,
      apiKeys,
      apiKeySecrets,
      externalIdentities,
      sessions,
      knownNetworks,
      signingKeys,
      passkeys,
      usedChallenges,
    ],
    extensions: [apiKeyHooks(otherScopes)],
    endpoints: service => {
      const auth = authContextOf(service)
      return [
        ...signInEndpoints(service, auth),
        ...secondFactorEndpoints(service, auth),
        ...passkeyEndpoints(auth),
        ...socialEndpoints(service, auth, registerNewcomer),
        explainRights,
      ]
    },
    commands: keyCommands,
    check: prepareKeys,
    sweeps: authSweeps,
    securitySchemes,
  })
