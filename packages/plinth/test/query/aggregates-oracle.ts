// What aggregates must be, computed in JavaScript from records that were read one by one.

import type { Parsed } from '../../src/testing/client.ts'

type Cell = string | number | boolean | null

export interface OracleQuery {
  /** As in the address: `shop.name`, `at:month`. */
  readonly group: readonly string[]
  /** `count`, `sum.total`. */
  readonly measures: readonly string[]
  readonly filter: { readonly text: string; readonly holds: (record: Parsed) => boolean } | null
  readonly having: { readonly measure: string; readonly operator: string; readonly value: number } | null
  /** The names to sort by, with a minus for descending order. */
  readonly sort: readonly string[]
  readonly timeZone: string
}

export interface OracleGroup {
  readonly keys: readonly Cell[]
  readonly values: readonly Cell[]
}

/** Finds what the caller sees of a shop; null where it is hidden. */
export type ShopFinder = (pk: string) => Parsed | null

export const valueAt = (record: Parsed, path: string, shopOf: ShopFinder): Cell => {
  if (!path.includes('.') && path !== 'shop') return (record[path] ?? null) as Cell
  const link = record.shop as { pk: string } | null
  const shop = link && shopOf(link.pk)
  if (!shop) return null
  return (path === 'shop' ? shop.pk : (shop[path.slice('shop.'.length)] ?? null)) as Cell
}

/** The local time, by the clock of another language than the service uses. */
const localClock = (moment: string, timeZone: string): { day: string; minute: number; second: number } => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const [day = '', time = ''] = format.format(new Date(moment)).split(' ')
  const [, minute = '', second = ''] = time.split(':')
  return { day, minute: Number(minute), second: Number(second) }
}

export const periodOf = (value: string, unit: string, timeZone: string): string => {
  const isDay = value.length === 10
  const { day, minute, second } = isDay ? { day: value, minute: 0, second: 0 } : localClock(value, timeZone)
  const [year = '', month = ''] = day.split('-')
  switch (unit) {
    case 'hour': {
      const rest = Date.parse(value) % 1000
      return new Date(Date.parse(value) - minute * 60_000 - second * 1000 - rest).toISOString()
    }
    case 'day':
      return day
    case 'week': {
      const date = new Date(`${day}T12:00:00Z`)
      while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1)
      return date.toISOString().slice(0, 10)
    }
    case 'month':
      return `${year}-${month}-01`
    case 'quarter':
      return `${year}-${['01', '01', '01', '04', '04', '04', '07', '07', '07', '10', '10', '10'][Number(month) - 1]}-01`
    default:
      return `${year}-01-01`
  }
}

const scales: Readonly<Record<string, number>> = { total: 100, margin: 100, weight: 1000 }

const minutes = (text: string): number => {
  const [, hours = '0', rest = '0'] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:0S)?$/.exec(text) ?? []
  return Number(hours) * 60 + Number(rest)
}

const durationOf = (milliseconds: number): string => {
  const [h, m, s] = [
    Math.floor(milliseconds / 3_600_000),
    Math.floor((milliseconds % 3_600_000) / 60_000),
    (milliseconds % 60_000) / 1000,
  ]
  return `PT${[h && `${h}H`, m && `${m}M`, s && `${s}S`].filter(Boolean).join('') || '0S'}`
}

export const compareCells = (left: Cell, right: Cell): number => {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
}

const shares: Readonly<Record<string, number>> = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 }

/** The place among the ordered values may lie between two of them. */
const percentileOf = (values: readonly number[], share: number): number => {
  const ordered = values.toSorted((left, right) => left - right)
  const place = share * (ordered.length - 1)
  const [low = 0, high = 0] = [ordered[Math.floor(place)], ordered[Math.ceil(place)]]
  return low + (place - Math.floor(place)) * (high - low)
}

const measured = (measure: string, records: readonly Parsed[], shopOf: ShopFinder): Cell => {
  if (measure === 'count') return records.length
  const [kind = ''] = measure.split('.')
  const path = measure.slice(kind.length + 1)
  const values = records.map(record => valueAt(record, path, shopOf)).filter(value => value !== null)
  if (kind === 'distinct') return new Set(values).size
  if (values.length === 0) return null
  const field = path.split('.').at(-1) ?? ''
  const share = shares[kind]
  if (field === 'work') {
    const all = values.map(value => minutes(String(value)) * 60_000)
    if (share !== undefined) return durationOf(Math.round(percentileOf(all, share)))
    const sum = all.reduce((total, one) => total + one, 0)
    if (kind === 'sum') return durationOf(sum)
    if (kind === 'avg') return durationOf(Math.round(sum / all.length))
    return durationOf(kind === 'min' ? Math.min(...all) : Math.max(...all))
  }
  if (kind === 'min' || kind === 'max') {
    const ordered = values.toSorted(compareCells)
    return (kind === 'min' ? ordered[0] : ordered.at(-1)) ?? null
  }
  const scale = scales[field] ?? 1
  const amounts = values.map(value => Math.round(Number(value) * scale))
  if (share !== undefined) return percentileOf(amounts, share) / scale
  const sum = amounts.reduce<bigint>((total, amount) => total + BigInt(amount), 0n)
  return kind === 'sum' ? Number(sum) / scale : Number(sum) / (values.length * scale)
}

const holds = (value: Cell, operator: string, wanted: number): boolean => {
  if (operator === '!=') return value !== wanted
  if (value === null) return false
  if (operator === '>') return Number(value) > wanted
  return operator === '==' ? value === wanted : Number(value) <= wanted
}

export const aggregateOf = (
  records: readonly Parsed[],
  query: OracleQuery,
  shopOf: ShopFinder,
): readonly OracleGroup[] => {
  const { group, measures, filter, having, sort, timeZone } = query
  const keysOf = (record: Parsed) =>
    group.map(name => {
      const [path = '', unit] = name.split(':')
      const value = valueAt(record, path, shopOf)
      return unit === undefined || value === null ? value : periodOf(String(value), unit, timeZone)
    })
  const groups = new Map<string, { keys: Cell[]; records: Parsed[] }>()
  if (group.length === 0) groups.set('[]', { keys: [], records: [] })
  for (const record of records) {
    if (filter && !filter.holds(record)) continue
    const keys = keysOf(record)
    const key = JSON.stringify(keys)
    const known = groups.get(key) ?? { keys, records: [] }
    known.records.push(record)
    groups.set(key, known)
  }
  const found = [...groups.values()].filter(
    one => !having || holds(measured(having.measure, one.records, shopOf), having.operator, having.value),
  )
  const order = [...sort, ...group]
  const sortValue = (one: { keys: Cell[]; records: Parsed[] }, name: string): Cell => {
    const at = group.indexOf(name)
    return at >= 0 ? (one.keys[at] ?? null) : measured(name, one.records, shopOf)
  }
  found.sort((left, right) => {
    for (const signed of order) {
      const name = signed.replace(/^-/, '')
      const compared = compareCells(sortValue(left, name), sortValue(right, name))
      if (compared !== 0) return signed.startsWith('-') ? -compared : compared
    }
    return 0
  })
  return found.map(one => ({ keys: one.keys, values: measures.map(name => measured(name, one.records, shopOf)) }))
}
