// The counter: who may work there, and what was scanned.

import { toFilter } from '../../core/model/query.ts'
import type { RecordReader } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import { recordsFor } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { answerWith, find, type ItemTask } from '../../core/rest/item.ts'
import { allowed, type Context, type Permit, type Platform } from '../../core/rest/platform.ts'
import { users } from '../people/index.ts'
import { isSoundCode, trimScan } from './barcodes.ts'
import { clients } from './clients.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { rentals } from './rentals.ts'
import type { RentalSettings } from './settings.ts'

export interface RentalCounter {
  readonly settings: RentalSettings
  readonly platform: Platform
}

/** Who may rent out copies may do the counter's work: 401 or 403 for all others. */
export const mustServe = ({ platform }: RentalCounter): Permit => allowed(platform.registry.resource(rentals), 'create')

export const mayServe = ({ platform, caller }: Context): boolean =>
  platform.access.decide(platform.registry.resource(rentals), 'create', caller) !== false

/** What was scanned or typed, as a code to look for. A code that was misread says so. */
export const readCode = (scanned: string): string => {
  const code = trimScan(scanned)
  if (isSoundCode(code)) return code
  throw new Problem('bad_request', `The check digit of ${code} is wrong; scan it again.`)
}

/** The copy with this pk or barcode. */
export const findCopy = async (records: RecordReader, code: string): Promise<Copy | null> =>
  (await records.first(filmInventoryEntries, { pk: code })) ??
  (await records.first(filmInventoryEntries, { barcode: code }))

/** A user by pk or card, for those who serve at the counter; else the copy by pk or barcode; else 404. */
export const scan = async (context: Context, task: ItemTask): Promise<Answer> => {
  const { platform, caller } = context
  const code = readCode(task.request.params.pk ?? '')
  const { asService } = recordsFor(context)
  if (mayServe(context)) {
    const card = await asService.first(clients, { cardBarcode: code })
    const people = platform.registry.resource(users)
    const seen = platform.access.decide(people, 'read', caller)
    const record = seen && (await platform.store.get(people, card?.user.pk ?? code, { visible: toFilter(seen) }))
    if (record) return answerWith(context, { ...task, resource: people }, { record, status: 200 })
  }
  const copy = await findCopy(asService, code)
  const params = { ...task.request.params, pk: copy?.pk ?? code }
  return find(context, { ...task, request: { ...task.request, params } })
}
