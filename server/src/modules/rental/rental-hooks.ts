// Whenever a rental is written, its copy follows and its price is captured; corrections leave a trace.

import { type FaultReason, fault } from '../../core/fault.ts'
import type { Change, Hooks } from '../../core/model/define.ts'
import type { Link, Values } from '../../core/model/record.ts'
import type { RecordReader } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import { defineAudit } from '../audit/index.ts'
import { rentalFault } from './faults.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { filmPricingStrategies } from './film-pricing-strategies.ts'
import { films } from './films.ts'

export const rentalAudit = defineAudit(['RENTAL_CORRECTED'])

export const rentalHooks: Hooks = {
  before: async change => {
    const records = change.records.asService
    const copy = await lockCopy(change)
    if (change.kind === 'delete') {
      if (isOut(change.before)) await records.update(filmInventoryEntries, copy.pk, { currentRental: null })
      return
    }
    if (change.kind === 'create') {
      change.values.rentalDate ??= change.now.toISOString()
      await capturePrice(change.values, copy, records)
    } else {
      // A rental always has its day: a replacement that leaves it out keeps it.
      if (change.values.rentalDate === null) delete change.values.rentalDate
      // What the counter itself writes is no correction.
      if (!change.isService) await noteCorrections(change)
    }
    checkDates(change)
    const opens = isOut({ ...change.before, ...change.values }) && !isOut(change.before)
    if (opens && !copy.available) throw new Problem('conflict', 'The copy cannot be rented now.')
  },
  after: async change => {
    if (change.kind === 'delete') return
    const out = isOut({ ...change.before, ...change.values })
    if (out === isOut(change.before)) return
    const { pk } = await lockCopy(change)
    const currentRental = out ? change.pk : null
    await change.records.asService.update(filmInventoryEntries, pk, { currentRental })
  },
}

const isOut = (rental: Readonly<Record<string, unknown>> | null): boolean =>
  rental !== null && (rental.returnDate ?? null) === null

const lockCopy = async ({ before, values, records }: Change): Promise<Copy> => {
  const pk = (before?.inventory as Link | undefined)?.pk ?? String(values.inventory)
  const copy = await records.asService.lock(filmInventoryEntries, pk)
  if (copy) return copy
  const reason = fault('missing', { resource: 'filmInventoryEntries' })
  throw new Problem('unprocessable', { errors: [{ pointer: '/inventory', member: 'inventory', ...reason }] })
}

const capturePrice = async (values: Values, copy: Copy, records: RecordReader): Promise<void> => {
  const { pricingStrategy } = await records.get(films, copy.film.pk)
  const { pk, initialPrice, daysFree, dailyPrice } = await records.get(filmPricingStrategies, pricingStrategy.pk)
  Object.assign(values, { pricingStrategy: pk, initialPrice, daysFree, dailyPrice })
}

const checkDates = ({ values, before, now }: Change): void => {
  const { rentalDate, returnDate } = { ...before, ...values }
  const faults = [
    ...(values.rentalDate && String(rentalDate) > now.toISOString()
      ? [faultAt('rentalDate', rentalFault('future_rental'))]
      : []),
    ...(returnDate && String(returnDate) < String(rentalDate)
      ? [faultAt('returnDate', rentalFault('early_return'))]
      : []),
  ]
  if (faults.length > 0) throw new Problem('invalid', { detail: 'The dates cannot be true.', errors: faults })
}

const faultAt = (member: string, reason: FaultReason) => ({ pointer: `/${member}`, member, ...reason })

const corrected = ['rentalDate', 'returnDate'] as const

/** The rental shows what was corrected to all who see it; the auditors find it among their events. */
const noteCorrections = async ({ pk, values, before, caller, now, records }: Change): Promise<void> => {
  const changed = corrected
    .filter(member => member in values)
    .map(member => [member, `${before?.[member] ?? 'none'} -> ${values[member] ?? 'none'}`] as const)
  if (changed.length === 0) return
  const notes = changed.map(([member, change]) => `${now.toISOString()} ${caller.username}: ${member} ${change}`)
  values.corrections = [...((before?.corrections as string[] | null) ?? []), ...notes]
  const data = { rental: pk, ...Object.fromEntries(changed) }
  await rentalAudit.record(records.tx, { type: 'RENTAL_CORRECTED', principal: caller.username, data, now })
}
