// What happened, kept for administrators to read.

import { type Change, defineResource } from '../../core/model/define.ts'
import { map, text, timestamp } from '../../core/model/fields.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { recordsIn } from '../../core/records/records.ts'

export const auditEvents = defineResource('auditEvents', {
  about: 'Sign-ins, refusals and changes of rights, as they happened.',
  internal: true,
  stamps: 'none',
  fields: {
    timestamp: timestamp({ required: true, indexed: true }),
    principal: text({ indexed: true, about: 'The username, or the name that somebody tried.' }),
    type: text({ required: true, max: 100, indexed: true }),
    data: map(),
  },
  access: {},
})

export type AuditType =
  | 'AUTHENTICATION_SUCCESS'
  | 'AUTHENTICATION_FAILURE'
  | 'AUTHENTICATION_THROTTLED'
  | 'AUTHORIZATION_FAILURE'
  | 'SIGNED_OUT'
  | 'SESSION_ENDED'
  | 'TOKEN_REUSED'
  | 'USER_CREATED'
  | 'USER_DELETED'
  | 'USERNAME_CHANGED'
  | 'EMAIL_ENTERED'
  | 'EMAIL_CHANGED'
  | 'EMAIL_REMOVED'
  | 'ROLES_CHANGED'
  | 'ROLE_CREATED'
  | 'ROLE_RENAMED'
  | 'ROLE_DELETED'
  | 'USER_ACTIVATED'
  | 'USER_DEACTIVATED'
  | 'PASSWORD_CHANGED'
  | 'PASSWORD_RESET_REQUESTED'
  | 'SECOND_FACTOR_ENABLED'
  | 'SECOND_FACTOR_DISABLED'
  | 'SECOND_FACTOR_REMOVED'
  | 'SECOND_FACTOR_FAILURE'
  | 'RECOVERY_CODE_USED'
  | 'RECOVERY_CODES_RENEWED'
  | 'API_KEY_CREATED'
  | 'API_KEY_CHANGED'
  | 'API_KEY_REVOKED'
  | 'API_KEYS_ENDED'
  | 'IDENTITY_LINKED'
  | 'IDENTITY_REMOVED'
  | 'REGISTERED'
  | 'REGISTRATION_CONFIRMED'
  | 'INVITED'
  | 'MAIL_READ'
  | 'MEMBERSHIP_REQUESTED'
  | 'MEMBERSHIP_AMENDED'
  | 'MEMBERSHIP_ACTIVATED'
  | 'MEMBERSHIP_SUSPENDED'
  | 'MEMBERSHIP_DECLINED'
  | 'MEMBERSHIP_REVOKED'
  | 'RENTAL_CORRECTED'
  | 'MANAGEMENT_READ'
  | 'LOG_LEVEL_CHANGED'
  | 'HEAP_DUMPED'

export interface AuditEvent {
  readonly type: AuditType
  /** A username, or the name that was tried; null for nobody. */
  readonly principal: string | null
  /** Never a password, a token or any other secret. */
  readonly data?: Readonly<Record<string, string>>
  readonly now: Date
}

export const recordAudit = async (tx: Transaction, { type, principal, data = {}, now }: AuditEvent): Promise<void> => {
  await recordsIn(tx).create(auditEvents, {
    timestamp: now.toISOString(),
    principal: principal === null ? null : toKept(principal, 255),
    type,
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, toKept(value, 1000)])),
  })
}

/** As `recordAudit`, by whoever writes a record, from where they write. */
export const recordChange = (
  tx: Transaction,
  { caller, sender, now }: Pick<Change, 'caller' | 'sender' | 'now'>,
  { type, data }: Pick<AuditEvent, 'type' | 'data'>,
): Promise<void> => {
  const address = sender && { address: sender.remoteAddress }
  return recordAudit(tx, { type, principal: caller.username, data: { ...data, ...address }, now })
}

/** Names that were tried come from strangers: cut, and without characters that would break a line or a database. */
const toKept = (text: string, max: number): string =>
  text
    .slice(0, max)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
