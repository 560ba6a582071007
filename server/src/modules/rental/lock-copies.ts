// The copies of a submission, held until it is done.

import { type Fault, Problem } from '../../core/problem.ts'
import { isSoundCode } from './barcodes.ts'
import { findCopy } from './counter.ts'
import { rentalFault } from './faults.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import type { CounterTransaction } from './ledger.ts'

export interface Named {
  /** Where the code stood in the body. */
  readonly codeAt: string
  readonly code: string
}

/** In the order named. Unknown copies and copies named twice are refused, each with its place. */
export const lockCopies = async (
  { records }: CounterTransaction,
  items: readonly Named[],
): Promise<readonly Copy[]> => {
  const errors: Fault[] = []
  const pks: string[] = []
  for (const { codeAt, code } of items) {
    const copy = await findCopy(records, code)
    const at = { pointer: codeAt, member: 'inventoryId' }
    if (!copy) errors.push({ ...at, ...rentalFault(isSoundCode(code) ? 'no_such_copy' : 'check_digit') })
    else if (pks.includes(copy.pk)) errors.push({ ...at, ...rentalFault('named_twice') })
    else pks.push(copy.pk)
  }
  if (errors.length > 0) {
    const detail =
      errors.length === 1 ? `An item is at fault: ${errors[0]?.message}.` : `${errors.length} items are at fault.`
    throw new Problem('unprocessable', { detail, errors })
  }
  // Always in the same order: two submissions of the same copies wait for each other instead of for ever.
  for (const pk of [...pks].sort()) await records.lock(filmInventoryEntries, pk)
  return Promise.all(pks.map(pk => records.get(filmInventoryEntries, pk)))
}
