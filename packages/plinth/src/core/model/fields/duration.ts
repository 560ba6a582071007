// Durations: ISO 8601 for callers, whole milliseconds for code and the database, so that they are compared and added.

import { fault } from '../../fault.ts'
import type { Exactly, FieldOptions, OptionNames } from '../field-options.ts'
import { isSetting } from '../setting.ts'
import { ValueFault } from '../value-fault.ts'
import type { ValueType } from '../value-field.ts'
import { fieldOptions, value } from './value.ts'

const [second, minute, hour, day, week] = [1000, 60_000, 3_600_000, 86_400_000, 604_800_000]

// Years and months are no durations: their length depends on where they begin.
const shape =
  /^(?<sign>-)?P(?=.)(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=\d)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:[.,]\d{1,3})?)S)?)?$/

/** `PT2H26M` → milliseconds. ValueFault for a text that is none. */
export const readDuration = (text: unknown): number => {
  const parts = typeof text === 'string' && text.length <= 40 ? shape.exec(text)?.groups : undefined
  if (!parts) throw new ValueFault(fault('duration'))
  const { sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = '0' } = parts
  const whole = Number(weeks) * week + Number(days) * day + Number(hours) * hour + Number(minutes) * minute
  const milliseconds = whole + Math.round(Number(seconds.replace(',', '.')) * second)
  if (!Number.isSafeInteger(milliseconds)) throw new ValueFault(fault('too_large'))
  return sign && milliseconds > 0 ? -milliseconds : milliseconds
}

/** Milliseconds → `PT26H`, without days: these are not always of 24 hours. */
export const writeDuration = (milliseconds: number): string => {
  const all = Math.abs(milliseconds)
  const [hours, minutes, seconds] = [Math.floor(all / hour), Math.floor((all % hour) / minute), (all % minute) / second]
  const time = [hours > 0 && `${hours}H`, minutes > 0 && `${minutes}M`, seconds > 0 && `${seconds}S`].filter(Boolean)
  return `${milliseconds < 0 ? '-' : ''}PT${time.join('') || '0S'}`
}

/** Limits and the default are given as callers send values: `duration({ max: 'PT8H', default: 'PT30M' })`. */
interface DurationOptions extends FieldOptions<string> {
  /** The minimum of a duration: 0 unless given. */
  readonly min?: string
  readonly max?: string
}

const durationOptions: OptionNames<DurationOptions> = { ...fieldOptions, min: true, max: true }

const durationType = ({ min = 'PT0S', max }: DurationOptions): ValueType<number> => {
  const limits = [() => readDuration(min), () => (max === undefined ? Number.POSITIVE_INFINITY : readDuration(max))]
  const defaultFault = limits.map(faultOf).find(message => message !== undefined)
  return {
    name: 'duration',
    column: 'integer',
    schema: { type: 'string', format: 'duration' },
    widget: 'duration',
    ...(defaultFault !== undefined && { defaultFault: `a limit ${defaultFault}` }),
    read: input => {
      const duration = readDuration(input)
      const [lowest = 0, highest = 0] = limits.map(limit => limit())
      if (duration < lowest) throw new ValueFault(fault('min_duration', { min }))
      if (duration > highest) throw new ValueFault(fault('max_duration', { max: max ?? '' }))
      return duration
    },
    readText: readDuration,
    show: writeDuration,
    checkStored: milliseconds => {
      if (Number.isSafeInteger(milliseconds)) return
      throw new ValueFault({ ...fault('whole_number'), message: 'must be a whole number of milliseconds' })
    },
    wildcards: false,
  }
}

const faultOf = (read: () => number): string | undefined => {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof ValueFault) return error.message
    throw error
  }
}

/**
 * How long something takes: `PT2H26M` for callers, milliseconds for code.
 *
 * @example duration({ max: 'PT8H', default: 'PT30M' })
 */
export const duration = <const O extends DurationOptions>(options?: Exactly<O, DurationOptions>) => {
  const { default: usual, ...others }: DurationOptions = options ?? {}
  const type = durationType(others)
  const field = (stored: FieldOptions<number>['default'], of = type) =>
    value<number, O, unknown, string>(
      of,
      stored === undefined ? others : { ...others, default: stored },
      durationOptions,
    )
  if (usual === undefined) return field(usual)
  // Settings of this type have their values in stored form.
  if (isSetting(usual)) return field(usual as unknown as FieldOptions<number>['default'])
  if (typeof usual === 'function') return field(() => readDuration(usual()))
  const message = faultOf(() => readDuration(usual))
  return message === undefined
    ? field(readDuration(usual))
    : field(undefined, { ...type, defaultFault: `default ${JSON.stringify(usual)} ${message}` })
}
