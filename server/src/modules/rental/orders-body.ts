// Orders as the client sends them back: `{customer, items: [Order], totalCost?}`.

import { fault } from '../../core/fault.ts'
import { Problem } from '../../core/problem.ts'
import { trimScan } from './barcodes.ts'
import { isObject, type Note, readDays, readObject, readPk, readReason, readWhole, rentalFault } from './faults.ts'
import { toMinor } from './money.ts'
import { type Condition, conditions } from './quote.ts'
import type { RentalSettings } from './settings.ts'

export interface Line {
  /** Where it stood in the body. */
  readonly pointer: string
  readonly codeAt: string
  /** The pk or the barcode of the copy. */
  readonly code: string
  /** The rental that the line returns; null rents the copy out. */
  readonly rentalId: string | null
  readonly cost: number
  readonly days: number
  readonly condition: Condition
}

export interface Orders {
  readonly customer: string | null
  readonly lines: readonly Line[]
  readonly totalCost: number | null
  /** Why an administrator lets a minor have what is not for minors. */
  readonly override: string | null
}

export const readOrders = (json: unknown, settings: RentalSettings): Orders => {
  const body = readObject(json)
  const name = body.items === undefined && body.orders !== undefined ? 'orders' : 'items'
  const items = readItems(body[name], settings)
  return readWhole(note => {
    const lines = items.map((item, at) => readLine(item, `/${name}/${at}`, { settings, note }))
    const customer = readPk(body.customer)
    const isGiven = body.customer !== undefined && body.customer !== null
    if (isGiven && customer === null) note('/customer', fault('reference'))
    else if (!isGiven && lines.some(line => line.rentalId === null)) note('/customer', fault('required'))
    const totalCost = readAmount(body.totalCost, settings.scale)
    if (totalCost === undefined) note('/totalCost', fault('decimal', { max: settings.scale }))
    const override = isObject(body.override) ? readReason(body.override, note) : null
    return { customer, lines, totalCost: totalCost ?? null, override }
  })
}

/** A list of at least one entry and not too many. */
export const readItems = (sent: unknown, { maxItems }: RentalSettings): readonly unknown[] => {
  if (!Array.isArray(sent)) throw new Problem('bad_request', 'The body needs a list `items`.')
  if (sent.length === 0) throw new Problem('bad_request', 'There are no items.')
  if (sent.length > maxItems) throw new Problem('too_costly', `At most ${maxItems} items are taken at once.`)
  return sent
}

/** Null when there is none, undefined when it cannot be read. */
const readAmount = (sent: unknown, scale: number): number | null | undefined =>
  sent === undefined || sent === null ? null : (toMinor(sent, scale) ?? undefined)

const readLine = (
  item: unknown,
  pointer: string,
  { settings, note }: { settings: RentalSettings; note: Note },
): Line => {
  if (!isObject(item)) {
    note(pointer, rentalFault('order'))
    return { pointer, codeAt: pointer, code: '', rentalId: null, cost: 0, days: 1, condition: 'good' }
  }
  const code = readPk(item.inventoryId ?? item.inventory)
  if (code === null) note(`${pointer}/inventoryId`, fault('required'))
  const rentalId = item.rentalId === undefined || item.rentalId === null ? null : readPk(item.rentalId)
  if (item.rentalId != null && rentalId === null) note(`${pointer}/rentalId`, fault('reference'))
  const cost = readAmount(item.cost, settings.scale)
  if (cost === null) note(`${pointer}/cost`, fault('required'))
  if (cost === undefined) note(`${pointer}/cost`, fault('decimal', { max: settings.scale }))
  const days = readDays(item.days)
  // A return goes by the calendar: whatever it says about days is not looked at.
  if (typeof days !== 'number' && rentalId === null) note(`${pointer}/days`, days)
  return {
    pointer,
    codeAt: `${pointer}/inventoryId`,
    code: trimScan(code ?? ''),
    rentalId,
    cost: cost ?? 0,
    days: typeof days === 'number' ? days : 1,
    condition: readCondition(item.condition, pointer, note),
  }
}

const readCondition = (sent: unknown, pointer: string, note: Note): Condition => {
  if (sent === undefined || sent === null) return 'good'
  const condition = conditions.find(known => known === sent)
  if (!condition) note(`${pointer}/condition`, fault('choice', { choices: conditions }))
  return condition ?? 'good'
}
