// Content that no file refers to: on its way in, or replaced and on its way out. It is noted before it is there and until it
// is gone, so that nothing is left behind, whenever the process ends.

import { defineResource } from '../../core/model/define.ts'
import { timestamp } from '../../core/model/fields.ts'
import type { Records, TransactionRecords } from '../../core/model/records.ts'
import type { Storage } from './storage.ts'

/** The pk is the key of the content. */
export const looseContents = defineResource('looseContents', {
  about: 'Content in the storage that no file refers to.',
  internal: true,
  stamps: 'none',
  fields: { since: timestamp({ required: true, indexed: true }) },
  access: {},
})

export const noteLoose = (records: TransactionRecords, keys: readonly string[], since: string): Promise<void> =>
  records.createAll(
    looseContents,
    keys.map(pk => ({ pk, since })),
  )

/** Files refer to it from now on; or it is gone. */
export const forgetLoose = async (records: Records, keys: readonly string[]): Promise<void> => {
  await records.removeWhere(looseContents, { pk: { in: keys } })
}

/** Removes what is loose of this, as far as it can be done now; the rest is swept up later. */
export const dropLoose = async (records: Records, storage: Storage, keys: readonly string[]): Promise<void> => {
  try {
    const loose = await records.find(looseContents, { where: { pk: { in: keys } } })
    for (const { pk } of loose) await removeLoose(records, storage, pk)
  } catch {
    // Nobody can reach it any more, so it is no reason to refuse anything.
  }
}

export const removeLoose = async (records: Records, storage: Storage, key: string): Promise<void> => {
  await storage.remove(key)
  await forgetLoose(records, [key])
}
