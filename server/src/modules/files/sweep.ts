// Files whose record is gone are removed, some time after it, and uploads that an end of the process cut off.

import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { everything } from '../../core/model/query.ts'
import { repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { files } from './files.ts'
import { stagingOf } from './staging.ts'
import { createStorage, type Storage } from './storage.ts'

const pause = 6 * 3600_000

export const startSweeping = async (service: Service): Promise<() => Promise<void>> =>
  repeatedly(service, { name: 'removing old files', pause, round: () => sweepAll(service) })

const sweepAll = async (service: Service): Promise<void> => {
  await sweepStaging(stagingOf(service.config.get('app.dataDir')))
  await sweep(service)
}

/** Far longer than any request lasts: what is younger may be on its way in, at this instance or another. */
const stagedFor = 24 * 3600_000

const sweepStaging = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    // The time of a file is the machine's own.
    const since = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (since > stagedFor) await rm(path, { force: true })
  }
}

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
