// What is over is removed: tokens that nobody used, and mails that nobody will ask about any more.

import { setTimeout as sleep } from 'node:timers/promises'
import { upTo } from '../../core/model/query.ts'
import type { Service } from '../../core/rest/service.ts'
import { mails } from './mails.ts'
import { oneTimeTokens } from './tokens.ts'

const pause = 3600_000
const mailsKeptFor = 30 * 24 * 3600_000

export const startHousekeeping = async (service: Service): Promise<() => Promise<void>> => {
  const ending = new AbortController()
  const work = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await tidy(service).catch(error => service.log.error({ err: error }, 'old mails could not be removed'))
      await sleep(pause, undefined, { signal: ending.signal, ref: false }).catch(() => {})
    }
  }
  const working = work()
  return () => {
    ending.abort()
    return working
  }
}

const tidy = ({ platform }: Service): Promise<void> =>
  platform.store.transaction(async tx => {
    const now = platform.clock()
    const [tokens, outbox] = [tx.resource(oneTimeTokens.name), tx.resource(mails.name)]
    await tx.removeWhere(tokens, upTo(tokens, 'expires', now.toISOString()))
    await tx.removeWhere(outbox, upTo(outbox, 'createdDate', new Date(now.getTime() - mailsKeptFor).toISOString()))
  })
