// Earlier versions stored the token of a link together with its queued mail. Those mails get a new token when they are sent.

import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { Seed } from '../../core/module.ts'
import { mailContents } from './mails.ts'
import { withdrawToken } from './tokens.ts'

export const withdrawQueuedTokens: Seed = {
  name: 'tokens out of queued mails',
  run: async records => {
    const queued = await records.find(mailContents)
    for (const mail of queued) if ('token' in JSON.parse(mail.content)) await withdraw(records, mail)
  },
}

const withdraw = async (records: TransactionRecords, mail: Row<typeof mailContents>): Promise<void> => {
  const { token, ...content } = JSON.parse(mail.content)
  const reservation = await withdrawToken(records.tx, String(token), records.now)
  if (reservation) await records.update(mailContents, mail.pk, { content: JSON.stringify(content), reservation })
  else await records.remove(mailContents, mail.pk)
}
