// The arithmetic of renting, in minor units and 24-hour periods. Summer time does not matter: a day is always 24 hours.

export const dayLength = 24 * 3600_000
export const longestRental = 365

export interface Pricing {
  readonly initialPrice: number
  readonly daysFree: number
  readonly dailyPrice: number
}

export const rentalCost = ({ initialPrice, daysFree, dailyPrice }: Pricing, days: number): number =>
  initialPrice + dailyPrice * Math.max(0, days - daysFree)

/** Whole days between the two; none when the clock was set back. */
export const daysKept = (rentalDate: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(rentalDate)) / dayLength))

export const daysLate = ({ rentalDate, days }: { rentalDate: string; days: number }, now: Date): number =>
  Math.max(0, daysKept(rentalDate, now) - days)

export const dueDateOf = (rentalDate: string, days: number): string =>
  new Date(Date.parse(rentalDate) + days * dayLength).toISOString()
