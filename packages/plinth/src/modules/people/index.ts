// Users: their names, roles, contact and personal details, and the state of their credentials. Only this module writes these
// tables. Modules above it sign users in and register them.

import { defineModule } from '../../core/module.ts'
import type { AccountListener } from './account-listener.ts'
import { contactDetails, personalDetails } from './contact-details.ts'
import { contactHooks } from './contact-hooks.ts'
import { credentialHooks } from './credential-hooks.ts'
import { demoUsersSeed, warnOfDemoPasswords } from './demo-users.ts'
import { emailHashMigrations, hashKeys } from './email-hash.ts'
import { eraseCommands } from './erase-user.ts'
import { mailboxes } from './mailboxes.ts'
import { addressChange, confirmation, welcome } from './mails.ts'
import { passwordSettings } from './password-strength.ts'
import { peopleAudit, peopleFault, peopleProblem } from './problems.ts'
import { rolesSeed, warnOfMissingRoles } from './roles.ts'
import { secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { userEndpoints } from './user-endpoints.ts'
import { roleHooks, userHooks } from './user-hooks.ts'
import { roles, users } from './users.ts'

export type { AccountListener, ChangedAccount } from './account-listener.ts'
export { type AddressValues, contactDetails, personalDetails } from './contact-details.ts'
export { createUser } from './create-user.ts'
export {
  activateUser,
  isUnconfirmed,
  recordFailure,
  recordSuccess,
  rehashPassword,
  rejectRegistration,
  removeUser,
  renameUser,
  requireSecondFactor,
  storePassword,
  type VerifiedAccount,
} from './credentials.ts'
export { findDemoPasswords, isDemoPassword } from './demo-users.ts'
export {
  confirmAddress,
  isOpened,
  sendConfirmation,
  sendWelcome,
} from './email-confirmation.ts'
export { emailHashOf } from './email-hash.ts'
export { belongingsOf, eraseAccount } from './erase-account.ts'
export { canonicalLogin, findSecrets, findUnconfirmed, findUserByName, passwordContextOf } from './find-user.ts'
export { mustNotBeLastAdministrator } from './last-administrator.ts'
export { isLocale, localePattern, maxLocale } from './locale.ts'
export { type MailRecipient, mailboxOf, mailRecipientOf } from './mailboxes.ts'
export { addressChange, confirmation } from './mails.ts'
export { judgePassword } from './password-strength.ts'
export type { PreparedPassword } from './passwords.ts'
export {
  checkPassword,
  hashPassword,
  isOutdated,
  type PasswordContext,
  passwordLength,
  setHashMemory,
  verifyPassword,
} from './passwords.ts'
export {
  changeUser,
  createRole,
  deleteRole,
  deleteUser,
  lockAccount,
  provisionUser,
  renameRole,
  setRole,
  type UserChanges,
} from './provisioning.ts'
export { loginNameOf, type Secrets, secrets, usernameOf } from './secrets.ts'
export { userCredentials } from './user-credentials.ts'
export { toUserRecord, userRecord, userRecordOf } from './user-endpoints.ts'
export { usernamePattern } from './usernames.ts'
export { type PersonNames, roleNamesOf, roles, type User, users } from './users.ts'

/** `listener` is what the module that signs users in does when an account changes. */
export const createPeople = (listener: AccountListener) =>
  defineModule({
    name: 'people',
    title: { de: 'Personen' },
    about: {
      en: 'Users, their roles, contact details and credentials.',
      de: 'Personen, ihre Rollen, Kontakt- und Zugangsdaten.',
    },
    problems: peopleProblem.table,
    faults: peopleFault.table,
    settings: [passwordSettings],
    auditTypes: peopleAudit.types,
    commands: eraseCommands,
    mails: [confirmation, addressChange, welcome],
    resources: [roles, users, userCredentials, secrets, contactDetails, personalDetails, mailboxes, hashKeys],
    // Files of their own: they import what imports the definitions.
    extensions: [roleHooks(listener), userHooks(listener), credentialHooks(listener), contactHooks(listener)],
    endpoints: userEndpoints,
    migrations: emailHashMigrations,
    seeds: [rolesSeed, demoUsersSeed],
    check: warnOfMissingRoles,
    greet: warnOfDemoPasswords,
  })
