// Registration: becoming a user, confirming addresses, forgotten passwords, invitations, and the first administrator.

import { switchedBy } from '../../core/config/features.ts'
import { startPolling } from '../../core/jobs/poll.ts'
import { defineModule } from '../../core/module.ts'
import { underBothPrefixes } from '../../core/rest/alias.ts'
import type { Service } from '../../core/service.ts'
import { type AuthContext, authContextOf, type RevocationListener } from '../auth/index.ts'
import { adminCommands } from './administrators.ts'
import { exportCodes, registrationCodeBatches, userRegistrationCodes } from './codes.ts'
import { checkLink } from './confirm.ts'
import { registrationAudit, registrationFault } from './faults.ts'
import {
  createFirstAdministrator,
  firstAdministratorTokens,
  greetFirstAdministrator,
  sweepFirstTokens,
} from './first-administrator.ts'
import { invite } from './invitations.ts'
import { alreadyRegistered, invitation, passwordReset } from './mails.ts'
import { changePassword, changeUsername } from './password.ts'
import { register } from './register.ts'
import { handleResets, resetRequests } from './reset-requests.ts'
import { registrationSettings } from './settings.ts'
import { sweepUnconfirmed } from './unconfirmed.ts'

// The endpoints of accounts, each under two names, and what else registration has.

export const registrationEndpoints = (service: Service, auth: AuthContext, onRevocation: RevocationListener) => [
  ...underBothPrefixes(
    [
      register(service.config.get(registrationSettings)),
      changePassword(auth, onRevocation),
      checkLink,
      changeUsername(auth, service.config.get(registrationSettings)),
    ],
    '/api/auth/account',
    '/api/auth/accounts',
  ),
  exportCodes,
  invite,
  createFirstAdministrator(service),
]

export { alreadyRegistered, invitation, passwordReset } from './mails.ts'
export { registerNewcomer } from './register.ts'
export { resetRequests } from './reset-requests.ts'

/** `onRevocation` is what modules above this one do when a user has a new password. */
export const createRegistration = (onRevocation: RevocationListener) =>
  defineModule({
    name: 'registration',
    title: { de: 'Registrierung' },
    about: {
      en: 'Registration, confirmation, new passwords and invitations.',
      de: 'Registrierung, Bestätigung, neue Passwörter und Einladungen.',
    },
    reservedNames: ['invitations'],
    web: 'plinth/web/registration',
    faults: registrationFault.table,
    settings: [registrationSettings],
    features: [switchedBy('registrationCodes', registrationSettings, 'forceCodes')],
    auditTypes: registrationAudit.types,
    mails: [passwordReset, alreadyRegistered, invitation],
    resources: [registrationCodeBatches, userRegistrationCodes, resetRequests, firstAdministratorTokens],
    endpoints: service => registrationEndpoints(service, authContextOf(service), onRevocation),
    commands: adminCommands(onRevocation),
    greet: greetFirstAdministrator,
    sweeps: [sweepUnconfirmed, sweepFirstTokens],
    start: async service => startPolling(service, handleResets),
  })
