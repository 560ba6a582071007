// Content that no file refers to: on its way in, or replaced and on its way out. It is noted before it is there and until it
// is gone, so that nothing is left behind, whenever the process ends.

import { defineResource } from '../../core/model/define.ts'
import { timestamp } from '../../core/model/fields.ts'
import { among, everything } from '../../core/model/query.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import type { Store } from '../../core/store/store.ts'
import type { Storage } from './storage.ts'

/** The pk is the key of the content. */
export const looseContents = defineResource('looseContents', {
  about: 'Content in the storage that no file refers to.',
  internal: true,
  stamps: 'none',
  fields: { since: timestamp({ required: true, indexed: true }) },
  access: {},
})

export const noteLoose = (tx: Transaction, keys: readonly string[], since: string): Promise<void> =>
  tx.insertAll(
    tx.resource(looseContents.name),
    keys.map(pk => ({ pk, values: { since } })),
  )

/** Files refer to it from now on; or it is gone. */
export const forgetLoose = async (tx: Transaction, keys: readonly string[]): Promise<void> => {
  const loose = tx.resource(looseContents.name)
  await tx.removeWhere(loose, among(loose, keys))
}

/** Removes what is loose of this, as far as it can be done now; the rest is swept up later. */
export const dropLoose = async (store: Store, storage: Storage, keys: readonly string[]): Promise<void> => {
  const loose = store.resource(looseContents.name)
  try {
    const { records } = await store.find(loose, everything(loose, among(loose, keys)))
    for (const { pk } of records) await removeLoose(store, storage, pk)
  } catch {
    // Nobody can reach it any more, so it is no reason to refuse anything.
  }
}

export const removeLoose = async (store: Store, storage: Storage, key: string): Promise<void> => {
  await storage.remove(key)
  await store.transaction(tx => forgetLoose(tx, [key]))
}
