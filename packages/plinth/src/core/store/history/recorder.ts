// Who changes records, and when: the first cells of each entry of the history.

import { randomBytes } from 'node:crypto'
import type { Actor } from '../../model/transaction.ts'
import type { Cell } from '../connection.ts'

/** The service or user that changes records, and the time of the change. */
export interface ChangeRecorder {
  /** The first cells of an entry: `_entry`, `_by`, `_address`, `_request`. */
  cells(): readonly Cell[]
}

/** Distinguishes the entries of this process from those of others. */
const processKey = randomBytes(3).toString('hex')

let count = 0

/** Entries of one millisecond are ordered by the counter. */
const nextEntry = (now: Date): string => {
  count = (count + 1) % 1_000_000_000
  return `${now.toISOString()}.${String(count).padStart(9, '0')}.${processKey}`
}

export const createRecorder = ({ caller, sender }: Actor, clock: () => Date): ChangeRecorder => ({
  cells: () => [nextEntry(clock()), caller.pk, sender?.remoteAddress ?? null, sender?.requestId ?? null],
})
