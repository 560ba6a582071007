// Switches webhooks off, with the reason and an audit event. Their owner can switch them on again.

import type { TransactionRecords } from '../../core/model/records.ts'
import type { RevocationListener } from '../auth/index.ts'
import { type Webhook, webhookAudit, webhooks } from './webhooks.ts'

interface Disabling {
  readonly reason: string
  /** The user who is named in the audit. */
  readonly principal: string | null
  readonly data?: Readonly<Record<string, string>>
  readonly now: Date
}

export const disable = async (
  records: TransactionRecords,
  { pk, name }: Pick<Webhook, 'pk' | 'name'>,
  { reason, principal, data, now }: Disabling,
): Promise<void> => {
  await records.updateMany(webhooks, { where: { pk } }, { active: false, disabledReason: reason })
  const event = { ...data, webhook: pk, name, reason }
  await webhookAudit.record(records, { type: 'WEBHOOK_DISABLED', principal, data: event, now })
}

/**
 * Disables webhooks after a new password: an account may have been taken back from an attacker, who may have created
 * webhooks.
 */
export const disableWebhooks: RevocationListener = async (records, { userPk, principal, data, now }) => {
  const active = await records.find(webhooks, { where: { user: userPk, active: true } })
  const reason = 'The password of the account was changed or deleted.'
  for (const webhook of active) await disable(records, webhook, { reason, principal, data, now })
}
