// What a deployment decides about its store.

import type { Config } from '../../config.ts'

export interface RentalSettings {
  /** ISO 4217. */
  readonly currency: string
  /** How many decimals the currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
  readonly scale: number
  readonly timeZone: string
  readonly maxItems: number
  readonly voidMinutes: number
  readonly adultAge: number
  readonly lateFeesTo: 'payer' | 'renter'
}

export const readRentalSettings = (config: Config): RentalSettings => {
  const currency = config.get('app.rental.currency')
  return {
    currency,
    scale: scaleOf(currency),
    timeZone: config.get('app.rental.timeZone'),
    maxItems: config.get('app.rental.maxItems'),
    voidMinutes: config.get('app.rental.voidMinutes'),
    adultAge: config.get('app.rental.adultAge'),
    lateFeesTo: config.get('app.rental.lateFeesTo'),
  }
}

export const scaleOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
