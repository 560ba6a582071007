// The audit events of the module.

import { defineAudit } from '../audit/index.ts'

export const peopleAudit = defineAudit([
  'USER_CREATED',
  'USER_DELETED',
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
