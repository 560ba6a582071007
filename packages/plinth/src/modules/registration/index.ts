// Registration: becoming a user, confirming addresses, forgotten passwords, invitations, and the first administrator.

import { switchedBy } from '../../core/config/features.ts'
import { defineModule } from '../../core/module.ts'
import { startPolling } from '../../core/rest/jobs.ts'
import { authContextOf, type RevocationListener } from '../auth/index.ts'
import { adminCommands } from './administrators.ts'
import { registrationCodeBatches, userRegistrationCodes } from './codes.ts'
import { registrationAudit, registrationFault } from './declarations.ts'
import { registrationEndpoints } from './endpoints.ts'
import { firstAdministratorTokens, greetFirstAdministrator, sweepFirstTokens } from './first-administrator.ts'
import { registrationSettings } from './limits.ts'
import { alreadyRegistered, invitation, passwordReset } from './mails.ts'
import { handleResets, resetRequests } from './reset-requests.ts'
import { sweepUnconfirmed } from './unconfirmed.ts'

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
