// Amounts are counted in whole minor units, as the service does: sums of decimals would drift.

import { useFormats } from '@plinth/web'
import { useStore } from './store.ts'

const unitOf = (currency: string): number =>
  10 ** (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)

export const sumOf = (amounts: readonly number[], currency: string): number => {
  const unit = unitOf(currency)
  return amounts.reduce((sum, amount) => sum + Math.round(amount * unit), 0) / unit
}

/** Returns null when nothing is written, undefined when it is not an amount. Comma and point both divide. */
export const readAmount = (text: string, currency: string): number | null | undefined => {
  const written = text.replace(/\s/g, '')
  if (written === '') return null
  if (!/^\d{1,12}(?:[.,]\d+)?$/.test(written)) return undefined
  const amount = Number(written.replace(',', '.'))
  return sumOf([amount], currency) === amount ? amount : undefined
}

/** Returns the currency of the store, also before any price was seen. */
export const useCurrency = (): string => useStore()?.currency ?? 'EUR'

export const useMoney = (): ((amount: number, currency?: string) => string) => {
  const { money } = useFormats()
  const usual = useCurrency()
  return (amount, currency = usual) => money(amount, currency)
}
