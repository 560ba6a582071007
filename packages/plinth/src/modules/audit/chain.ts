// Lists new events in checkpoints, a moment after they were committed, so that no writer waits for another. Every instance looks for
// some; the number of a checkpoint is taken once, so that each event is listed by one of them.

import type { Config } from '../../core/config/settings.ts'
import type { Poll } from '../../core/jobs/poll.ts'
import type { Logger } from '../../core/log/logger.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { sql } from '../../core/model/sql.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { Service } from '../../core/service.ts'
import {
  auditCheckpoints,
  auditStarts,
  type Checkpoint,
  entriesOf,
  type LogPosition,
  mostEvents,
  newCheckpoint,
  type StoredEvent,
  startPk,
} from './checkpoints.ts'
import { auditEvents } from './events.ts'
import { readHead, writeHead } from './head-file.ts'
import { auditSettings } from './settings.ts'
import type { Signer } from './signer.ts'

/** Loads the secrets that keys follow from, the present one first. */
export type LoadSecrets = (
  platform: Pick<Platform, 'store' | 'records' | 'clock'>,
  config: Config,
) => Promise<readonly string[]>

const everyMs = 1000

interface Listed {
  readonly checkpoint: Checkpoint
  readonly events: readonly StoredEvent[]
}

/** Lists the events that are waiting, and writes them to the log. */
export const createChain = ({ platform, config, logs }: Service, signer: Signer) => {
  const log = logs.named('audit')
  return async (signal?: AbortSignal): Promise<void> => {
    while (!signal?.aborted && (await platform.records.first(auditEvents, waiting))) {
      const listed = await platform.records.transaction(records => listWaiting(records, signer))
      if (!listed) continue
      if (config.get(auditSettings).log) writeLines(log, listed)
      const head = await readHead(config)
      // What shows that the log was cut off must stay.
      if (head !== null && head.hash !== listed.checkpoint.previous && !(await leadsTo(platform, head)))
        log.error({ head }, 'the audit log does not go on from the last known checkpoint: run `plinth audit verify`')
      else await writeHead(config, listed.checkpoint)
    }
  }
}

const waiting = { where: { batch: null }, sort: ['timestamp', 'pk'] } as const

/** The last checkpoint, or that from which on the log is kept. */
const lastPosition = async (records: Pick<TransactionRecords, 'first'>): Promise<LogPosition | null> =>
  (await records.first(auditCheckpoints, { sort: '-number' })) ??
  (await records.first(auditStarts, { where: { pk: startPk } }))

/** Is this checkpoint still a part of the log? */
const leadsTo = async ({ records }: Platform, { number, hash }: LogPosition): Promise<boolean> => {
  const there = await records.first(auditCheckpoints, { where: { number } })
  if (there) return there.hash === hash
  const start = await records.first(auditStarts, { where: { pk: startPk } })
  return start !== null && start.number >= number
}

/** Returns null when another instance was faster. The last checkpoint is read first, so that no event of another one is listed again. */
const listWaiting = async (records: TransactionRecords, signer: Signer): Promise<Listed | null> => {
  const last = await lastPosition(records)
  const found = await records.find(auditEvents, { ...waiting, limit: mostEvents })
  // The events of a checkpoint are deleted together, so they are of one day.
  const day = found[0]?.timestamp.slice(0, 10)
  const events = found.filter(({ timestamp }) => timestamp.slice(0, 10) === day)
  const latest = events.at(-1)?.timestamp
  if (latest === undefined) return null
  const content = {
    number: (last?.number ?? 0) + 1,
    time: records.now.toISOString(),
    latest,
    entries: entriesOf(events),
  }
  const checkpoint = newCheckpoint({ ...content, previous: last?.hash ?? null }, signer)
  if (!(await records.ensure(auditCheckpoints, { pk: `${checkpoint.number}`, ...checkpoint }))) return null
  const [table, batch, pk] = [sql.table(auditEvents), sql.column(auditEvents, 'batch'), sql.column(auditEvents, 'pk')]
  await records.sql({}, { write: true })`UPDATE ${table} SET ${batch} = ${checkpoint.number}
    WHERE ${pk} IN ${events.map(({ pk }) => pk)}`
  return { checkpoint, events }
}

const writeLines = (log: Logger, { checkpoint, events }: Listed): void => {
  for (const { pk, timestamp, principal, type, data } of events)
    log.info({ event: { pk, timestamp, principal, type, data } }, type)
  log.info({ checkpoint: { number: checkpoint.number, hash: checkpoint.hash, key: checkpoint.key } }, 'checkpoint')
}

export const chainPoll = (chain: (signal?: AbortSignal) => Promise<void>): Poll => ({
  name: 'listing audit events',
  everyMs,
  run: (_, signal) => chain(signal),
})
