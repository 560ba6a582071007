// Each new address is sent a mail, whoever it belongs to: so many a day may be entered for one user.

import type { Transaction } from '../../core/model/transaction.ts'
import { raise, tooMany } from '../limits/index.ts'

const perDay = 20
const day = 24 * 3600_000

export const limitAddresses = async (tx: Transaction, user: string, now: Date): Promise<void> => {
  const { count, until } = await raise(tx, { key: `addresses of ${user}`, by: 1 }, { window: day, now })
  if (count > perDay)
    throw tooMany(perDay, until.getTime() - now.getTime(), `At most ${perDay} new addresses can be entered in a day`)
}
