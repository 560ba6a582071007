// What the operations of the counter stand on.

import type { Caller } from '../../core/model/caller.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { allowed, type Permit } from '../../core/rest/permit.ts'
import type { Context, Platform } from '../../core/rest/platform.ts'
import { isSoundCode, trimScan } from './barcodes.ts'
import { memberEquals } from './conditions.ts'
import type { Copy } from './film-inventory-entries.ts'
import { findFirst } from './reading.ts'
import type { RentalSettings } from './settings.ts'

export interface Counter {
  readonly settings: RentalSettings
  readonly platform: Platform
  readonly films: Resource
  readonly strategies: Resource
  readonly copies: Resource
  readonly rentals: Resource
  readonly payments: Resource
  readonly clients: Resource
  readonly users: Resource
  /** Where birthdays are kept, if they are. */
  readonly personalDetails: Resource | null
}

export const createCounter = (settings: RentalSettings, platform: Platform): Counter => {
  const { registry } = platform
  return {
    settings,
    platform,
    films: registry.resource('films'),
    strategies: registry.resource('filmPricingStrategies'),
    copies: registry.resource('filmInventoryEntries'),
    rentals: registry.resource('rentals'),
    payments: registry.resource('payments'),
    clients: registry.resource('clients'),
    users: registry.resource('users'),
    personalDetails: registry.has('personalDetails') ? registry.resource('personalDetails') : null,
  }
}

/** Who may rent out copies may do the counter's work: 401 or 403 for all others. */
export const mustServe = ({ rentals }: Counter): Permit => allowed(rentals, 'create')

export const mayServe = ({ platform }: Context, { rentals }: Counter, caller: Caller): boolean =>
  platform.access.decide(rentals, 'create', caller) !== false

/** What was scanned or typed, as a code to look for. A code that was misread says so. */
export const readCode = (scanned: string): string => {
  const code = trimScan(scanned)
  if (isSoundCode(code)) return code
  throw new Problem('bad_request', `The check digit of ${code} is wrong; scan it again.`)
}

/** The copy with this pk or barcode. */
export const findCopy = async (reader: Reader, { copies }: Counter, code: string): Promise<Copy | null> =>
  ((await reader.get(copies, code)) ??
    (await findFirst(reader, copies, memberEquals(copies, 'barcode', code)))) as Copy | null
