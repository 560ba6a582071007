// Reads states that another node sends. Only those that its operator has signed are accepted.

import { parseJson } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import type { Ledger, Mark, ReceivedState } from './ledger.ts'
import { statuses } from './membership-states.ts'
import { maxMetadataLength } from './metadata-types.ts'
import type { Party } from './network-map.ts'
import type { Membership } from './node.ts'
import { isEntrySignedBy, type SignedEntry, type StateEntry, sha256 } from './state-entry.ts'
import { canonicalX500 } from './x500.ts'

const maxEntryLength = maxMetadataLength * 2 + 16_384

export interface ReceivedStates {
  readonly all: readonly ReceivedState[]
  /** Those that the node does not have yet. */
  readonly fresh: readonly ReceivedState[]
}

/** Throws unless all of them are valid states signed by the operator. Those that the node has are not verified again. */
export const readSignedEntries = async (sent: unknown, operator: Party, ledger: Ledger): Promise<ReceivedStates> => {
  if (!Array.isArray(sent)) throw new Problem('bad_request', 'The states are missing.')
  const all = sent.map(one => readEntry(one, operator))
  const known = await ledger.marksOf(
    operator.name,
    all.map(({ state }) => state.sequence),
  )
  const fresh = all.filter(({ signed, state }) => !isKnown(known.get(state.sequence), signed))
  const { key } = operator
  if (fresh.length > 0) {
    const isSigned = key ? await Promise.all(fresh.map(({ signed }) => isEntrySignedBy(key, signed))) : [false]
    const areSound = isSigned.every(Boolean) && fresh.every(({ state }) => isSound(state, operator.name))
    if (!areSound) throw notSigned(operator)
  }
  return { all, fresh }
}

const notSigned = ({ name }: Party): Problem => new Problem('unprocessable', `A state was not signed by ${name}.`)

const isKnown = (mark: Mark | undefined, { entry, signature }: SignedEntry): boolean =>
  mark !== undefined && mark.signature === signature && mark.hash === sha256(entry)

/** Not verified yet. */
const readEntry = (sent: unknown, operator: Party): ReceivedState => {
  const { entry, signature } = (sent ?? {}) as { entry?: unknown; signature?: unknown }
  if (typeof entry !== 'string' || typeof signature !== 'string' || entry.length > maxEntryLength)
    throw notSigned(operator)
  const state = parsed(entry)
  if (!Number.isSafeInteger(state?.sequence)) throw notSigned(operator)
  return { signed: { entry, signature }, state: state as StateEntry }
}

const parsed = (text: string): StateEntry | null => {
  try {
    return parseJson(text) as StateEntry | null
  } catch {
    return null
  }
}

const isSound = ({ bno, sequence, previous, record }: StateEntry, operator: string): boolean =>
  bno === operator && sequence > 0 && typeof previous === 'string' && isSoundRecord(record, operator)

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
