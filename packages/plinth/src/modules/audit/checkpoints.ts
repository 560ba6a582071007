// What shows that the audit log is as it was written. Soon after they were committed, events are listed in a checkpoint: each with a
// digest of its content, and the whole with the hash of the checkpoint before, and signed with a key that is not in the database.

import { sha256Of } from '../../core/digest.ts'
import { defineResource } from '../../core/model/define.ts'
import { integer, longText, text, timestamp } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import type { Row } from '../../core/model/row.ts'
import type { auditEvents } from './events.ts'
import type { Signer } from './signer.ts'

/** The most events of a checkpoint. */
export const mostEvents = 500

export const auditCheckpoints = defineResource('auditCheckpoints', {
  about: 'Signed lists of audit events, each with the hash of the list before.',
  internal: true,
  stamps: 'none',
  identifier: assigned(),
  fields: {
    number: integer({ required: true, unique: true }),
    time: timestamp({ required: true }),
    latest: timestamp({ required: true, about: 'The time of the latest event in the list.' }),
    entries: longText({ required: true, max: 60_000, about: 'The pk and the digest of each event, in order.' }),
    previous: text({ about: 'The hash of the checkpoint before; absent in the first one.' }),
    hash: text({ required: true }),
    key: text({ required: true, about: 'The name of the key that signed the hash.' }),
    signature: text({ required: true }),
  },
  access: {},
})

/** The one record, `start`, says from where on the log is kept: what comes before was deleted because its time was over. */
export const auditStarts = defineResource('auditStarts', {
  about: 'The last checkpoint whose events were deleted when their time was over.',
  internal: true,
  stamps: 'none',
  identifier: assigned(),
  fields: {
    number: integer({ required: true }),
    hash: text({ required: true }),
    time: timestamp({ required: true }),
    key: text({ required: true }),
    signature: text({ required: true }),
  },
  access: {},
})

/** The pk of the record of `auditStarts`. */
export const startPk = 'start'

export type StoredEvent = Pick<Row<typeof auditEvents>, 'pk' | 'timestamp' | 'principal' | 'type' | 'data'>
export type Checkpoint = Omit<Row<typeof auditCheckpoints>, 'pk' | 'version'>
export type LogStart = Omit<Row<typeof auditStarts>, 'pk' | 'version'>

/** The last thing known of the log: the number and the hash of a checkpoint. */
export type LogPosition = Pick<Checkpoint, 'number' | 'hash'>

export const digestOf = ({ pk, timestamp, principal, type, data }: StoredEvent): string =>
  sha256Of(JSON.stringify([pk, timestamp, principal, type, Object.entries(data ?? {}).sort(byName)]))

const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1

export const entriesOf = (events: readonly StoredEvent[]): string =>
  events.map(event => `${event.pk}:${digestOf(event)}`).join(' ')

/** The digests by pk. */
export const readEntries = (entries: string): ReadonlyMap<string, string> =>
  new Map(entries.split(' ').map(entry => [entry.slice(0, entry.indexOf(':')), entry.slice(entry.indexOf(':') + 1)]))

type Hashed = Pick<Checkpoint, 'number' | 'time' | 'latest' | 'entries' | 'previous'>

const hashOf = ({ number, time, latest, entries, previous }: Hashed): string =>
  sha256Of(JSON.stringify([number, time, latest, entries, previous]))

export const newCheckpoint = (content: Hashed, signer: Signer): Checkpoint => {
  const hash = hashOf(content)
  return { ...content, hash, ...signer.sign(`checkpoint ${hash}`) }
}

export const isGenuine = (checkpoint: Checkpoint, signer: Signer): boolean =>
  hashOf(checkpoint) === checkpoint.hash && signer.verifies(`checkpoint ${checkpoint.hash}`, checkpoint)

const startText = ({ number, hash, time }: Pick<LogStart, 'number' | 'hash' | 'time'>): string =>
  `start ${number} ${hash} ${time}`

export const newStart = (content: Pick<LogStart, 'number' | 'hash' | 'time'>, signer: Signer): LogStart => ({
  ...content,
  ...signer.sign(startText(content)),
})

export const isGenuineStart = (start: LogStart, signer: Signer): boolean => signer.verifies(startText(start), start)
