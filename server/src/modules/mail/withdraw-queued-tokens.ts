// Earlier versions stored the token of a link together with its queued mail. Those mails get a new token when they are sent.

import { everything } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import type { Seed } from '../../core/module.ts'
import { mailContents } from './mails.ts'
import { withdrawToken } from './tokens.ts'

export const withdrawQueuedTokens: Seed = {
  name: 'tokens out of queued mails',
  run: async (tx, now) => {
    const resource = tx.resource(mailContents.name)
    const queued: StoredRecord[] = []
    for await (const records of tx.stream(resource, everything(resource)))
      queued.push(...records.filter(({ content }) => 'token' in JSON.parse(String(content))))
    for (const mail of queued) await withdraw(tx, mail, now)
  },
}

const withdraw = async (tx: Transaction, { pk, content: kept }: StoredRecord, now: Date): Promise<void> => {
  const resource = tx.resource(mailContents.name)
  const { token, ...content } = JSON.parse(String(kept))
  const reservation = await withdrawToken(tx, String(token), now)
  if (reservation) await tx.update(resource, pk, { content: JSON.stringify(content), reservation })
  else await tx.remove(resource, pk)
}
