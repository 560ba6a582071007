// The counter: who may work there, and what was scanned.

import { type Call, Problem, type RecordReader, users } from 'plinth'
import { type Answer, answerRecord, type Context, canUse, mayUse, type ReadSettings } from 'plinth/module'
import { isSoundCode, trimScan } from './barcodes.ts'
import { clients } from './clients.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { rentals } from './rentals.ts'
import { type RentalSettings, readRentalSettings } from './settings.ts'

export interface RentalCounter {
  readonly settings: RentalSettings
}

/** Makes the counter of the settings in the context of an endpoint. */
export const counterOf = (settings: ReadSettings): RentalCounter => ({ settings: readRentalSettings(settings) })

/** Permits those who may rent out copies to do the counter's work: 401 or 403 for all others. */
export const mustServe = mayUse(rentals, 'create')

export const mayServe = (context: Context): boolean => canUse(context, rentals, 'create')

/** What was scanned or typed, as a code to look for. A code that was misread says so. */
export const readCode = (scanned: string): string => {
  const code = trimScan(scanned)
  if (isSoundCode(code)) return code
  throw new Problem('bad_request', `The check digit of ${code} is wrong; scan it again.`)
}

/** The copy with this pk or barcode. */
export const findCopy = async (records: RecordReader, code: string): Promise<Copy | null> =>
  (await records.first(filmInventoryEntries, { where: { pk: code } })) ??
  (await records.first(filmInventoryEntries, { where: { barcode: code } }))

/** A user by pk or card, for those who serve at the counter; else the copy by pk or barcode; else 404. */
export const scan = async ({
  context,
  records,
  request,
}: Pick<Call, 'context' | 'records' | 'request'>): Promise<Answer> => {
  const code = readCode(request.params.pk ?? '')
  if (mayServe(context) && canUse(context, users, 'read')) {
    const card = await records.asService.first(clients, { where: { cardBarcode: code } })
    const pk = card?.user.pk ?? code
    if (await records.first(users, { where: { pk } })) return answerRecord(context, users, { request, pk })
  }
  const copy = await findCopy(records.asService, code)
  return answerRecord(context, filmInventoryEntries, { request, pk: copy?.pk ?? code })
}
