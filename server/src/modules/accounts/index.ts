import { defineModule } from '../../core/module.ts'
import { auditEvents } from './audit.ts'
import { userCredentials } from './credentials.ts'
import { explainRoutes } from './explain.ts'
import { firstAdministratorRoutes, greetFirstAdministrator } from './first-administrator/routes.ts'
import { firstAdministratorTokens } from './first-administrator/tokens.ts'
import { startHousekeeping } from './housekeeping.ts'
import { registrationResources, registrationRoutes, startPurging } from './registration/index.ts'
import { roles } from './roles.ts'
import { secrets } from './secrets.ts'
import { demoUsersSeed, rolesSeed } from './seed.ts'
import { sessions } from './sessions/sessions.ts'
import { signingKeys } from './sessions/signing-key.ts'
import { signInSchemas } from './sign-in/descriptions.ts'
import { createDesk } from './sign-in/desk.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { throttleCounters } from './sign-in/throttle.ts'
import { users } from './users.ts'

export { type AuditEvent, recordAudit } from './audit.ts'
export { createAdministrator, resetPassword } from './first-administrator/administrators.ts'
export { createFrontDoor } from './guards/front-door.ts'
export { cookieNames } from './sessions/cookies.ts'
export { hasSignedInWithin } from './sessions/recent.ts'
export { createSigningKey } from './sessions/signing-key.ts'

export const accounts = defineModule({
  name: 'accounts',
  about: 'Users, their roles and their ways to sign in.',
  resources: [
    roles,
    users,
    userCredentials,
    ...registrationResources,
    secrets,
    sessions,
    signingKeys,
    throttleCounters,
    firstAdministratorTokens,
    auditEvents,
  ],
  routes: service => {
    const desk = createDesk(service)
    return [
      ...signInRoutes(service, desk),
      ...registrationRoutes(service, desk),
      ...firstAdministratorRoutes(service),
      ...explainRoutes(service),
    ]
  },
  schemas: signInSchemas,
  seeds: [rolesSeed, demoUsersSeed],
  greet: greetFirstAdministrator,
  start: async service => {
    const stops = [startHousekeeping(service), startPurging(service)]
    return async () => {
      for (const stop of stops) await stop()
    }
  },
})
