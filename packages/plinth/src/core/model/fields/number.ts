// Whole numbers, decimals and money; decimals are held as integers of their smallest unit.

import { fault } from '../../fault.ts'
import type { Exactly, FieldOptions, OptionNames } from '../field-options.ts'
import { isSetting, madeOf, type Setting } from '../setting.ts'
import { ValueFault } from '../value-fault.ts'
import type { ValueType } from '../value-field.ts'
import { fieldOptions, value } from './value.ts'

interface NumberOptions extends FieldOptions<number> {
  /** The minimum of a number, or the minimum length of text. */
  readonly min?: number
  readonly max?: number
}

const numberOptions: OptionNames<NumberOptions> = { ...fieldOptions, min: true, max: true }

const inRange = (
  number: number,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: NumberOptions,
  scale = 1,
): number => {
  if (number < min * scale) throw new ValueFault(fault('min', { min }))
  if (number > max * scale) throw new ValueFault(fault('max', { max }))
  return number
}

const rangeSchema = ({ min, max }: NumberOptions) => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
})

/**
 * A whole number that JavaScript holds exactly.
 *
 * @example integer({ min: 0, default: 1 })
 */
export const integer = <const O extends NumberOptions>(options?: Exactly<O, NumberOptions>) =>
  value<number, O>(
    {
      name: 'integer',
      column: 'integer',
      schema: { type: 'integer', ...rangeSchema(options ?? {}) },
      widget: 'number',
      read: input => {
        if (typeof input !== 'number' || !Number.isInteger(input)) throw new ValueFault(fault('whole_number'))
        if (!Number.isSafeInteger(input)) throw new ValueFault(fault('too_large'))
        return inRange(input, options ?? {})
      },
      readText: text => {
        if (!/^[+-]?\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text)))
          throw new ValueFault(fault('whole_number'))
        return Number(text)
      },
      wildcards: false,
    },
    options ?? {},
    numberOptions,
  )

/** Limits and the default are given as callers send values: `money({ min: 1, default: 12.5 })`. */
interface DecimalOptions extends NumberOptions {
  /** The number of decimal places. */
  readonly scale: number
}

const decimalOptions: OptionNames<DecimalOptions> = { ...numberOptions, scale: true }

interface DecimalType extends ValueType<number> {
  toUnits(number: number): number
}

const decimalType = (name: string, widget: string, options: DecimalOptions): DecimalType => {
  const unit = 10 ** options.scale
  const shape = new RegExp(`^[+-]?\\d{1,15}(\\.\\d{1,${Math.max(1, options.scale)}}0*)?$`)
  const toUnits = (number: unknown): number => {
    if (typeof number !== 'number' || !Number.isFinite(number)) throw new ValueFault(fault('number'))
    const units = Math.round(number * unit)
    if (!Number.isSafeInteger(units)) throw new ValueFault(fault('too_large'))
    // The nearest double of a decimal with `scale` digits is the one that `units / unit` gives back.
    if (units / unit !== number) throw new ValueFault(fault('max_decimals', { max: options.scale }))
    return units
  }
  return {
    name,
    column: 'integer',
    schema: { type: 'number', multipleOf: 1 / unit, ...rangeSchema(options) },
    widget,
    toUnits,
    read: input => inRange(toUnits(input), options, unit),
    readText: text => {
      if (!shape.test(text)) throw new ValueFault(fault('decimal', { max: options.scale }))
      return toUnits(Number(text))
    },
    show: units => units / unit,
    unit,
    checkStored: units => {
      if (typeof units !== 'number' || Number.isInteger(units)) return
      const example = `write ${Math.round(units * unit)} for ${units}`
      throw new ValueFault({
        ...fault('whole_number'),
        message: `must be a whole number of the smallest unit: ${example}`,
      })
    },
    wildcards: false,
  }
}

/** The field has its default in stored form. */
const decimalField = <O>(type: DecimalType, options: NumberOptions, optionNames = decimalOptions) => {
  const { default: usual, ...others } = options
  const field = (stored: FieldOptions<number>['default']) =>
    value<number, O>(type, stored === undefined ? others : { ...others, default: stored }, optionNames)
  if (usual === undefined || isSetting(usual)) return field(usual)
  if (typeof usual === 'function') return field(() => type.toUnits(usual()))
  try {
    return field(type.toUnits(usual))
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    const defaultFault = `default ${JSON.stringify(usual)} ${error.message}`
    return value<number, O>({ ...type, defaultFault }, others, optionNames)
  }
}

/**
 * A number with a fixed count of decimals, held exactly as an integer of its smallest unit.
 *
 * @example decimal({ scale: 1, min: 0, max: 100 })
 */
export const decimal = <const O extends DecimalOptions>(options: Exactly<O, DecimalOptions>) =>
  decimalField<O>(decimalType('decimal', 'number', options), options)

interface MoneyOptions extends NumberOptions {
  /** The number of decimal places, where there is no currency: 2 unless given. */
  readonly scale?: number
  /** The currency by ISO 4217, such as `EUR`, or a setting: it gives the number of decimal places. */
  readonly currency?: string | Setting<string>
}

const moneyOptions: OptionNames<MoneyOptions> = { ...decimalOptions, currency: true }

/**
 * An amount in the minor units of the currency, which are hundredths unless `currency` or `scale` says otherwise; callers see and send
 * decimals.
 *
 * @example money({ currency: 'EUR', min: 0, default: 12.5 })
 */
export const money = <const O extends MoneyOptions>(options?: Exactly<O, MoneyOptions>) => {
  const own: MoneyOptions = options ?? {}
  return madeOf(own.currency, currency => {
    const scale = currency === undefined ? (own.scale ?? 2) : decimalsOf(currency)
    const type = decimalType('money', 'money', { ...own, scale })
    return decimalField<O>(currency === undefined ? type : { ...type, currency }, own, moneyOptions)
  })
}

/**
 * An amount as people write it → the whole number of minor units with which code works.
 *
 * @example
 * minorUnits(1250, 'JPY') // 1250
 * minorUnits(0.125, 3) // 125, for a decimal with three places
 */
export const minorUnits = (amount: number, of: string | number): number => {
  const scale = typeof of === 'number' ? of : decimalsOf(of)
  const units = Math.round(amount * 10 ** scale)
  if (!Number.isSafeInteger(units) || units / 10 ** scale !== amount)
    throw new RangeError(`${amount} has more than ${scale} decimal places, or too many digits`)
  return units
}

/**
 * An amount with two decimals → cents, in which code works with money.
 *
 * @example await records.create(parts, { name: 'Screw', price: cents(89.99) }) // 8999
 */
export const cents = (amount: number): number => minorUnits(amount, 2)

const knownDecimals = new Map<string, number>()

/**
 * How many decimal places amounts of a currency have: 2 for EUR, 0 for JPY, 3 for KWD.
 *
 * @example const yen = minorUnits(1200, decimalsOf('JPY')) // 1200
 */
export const decimalsOf = (currency: string): number => {
  const known = knownDecimals.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  knownDecimals.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}
