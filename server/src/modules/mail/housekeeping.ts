// What is over is removed: tokens that nobody used, and mails that nobody will ask about any more.

import { upTo } from '../../core/model/query.ts'
import { repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { mails } from './mails.ts'
import { oneTimeTokens } from './tokens.ts'

const pause = 3600_000
const mailsKeptFor = 30 * 24 * 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'removing old mails', pause, round: () => tidy(service) })

const tidy = ({ platform }: Service): Promise<void> =>
  platform.store.transaction(async tx => {
    const now = platform.clock()
    const [tokens, outbox] = [tx.resource(oneTimeTokens.name), tx.resource(mails.name)]
    await tx.removeWhere(tokens, upTo(tokens, 'expires', now.toISOString()))
    await tx.removeWhere(outbox, upTo(outbox, 'createdDate', new Date(now.getTime() - mailsKeptFor).toISOString()))
  })
