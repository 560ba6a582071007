// What the module declares by codes: problems of accounts, faults of names, passwords, roles and contact details, and audit events.

import { defineFaults } from '../../core/fault.ts'
import { defineProblems } from '../../core/problem.ts'
import { defineAudit } from '../audit/index.ts'

export const peopleProblem = defineProblems({
  last_administrator: {
    status: 409,
    title: 'Last administrator',
    meaning: 'The change would leave no active administrator; appoint another one first.',
  },
})

export const peopleFault = defineFaults({
  username: 'must not contain spaces, colons, @ or invisible characters',
  hidden_marks: 'must not contain invisible characters',
  one_script: 'must use letters of one script only',
  authority: 'must start with ROLE_, followed by capital letters',
  common_password: 'is too common',
  password_like_name: 'is too similar to the name or the address',
  locale: 'must be a language code, such as en or de-AT',
  confirmed: 'is confirmed and cannot be removed; confirm another address to replace it',
})

export const peopleAudit = defineAudit([
  'USER_CREATED',
  'USER_DELETED',
  'USER_RESTORED',
  'USER_ERASED',
  'USERNAME_CHANGED',
  'EMAIL_ENTERED',
  'EMAIL_REMOVED',
  'ROLES_CHANGED',
  'ROLE_CREATED',
  'ROLE_RENAMED',
  'ROLE_DELETED',
  'USER_ACTIVATED',
  'USER_DEACTIVATED',
  'PASSWORD_CHANGED',
])

export type PeopleAuditType = (typeof peopleAudit.types)[number]
