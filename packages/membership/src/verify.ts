// Checks everything that a node keeps: every state is signed by its operator, hangs on the one before it, and the records
// that callers see are the latest states and nothing else.

import type { KeyObject } from 'node:crypto'
import type { RecordReader } from 'plinth'
import { toMembership } from './ledger.ts'
import { openEntry, type StateEntry, sha256, toCanonicalJson } from './state-entry.ts'
import { type EntryRow, membershipEntries, membershipNodes, memberships } from './tables.ts'

export interface Verifying {
  readonly node: string
  readonly party: string
  readonly records: RecordReader
  /** The public key of an operator; undefined when it is not known. */
  readonly keyOf: (party: string) => KeyObject | null | undefined
}

export interface Verdict {
  readonly states: number
  readonly memberships: number
  /** Sentences; none when all is well. */
  readonly faults: readonly string[]
}

const maxFaults = 100

interface Latest {
  readonly sequence: number
  readonly state: StateEntry
}

export const verifyLedger = async (verifying: Verifying): Promise<Verdict> => {
  const { node, records } = verifying
  const faults: string[] = []
  const note = (fault: string): void => {
    if (faults.length < maxFaults) faults.push(fault)
  }
  const latest = new Map<string, Latest>()
  let before: EntryRow | null = null
  let ownLast: EntryRow | null = null
  let states = 0
  // By pk: all states of one operator stand together, in their order.
  for await (const rows of records.stream(membershipEntries, { where: { node } })) {
    for (const row of rows) {
      states++
      const state = checkState(verifying, row, note)
      checkChain(verifying, { row, before, state }, note)
      before = row
      if (row.bno === verifying.party) ownLast = row
      if (state) keepLatest(latest, row, state, note)
    }
  }
  await checkHead(verifying, ownLast, note)
  const memberships = await checkRecords(verifying, latest, note)
  return { states, memberships, faults }
}

type Note = (fault: string) => void

const nameOf = (row: EntryRow): string => `state ${row.sequence} of ${row.bno}`

const checkState = ({ keyOf }: Verifying, row: EntryRow, note: Note): StateEntry | undefined => {
  const key = keyOf(row.bno)
  if (!key) {
    note(`${nameOf(row)}: the key of its operator is not known`)
    return undefined
  }
  const state = openEntry({ entry: row.entry, signature: row.signature }, key)
  if (!state) note(`${nameOf(row)}: its signature is wrong`)
  else if (state.sequence !== row.sequence || state.bno !== row.bno) note(`${nameOf(row)}: it is another one`)
  if (sha256(row.entry) !== row.hash) note(`${nameOf(row)}: its hash is wrong`)
  return state
}

interface Link {
  readonly row: EntryRow
  readonly before: EntryRow | null
  readonly state: StateEntry | undefined
}

/** A node's own history has no gaps; of another operator's it has only what concerns it. */
const checkChain = ({ party }: Verifying, { row, before, state }: Link, note: Note): void => {
  const previous = before?.bno === row.bno ? before : null
  const expected = previous ? previous.sequence + 1 : 1
  if (row.bno === party && row.sequence !== expected) note(`${nameOf(row)}: state ${expected} is missing before it`)
  if (!state || row.sequence !== expected) return
  if (state.previous !== (previous?.hash ?? '')) note(`${nameOf(row)}: it does not follow the previous state`)
}

const keepLatest = (latest: Map<string, Latest>, row: EntryRow, state: StateEntry, note: Note): void => {
  const known = latest.get(row.membership)
  if (known && known.state.record.version >= state.record.version)
    note(`${nameOf(row)}: its version does not follow that of state ${known.sequence}`)
  latest.set(row.membership, { sequence: row.sequence, state })
}

const checkHead = async ({ node, party, records }: Verifying, last: EntryRow | null, note: Note) => {
  const head = await records.first(membershipNodes, { where: { pk: node } })
  if (!head) return note('the node has never been started')
  const count = await records.count(membershipEntries, { where: { node, bno: party } })
  if (count !== head.sequence) note(`the history has ${count} states of its own; ${head.sequence} were issued`)
  if (last?.sequence === head.sequence && last?.hash !== head.head)
    note('the end of the history is not the one that was issued last')
}

const checkRecords = async (
  { node, records }: Verifying,
  latest: ReadonlyMap<string, Latest>,
  note: Note,
): Promise<number> => {
  const left = new Map(latest)
  let count = 0
  for await (const rows of records.stream(memberships, { where: { node } })) {
    for (const row of rows) {
      count++
      const known = left.get(row.pk)
      left.delete(row.pk)
      const text = toCanonicalJson(toMembership(row))
      if (!known) note(`the membership of ${row.member} has no state behind it`)
      else if (text !== toCanonicalJson(known.state.record) || row.sequence !== known.sequence)
        note(`the membership of ${row.member} is not as state ${known.sequence} says`)
    }
  }
  for (const { sequence } of left.values()) note(`the membership of state ${sequence} is missing`)
  return count
}
