// Somebody has forgotten a password. Whether there is such an account, the request does not even look: it is written down
// in the same way for everybody, and what follows from it is done later. So neither the answer nor its time tells.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from '../../../core/http/exchange.ts'
import { defineResource } from '../../../core/model/define.ts'
import { text } from '../../../core/model/fields.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { recordAudit } from '../../audit/index.ts'
import { limitAddress } from './limits.ts'

export const resetRequests = defineResource('resetRequests', {
  about: 'Who wants a new password, until the mail is written.',
  internal: true,
  stamps: 'none',
  fields: { name: text({ required: true, max: 320, about: 'A username or an address, as somebody typed it.' }) },
  access: {},
})

/** In milliseconds: long enough that the mails for others, written meanwhile, do not show in the time of the answer. */
const answeredAfter = 100

export const requestReset = async (context: Context, request: Request, name: string): Promise<void> => {
  await Promise.all([writeDown(context, request, name), sleep(answeredAfter)])
}

const writeDown = async (context: Context, request: Request, name: string): Promise<void> => {
  const { platform } = context
  await limitAddress(context, request.remoteAddress)
  await platform.store.transaction(async tx => {
    const data = { address: request.remoteAddress }
    await recordAudit(tx, { type: 'PASSWORD_RESET_REQUESTED', principal: name, data, now: platform.clock() })
    await recordsIn(tx).create(resetRequests, { name })
  })
}
