// States as another node sends them: nothing is believed that its operator has not signed.

import { Problem } from '../../core/problem.ts'
import type { Received } from './ledger.ts'
import { maxMetadataLength } from './metadata-types.ts'
import type { Party } from './network-map.ts'
import type { Membership } from './node.ts'
import { openEntry, type StateEntry } from './state-entry.ts'
import { statuses } from './states.ts'
import { canonicalX500 } from './x500.ts'

const maxEntryLength = maxMetadataLength * 2 + 16_384

/** Throws when any of them is not a sound state signed by the operator. */
export const readSignedEntries = (sent: unknown, operator: Party): readonly Received[] => {
  if (!Array.isArray(sent)) throw new Problem('bad_request', 'The states are missing.')
  return sent.map(one => readSignedEntry(one, operator))
}

const readSignedEntry = (sent: unknown, operator: Party): Received => {
  const { entry, signature } = (sent ?? {}) as { entry?: unknown; signature?: unknown }
  const isText = typeof entry === 'string' && typeof signature === 'string' && entry.length <= maxEntryLength
  const state = isText && operator.key ? openEntry({ entry, signature }, operator.key) : undefined
  if (!isText || !state || !isSound(state, operator.name))
    throw new Problem('unprocessable', `A state was not signed by ${operator.name}.`)
  return { signed: { entry, signature }, state }
}

const isSound = ({ bno, sequence, previous, record }: StateEntry, operator: string): boolean =>
  bno === operator &&
  Number.isSafeInteger(sequence) &&
  sequence > 0 &&
  typeof previous === 'string' &&
  isSoundRecord(record, operator)

const isSoundRecord = (record: Membership, operator: string): boolean =>
  record?.bno === operator &&
  isCanonical(record.member) &&
  (record.networkID === null || typeof record.networkID === 'string') &&
  (record.reason === null || typeof record.reason === 'string') &&
  statuses.includes(record.status) &&
  Number.isSafeInteger(record.version) &&
  Array.isArray(record.participants) &&
  typeof record.linearId === 'string' &&
  [record.issued, record.modified].every(time => typeof time === 'string' && !Number.isNaN(Date.parse(time)))

const isCanonical = (name: unknown): boolean => {
  try {
    return typeof name === 'string' && canonicalX500(name) === name
  } catch {
    return false
  }
}
