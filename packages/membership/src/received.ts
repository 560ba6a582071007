// Reads states that another node sends. Only those that its operator has signed are accepted.

import { Problem } from 'plinth'
import { parseJson } from 'plinth/module'
import type { Ledger, Mark, ReceivedState } from './ledger.ts'
import { statuses } from './membership-states.ts'
import { isBody } from './messages.ts'
import { maxMetadataLength } from './metadata-types.ts'
import type { Membership } from './node.ts'
import type { Party } from './party.ts'
import { isEntrySignedBy, type SignedEntry, type StateEntry, sha256 } from './state-entry.ts'
import { canonicalX500 } from './x500.ts'

const maxEntryLength = maxMetadataLength * 2 + 16_384

export interface ReceivedStates {
  readonly all: readonly ReceivedState[]
  /** The states that the node does not have yet. */
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

/** Reads an entry, which is not verified yet. */
const readEntry = (sent: unknown, operator: Party): ReceivedState => {
  const { entry, signature } = isBody(sent) ? sent : {}
  if (typeof entry !== 'string' || typeof signature !== 'string' || entry.length > maxEntryLength)
    throw notSigned(operator)
  const state = readState(entry)
  if (!state) throw notSigned(operator)
  return { signed: { entry, signature }, state }
}

/** Returns null unless the text is a state of a membership. */
const readState = (text: string): StateEntry | null => {
  try {
    const state = parseJson(text)
    return isState(state) ? state : null
  } catch {
    return null
  }
}

const isState = (state: unknown): state is StateEntry =>
  isBody(state) &&
  typeof state.bno === 'string' &&
  Number.isSafeInteger(state.sequence) &&
  typeof state.previous === 'string' &&
  isMembership(state.record)

const isSound = ({ bno, sequence, record }: StateEntry, operator: string): boolean =>
  bno === operator && sequence > 0 && record.bno === operator

export const isMembership = (record: unknown): record is Membership =>
  isBody(record) &&
  isCanonical(record.member) &&
  isCanonical(record.bno) &&
  (record.networkID === null || typeof record.networkID === 'string') &&
  (record.reason === null || typeof record.reason === 'string') &&
  statuses.some(status => status === record.status) &&
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
