import { switchedBy } from '../../core/config/features.ts'
import { type ResourceDefinition, variantOf } from '../../core/model/define.ts'
import { defineModule } from '../../core/module.ts'
import { apiKeySecrets } from './api-keys/api-key-secrets.ts'
import { createApiKeys } from './api-keys/api-keys.ts'
import { accountCommands } from './commands.ts'
import { credentialsHooks } from './credentials.ts'
import { createDesk } from './desk/desk.ts'
import { knownNetworks } from './desk/known-networks.ts'
import { explainRoutes } from './explain.ts'
import { accountFault } from './faults.ts'
import { firstAdministratorRoutes, greetFirstAdministrator } from './first-administrator/routes.ts'
import { firstAdministratorTokens } from './first-administrator/tokens.ts'
import { startHousekeeping } from './housekeeping.ts'
import { prepareKeys, signingKeys } from './keys.ts'
import { registrationResources, registrationRoutes, startAnsweringResets, startPurging } from './registration/index.ts'
import { roles } from './roles.ts'
import { secondFactorSchemas } from './second-factor/describe.ts'
import { secondFactorRoutes } from './second-factor/routes.ts'
import { secondFactors } from './second-factor/second-factors.ts'
import { secrets } from './secrets.ts'
import { demoUsersSeed, rolesSeed } from './seed.ts'
import { sessions } from './sessions/sessions.ts'
import { accountSettings, apiKeySettings, basicSettings, registrationSettings } from './settings.ts'
import { signInSchemas } from './sign-in/descriptions.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { externalIdentities } from './social/external-identities.ts'
import { socialRoutes } from './social/routes.ts'
import { userCredentials } from './user-credentials.ts'
import { userHooks } from './user-hooks.ts'
import { users } from './users.ts'

export { isForeign } from './desk/own-site.ts'
export { createFrontDoor } from './guards/front-door.ts'
export { createKeys } from './keys.ts'
export { hasSignedInRecently, recentMinutes } from './recent-sign-in.ts'
export { cookieNames } from './sessions/cookies.ts'
export { users } from './users.ts'

const resourcesWith = (apiKeys: { readonly maxDays: number }): readonly ResourceDefinition[] => [
  roles,
  variantOf(users, { ...users, hooks: userHooks }),
  variantOf(userCredentials, { ...userCredentials, hooks: credentialsHooks }),
  ...registrationResources,
  secrets,
  secondFactors,
  createApiKeys(apiKeys),
  apiKeySecrets,
  externalIdentities,
  sessions,
  knownNetworks,
  signingKeys,
  firstAdministratorTokens,
]

export const accounts = defineModule({
  name: 'accounts',
  title: { de: 'Konten' },
  about: {
    en: 'Users, their roles and their ways to sign in.',
    de: 'Personen, ihre Rollen und ihre Anmeldung.',
  },
  reservedNames: ['explain', 'invitations'],
  faults: accountFault.table,
  settings: accountSettings,
  features: [
    switchedBy('basicSignIn', basicSettings, 'enabled'),
    switchedBy('registrationCodes', registrationSettings, 'forceCodes'),
  ],
  resources: resourcesWith({ maxDays: 365 }),
  configure: config => ({ resources: resourcesWith(config.get(apiKeySettings)) }),
  routes: service => {
    const desk = createDesk(service)
    return [
      ...signInRoutes(service, desk),
      ...secondFactorRoutes(service, desk),
      ...socialRoutes(service, desk),
      ...registrationRoutes(service, desk),
      ...firstAdministratorRoutes(service),
      ...explainRoutes(service),
    ]
  },
  schemas: { ...signInSchemas, ...secondFactorSchemas },
  seeds: [rolesSeed, demoUsersSeed],
  commands: accountCommands,
  greet: greetFirstAdministrator,
  check: prepareKeys,
  start: async service => {
    const stops = [startHousekeeping(service), startPurging(service), startAnsweringResets(service)]
    return async () => {
      for (const stop of stops) await stop()
    }
  },
})
