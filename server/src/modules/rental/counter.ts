// What the operations of the counter stand on.

import type { RecordReader } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import { allowed, type Permit } from '../../core/rest/permit.ts'
import type { Context, Platform } from '../../core/rest/platform.ts'
import { isSoundCode, trimScan } from './barcodes.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { rentals } from './rentals.ts'
import type { RentalSettings } from './settings.ts'

export interface RentalCounter {
  readonly settings: RentalSettings
  readonly platform: Platform
}

/** Who may rent out copies may do the counter's work: 401 or 403 for all others. */
export const mustServe = ({ platform }: RentalCounter): Permit => allowed(platform.registry.resource(rentals), 'create')

export const mayServe = ({ platform, caller }: Context): boolean =>
  platform.access.decide(platform.registry.resource(rentals), 'create', caller) !== false

/** What was scanned or typed, as a code to look for. A code that was misread says so. */
export const readCode = (scanned: string): string => {
  const code = trimScan(scanned)
  if (isSoundCode(code)) return code
  throw new Problem('bad_request', `The check digit of ${code} is wrong; scan it again.`)
}

/** The copy with this pk or barcode. */
export const findCopy = async (records: RecordReader, code: string): Promise<Copy | null> =>
  (await records.first(filmInventoryEntries, { pk: code })) ??
  (await records.first(filmInventoryEntries, { barcode: code }))
