// Values as people write them, in their language.

import { type Language, useLanguage } from './language.ts'

export interface Formats {
  readonly number: (value: number) => string
  readonly decimalSeparator: string
  /** Writes an amount with two decimals; with the currency when there is one. */
  readonly money: (value: number, currency?: string) => string
  readonly date: (iso: string) => string
  readonly time: (iso: string) => string
  readonly dateTime: (iso: string) => string
  readonly bytes: (value: number) => string
  /** How long ago, or how long from now. */
  readonly ago: (iso: string, now?: number) => string
}

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const ago = (language: Language, iso: string, now: number): string => {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return format.format(Math.round(seconds / size), unit)
}

const bytes = (language: Language, value: number): string => {
  const names = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const power = Math.min(names.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3))
  const style = { style: 'unit', unit: names[power] ?? 'byte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, style).format(value / 1000 ** power)
}

const create = (language: Language): Formats => {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
  // A day has no zone: it must not move to the day before where the clocks are behind UTC.
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' })
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return {
    number: value => number.format(value),
    decimalSeparator: number.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    money: (value, currency) =>
      new Intl.NumberFormat(language, currency ? { style: 'currency', currency } : cents).format(value),
    date: iso => day.format(new Date(iso)),
    time: iso => time.format(new Date(iso)),
    dateTime: iso => dateTime.format(new Date(iso)),
    bytes: value => bytes(language, value),
    ago: (iso, now = Date.now()) => ago(language, iso, now),
  }
}

const known = new Map<Language, Formats>()

export const formatsFor = (language: Language): Formats => {
  const found = known.get(language) ?? create(language)
  known.set(language, found)
  return found
}

export const useFormats = (): Formats => formatsFor(useLanguage())
