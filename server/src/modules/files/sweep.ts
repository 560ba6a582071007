// Files whose record is gone are removed, some time after it.

import { everything } from '../../core/model/query.ts'
import { repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { files } from './files.ts'
import { createStorage, type Storage } from './storage.ts'

const pause = 6 * 3600_000

export const startSweeping = async (service: Service): Promise<() => Promise<void>> =>
  repeatedly(service, { name: 'removing old files', pause, round: () => sweep(service) })

const sweep = async (service: Service): Promise<void> => {
  const { store, registry } = service.platform
  const table = registry.resource(files.name)
  let storage: Storage | null = null
  for await (const batch of store.stream(table, everything(table))) {
    for (const { pk, resource, owner } of batch) {
      const isOwned =
        registry.has(String(resource)) && (await store.get(registry.resource(String(resource)), String(owner)))
      if (isOwned) continue
      storage ??= await createStorage(service.config)
      await storage.remove(pk)
      await store.transaction(tx => tx.remove(table, pk))
    }
  }
}
