// The history of records: reading it, restoring versions, and how long it is kept.

import { defineSettings } from '../../core/config/settings.ts'
import type { Sweep } from '../../core/jobs/sweep.ts'
import { integer } from '../../core/model/fields.ts'
import { defineModule } from '../../core/module.ts'
import { historyStarts } from '../../core/rest/history.ts'
import type { Service } from '../../core/service.ts'
import { historyEndpoints } from './endpoints.ts'

const historySettings = defineSettings('app.history', {
  keepDays: integer({
    default: 365,
    min: 0,
    max: 36_500,
    about: 'Days until entries of the history are deleted; 0 keeps them forever.',
  }),
})

/**
 * Notes that the history of each resource is complete from now on. One that keeps none any more starts again if it is
 * switched on.
 */
const noteStarts = async ({ platform: { registry, records, clock } }: Service): Promise<void> => {
  const names = registry.resources.filter(one => one.keepsHistory).map(({ name }) => name)
  const since = clock().toISOString()
  await records.transaction(async transaction => {
    for (const pk of names) await transaction.ensure(historyStarts, { pk, since })
    const others = (await transaction.find(historyStarts)).filter(({ pk }) => !names.includes(pk))
    if (others.length > 0)
      await transaction.removeMany(historyStarts, { where: { pk: { in: others.map(({ pk }) => pk) } } })
  })
}

const deleteOldEntries: Sweep = {
  name: 'deleting old entries of the history',
  run: async ({ platform, config }, { daysAgo, signal }) => {
    const { keepDays } = config.get(historySettings)
    if (keepDays === 0) return
    const since = daysAgo(keepDays)
    // First: from now on the history before this moment is hidden, because it becomes incomplete.
    await platform.records.updateMany(historyStarts, { where: { since: { lt: since } } }, { since })
    for (const resource of platform.registry.resources.filter(one => one.keepsHistory))
      while (!signal.aborted && (await platform.store.pruneHistory(resource, since)) > 0);
  },
}

export type { HistoryEndpoint } from './endpoints.ts'

export const historyModule = defineModule({
  name: 'history',
  title: { de: 'Verlauf' },
  about: { en: 'The changes of records.', de: 'Die Änderungen von Datensätzen.' },
  settings: [historySettings],
  resources: [],
  endpoints: historyEndpoints,
  sweeps: [deleteOldEntries],
  check: noteStarts,
})
