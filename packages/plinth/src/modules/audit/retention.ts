// Deletes audit events whose time is over, with the checkpoints that list them. What is signed in their place says where the log begins.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sweep } from '../../core/jobs/sweep.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { LoadSecrets } from './chain.ts'
import { auditCheckpoints, auditStarts, isGenuine, newStart, startPk } from './checkpoints.ts'
import { auditEvents } from './events.ts'
import { auditSettings } from './settings.ts'
import { createSigner, type Signer } from './signer.ts'

/** The checkpoints of a transaction, few enough that a writer hardly notices. */
const batchSize = 20
const restMs = 10

export const auditRetention = (loadSecrets: LoadSecrets): Sweep => ({
  name: 'deleting old audit events',
  run: async ({ platform, config }, { daysAgo, now, signal, log }) => {
    const { keepDays } = config.get(auditSettings)
    if (keepDays === 0) return
    const signer = createSigner(await loadSecrets(platform, config))
    const before = daysAgo(keepDays)
    while (!signal.aborted) {
      const expired = await readExpired(platform.records, before)
      // A time that was changed in the database must not make us delete what is to be kept, nor sign that.
      const forged = expired.find(one => !isGenuine(one, signer))
      if (forged) {
        log.error({ checkpoint: forged.number }, 'an audit checkpoint was changed: run `plinth audit verify`')
        return
      }
      const last = expired.at(-1)
      if (!last) return
      await platform.records.transaction(records => removeUpTo(records, last, { now, signer }))
      await sleep(restMs, undefined, { ref: false })
    }
  },
})

type StoredCheckpoint = Row<typeof auditCheckpoints>

const readExpired = async (
  records: Pick<TransactionRecords, 'find'>,
  before: string,
): Promise<readonly StoredCheckpoint[]> => {
  const oldest = await records.find(auditCheckpoints, { sort: 'number', limit: batchSize })
  const end = oldest.findIndex(({ latest }) => latest > before)
  return end < 0 ? oldest : oldest.slice(0, end)
}

const removeUpTo = async (
  records: TransactionRecords,
  { number, hash }: StoredCheckpoint,
  { now, signer }: { readonly now: string; readonly signer: Signer },
): Promise<void> => {
  await records.upsert(auditStarts, { pk: startPk, ...newStart({ number, hash, time: now }, signer) })
  await records.removeMany(auditEvents, { where: { batch: { le: number } } })
  await records.removeMany(auditCheckpoints, { where: { number: { le: number } } })
}
