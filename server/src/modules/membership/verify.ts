// Checks everything that a node keeps: every state is signed by its operator, hangs on the one before it, and the records
// that callers see are the latest states and nothing else.

import type { KeyObject } from 'node:crypto'
import type { Json } from '../../core/model/json.ts'
import { everything } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Store } from '../../core/store/store.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { type Tables, toMembership } from './ledger.ts'
import { matching } from './queries.ts'
import { openEntry, type StateEntry, sha256 } from './state-entry.ts'

export interface Verifying {
  readonly node: string
  readonly party: string
  readonly store: Store
  readonly tables: Tables
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
  const { node, store, tables } = verifying
  const faults: string[] = []
  const note = (fault: string): void => {
    if (faults.length < maxFaults) faults.push(fault)
  }
  const latest = new Map<string, Latest>()
  let before: StoredRecord | null = null
  let ownLast: StoredRecord | null = null
  let states = 0
  // By pk: all states of one operator stand together, in their order.
  for await (const rows of store.stream(
    tables.entries,
    everything(tables.entries, matching(tables.entries, { node })),
  )) {
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

const nameOf = (row: StoredRecord): string => `state ${row.sequence} of ${row.bno}`

const checkState = ({ keyOf }: Verifying, row: StoredRecord, note: Note): StateEntry | undefined => {
  const key = keyOf(row.bno as string)
  if (!key) {
    note(`${nameOf(row)}: the key of its operator is not known`)
    return undefined
  }
  const state = openEntry({ entry: row.entry as string, signature: row.signature as string }, key)
  if (!state) note(`${nameOf(row)}: its signature is wrong`)
  else if (state.sequence !== row.sequence || state.bno !== row.bno) note(`${nameOf(row)}: it is another one`)
  if (sha256(row.entry as string) !== row.hash) note(`${nameOf(row)}: its hash is wrong`)
  return state
}

interface Link {
  readonly row: StoredRecord
  readonly before: StoredRecord | null
  readonly state: StateEntry | undefined
}

/** A node's own history has no gaps; of another operator's it has only what concerns it. */
const checkChain = ({ party }: Verifying, { row, before, state }: Link, note: Note): void => {
  const previous = before?.bno === row.bno ? before : null
  const expected = previous ? (previous.sequence as number) + 1 : 1
  if (row.bno === party && row.sequence !== expected) note(`${nameOf(row)}: state ${expected} is missing before it`)
  if (!state || row.sequence !== expected) return
  if (state.previous !== (previous?.hash ?? '')) note(`${nameOf(row)}: it does not hang on the one before it`)
}

const keepLatest = (latest: Map<string, Latest>, row: StoredRecord, state: StateEntry, note: Note): void => {
  const known = latest.get(row.membership as string)
  if (known && known.state.record.version >= state.record.version)
    note(`${nameOf(row)}: its version does not follow that of state ${known.sequence}`)
  latest.set(row.membership as string, { sequence: row.sequence as number, state })
}

const checkHead = async ({ node, party, store, tables }: Verifying, last: StoredRecord | null, note: Note) => {
  const head = await store.get(tables.nodes, node)
  if (!head) return note('the node has never been started')
  const own = everything(tables.entries, matching(tables.entries, { node, bno: party }))
  const count = await store.count(tables.entries, own.filter)
  if (count !== head.sequence) note(`the history has ${count} states of its own; ${head.sequence} were issued`)
  if (last?.sequence === head.sequence && last?.hash !== head.head)
    note('the end of the history is not the one that was issued last')
}

const checkRecords = async (
  { node, store, tables: { memberships } }: Verifying,
  latest: ReadonlyMap<string, Latest>,
  note: Note,
): Promise<number> => {
  const left = new Map(latest)
  let count = 0
  for await (const rows of store.stream(memberships, everything(memberships, matching(memberships, { node })))) {
    for (const row of rows) {
      count++
      const known = left.get(row.pk)
      left.delete(row.pk)
      const text = toCanonicalJson(toMembership(row) as unknown as Json)
      if (!known) note(`the membership of ${row.member} has no state behind it`)
      else if (text !== toCanonicalJson(known.state.record as unknown as Json) || row.sequence !== known.sequence)
        note(`the membership of ${row.member} is not as state ${known.sequence} says`)
    }
  }
  for (const { sequence } of left.values()) note(`the membership of state ${sequence} is missing`)
  return count
}
