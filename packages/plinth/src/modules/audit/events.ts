// The events of the audit log, and how modules record them.

import { defineResource } from '../../core/model/define.ts'
import { integer, map, text, timestamp } from '../../core/model/fields.ts'
import type { HookContext } from '../../core/model/hooks.ts'
import type { TransactionRecords } from '../../core/model/records.ts'

export const auditEvents = defineResource('auditEvents', {
  about: 'The audit log: sign-ins, denied requests and permission changes.',
  internal: true,
  stamps: 'none',
  fields: {
    timestamp: timestamp({ required: true, indexed: true }),
    principal: text({ indexed: true, about: 'The username, or the name of a failed sign-in.' }),
    type: text({ required: true, max: 100, indexed: true }),
    data: map(),
    batch: integer({
      indexed: true,
      about: 'The number of the checkpoint that lists the event; absent until there is one.',
    }),
  },
  access: {},
})

/** An event of the audit log: what happened, to whom, and when. */
export interface AuditEvent<Type extends string = string> {
  readonly type: Type
  /** A username, or the name that was tried; null for anonymous callers. */
  readonly principal: string | null
  /** The details of the event, which never hold a password, a token or any other secret. */
  readonly data?: Readonly<Record<string, string | number | readonly string[]>>
  readonly now: Date
}

/**
 * Declares the types of events that a module records; what it returns records them.
 *
 * @example export const gateAudit = defineAudit(['GATE_OPENED', 'GATE_BLOCKED'])
 */
export const defineAudit = <const Type extends string>(types: readonly Type[]) => {
  const record: (records: TransactionRecords, event: AuditEvent<Type>) => Promise<void> = storeEvent
  return {
    types,
    record,
    /** An event of the caller who writes a record, with the address of the request. */
    recordChange: (
      records: TransactionRecords,
      { caller, sender, now }: Pick<HookContext, 'caller' | 'sender' | 'now'>,
      { type, data }: Pick<AuditEvent<Type>, 'type' | 'data'>,
    ): Promise<void> => {
      const address = sender && { address: sender.remoteAddress }
      return record(records, { type, principal: caller.username, data: { ...data, ...address }, now })
    },
  }
}

const storeEvent = async (
  records: TransactionRecords,
  { type, principal, data = {}, now }: AuditEvent,
): Promise<void> => {
  await records.asService.create(auditEvents, {
    timestamp: now.toISOString(),
    principal: principal === null ? null : toKept(principal, 255),
    type,
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, toKept(value.toString(), 1000)])),
  })
}

/** Names that were tried come from strangers: cut, and without characters that would break a line or a database. */
const toKept = (text: string, max: number): string =>
  text
    .slice(0, max)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
