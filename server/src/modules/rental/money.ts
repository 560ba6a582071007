// Minor units → decimals, at the scale of the configured currency.

/** 12345 → 123.45: the double nearest to it, which JSON writes with its own digits only. */
export const toDecimal = (minor: number, scale: number): number => minor / 10 ** scale

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** For people, with all of the currency's decimals: 5 → `0.05`. */
export const amountText = (minor: number, scale: number): string => toDecimal(minor, scale).toFixed(scale)
