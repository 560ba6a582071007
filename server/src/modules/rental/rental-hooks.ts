// Rentals written through their collection: the copy follows, the price is captured, corrections leave a trace.

import { type FaultReason, fault } from '../../core/fault.ts'
import type { Change, Hooks } from '../../core/model/define.ts'
import type { Link, Values } from '../../core/model/record.ts'
import { changeStamps, type Writing } from '../../core/model/stamps.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { recordAudit } from '../audit/index.ts'
import { rentalFault } from './faults.ts'
import { type Copy, isAvailable } from './film-inventory-entries.ts'
import type { Strategy } from './film-pricing-strategies.ts'
import type { Film } from './films.ts'

export const rentalHooks: Hooks = {
  before: async (change, tx) => {
    const copy = await lockCopy(change, tx)
    if (change.kind === 'delete') {
      if (copy && isOut(change.before)) await release(tx, copy, change)
      return
    }
    if (change.kind === 'create') {
      change.values.rentalDate ??= change.now.toISOString()
      await capturePrice(change.values, copy, tx)
    } else {
      // A rental always has its day: a replacement that leaves it out keeps it.
      if (change.values.rentalDate === null) delete change.values.rentalDate
      await noteCorrections(change, tx)
    }
    checkDates(change)
    const opens = isOut({ ...change.before, ...change.values }) && !isOut(change.before)
    if (opens && !copy.available) throw new Problem('conflict', 'The copy cannot be rented now.')
  },
  after: async (change, tx) => {
    if (change.kind === 'delete') return
    const wasOut = isOut(change.before)
    const out = isOut({ ...change.before, ...change.values })
    if (out === wasOut) return
    const copy = await lockCopy(change, tx)
    if (out) await assign(tx, copy, change)
    else await release(tx, copy, change)
  },
}

const isOut = (rental: Readonly<Record<string, unknown>> | null): boolean =>
  rental !== null && (rental.returnDate ?? null) === null

const lockCopy = async ({ before, values }: Change, tx: Transaction): Promise<Copy> => {
  const pk = (before?.inventory as Link | undefined)?.pk ?? String(values.inventory)
  const copy = await tx.lock(tx.resource('filmInventoryEntries'), pk)
  if (copy) return copy as Copy
  const reason = fault('missing', { resource: 'filmInventoryEntries' })
  throw new Problem('unprocessable', { errors: [{ pointer: '/inventory', member: 'inventory', ...reason }] })
}

/** The copy goes out with this rental. */
const assign = (tx: Transaction, { pk }: Copy, change: Change): Promise<unknown> => {
  const copies = tx.resource('filmInventoryEntries')
  return tx.update(copies, pk, { currentRental: change.pk, available: false, ...changeStamps(copies, change) })
}

/** The copy is back. */
export const release = (tx: Transaction, { pk, status }: Copy, writing: Writing): Promise<unknown> => {
  const copies = tx.resource('filmInventoryEntries')
  const available = isAvailable({ currentRental: null, status })
  return tx.update(copies, pk, { currentRental: null, available, ...changeStamps(copies, writing) })
}

const capturePrice = async (values: Values, copy: Copy, tx: Transaction): Promise<void> => {
  const film = (await tx.get(tx.resource('films'), copy.film.pk)) as Film
  const strategies = tx.resource('filmPricingStrategies')
  const { pk, initialPrice, daysFree, dailyPrice } = (await tx.get(strategies, film.pricingStrategy.pk)) as Strategy
  Object.assign(values, { pricingStrategy: pk, initialPrice, daysFree, dailyPrice })
}

const checkDates = ({ values, before, now }: Change): void => {
  const { rentalDate, returnDate } = { ...before, ...values }
  const faults = [
    ...(Date.parse(String(rentalDate)) > now.getTime() ? [faultAt('rentalDate', rentalFault('future_rental'))] : []),
    ...(returnDate && String(returnDate) < String(rentalDate)
      ? [faultAt('returnDate', rentalFault('early_return'))]
      : []),
  ]
  if (faults.length > 0) throw new Problem('invalid', { detail: 'The dates cannot be true.', errors: faults })
}

const faultAt = (member: string, reason: FaultReason) => ({ pointer: `/${member}`, member, ...reason })

const corrected = ['rentalDate', 'returnDate'] as const

/** The rental shows what was corrected to all who see it; the auditors find it among their events. */
const noteCorrections = async ({ pk, values, before, caller, now }: Change, tx: Transaction): Promise<void> => {
  const changed = corrected
    .filter(member => member in values)
    .map(member => [member, `${before?.[member] ?? 'none'} -> ${values[member] ?? 'none'}`] as const)
  if (changed.length === 0) return
  const notes = changed.map(([member, change]) => `${now.toISOString()} ${caller.username}: ${member} ${change}`)
  values.corrections = [...((before?.corrections as string[] | null) ?? []), ...notes]
  const data = { rental: pk, ...Object.fromEntries(changed) }
  await recordAudit(tx, { type: 'RENTAL_CORRECTED', principal: caller.username, data, now })
}
