// The owner of a webhook as a caller: what they may read now is what they receive.

import type { Caller } from '../../core/model/caller.ts'
import type { Context, Platform } from '../../core/rest/platform.ts'
import { contextFor } from '../../core/rest/platform.ts'
import { roleNamesOf, users } from '../people/index.ts'
import type { Webhook } from './webhooks.ts'

/** Null when the account is not active. */
export const ownerContext = async (platform: Platform, { user }: Pick<Webhook, 'user'>): Promise<Context | null> => {
  const owner = user && (await platform.records.first(users, { pk: user.pk }))
  if (!owner?.active) return null
  const caller: Caller = { pk: owner.pk, username: owner.username, roles: new Set(roleNamesOf(owner)) }
  return contextFor(platform, caller)
}
