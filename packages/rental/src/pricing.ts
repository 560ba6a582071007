// Prices in minor units and 24-hour periods. Summer time does not matter: a day is always 24 hours.

export const dayLength = 24 * 3600_000
export const longestRental = 365

export interface Pricing {
  readonly initialPrice: number
  readonly daysFree: number
  readonly dailyPrice: number
}

export const rentalCost = ({ initialPrice, daysFree, dailyPrice }: Pricing, days: number): number =>
  initialPrice + dailyPrice * Math.max(0, days - daysFree)

export const lateFee = ({ dailyPrice }: Pick<Pricing, 'dailyPrice'>, daysLate: number): number => dailyPrice * daysLate

/** Returns the whole days between the two; none when the clock was set back. */
export const daysKept = (rentalDate: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(rentalDate)) / dayLength))

export const daysLate = ({ rentalDate, days }: { rentalDate: string; days: number }, now: Date): number =>
  Math.max(0, daysKept(rentalDate, now) - days)

export const dueDateOf = (rentalDate: string, days: number): string =>
  new Date(Date.parse(rentalDate) + days * dayLength).toISOString()

/** 12345 → 123.45: the double nearest to it, which JSON writes with its own digits only. */
export const toDecimal = (minor: number, scale: number): number => minor / 10 ** scale

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** Writes an amount for people, with all of the currency's decimals: 5 → `0.05`. */
export const amountText = (minor: number, scale: number): string => toDecimal(minor, scale).toFixed(scale)
