import { defineModule } from '../../core/module.ts'
import { auditEvents } from './audit.ts'
import { userCredentials } from './credentials.ts'
import { roles } from './roles.ts'
import { secrets } from './secrets.ts'
import { demoUsersSeed, rolesSeed } from './seed.ts'
import { sessions } from './sessions/sessions.ts'
import { users } from './users.ts'

export { type AuditEvent, recordAudit } from './audit.ts'
export { setPassword } from './credentials.ts'
export { identifyDemoCaller } from './demo-caller.ts'
export { emailHashOf, findUserByName } from './find-user.ts'
export { checkPassword, hashPassword, verifyPassword } from './passwords.ts'
export { endSessions } from './sessions/sessions.ts'

export const accounts = defineModule({
  name: 'accounts',
  about: 'Users, their roles and their ways to sign in.',
  resources: [roles, users, userCredentials, secrets, sessions, auditEvents],
  seeds: [rolesSeed, demoUsersSeed],
})
