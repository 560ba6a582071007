// Deleted records: restoring them, and how long they are kept.

import { defineSettings } from '../../core/config/settings.ts'
import type { Sweep } from '../../core/jobs/sweep.ts'
import { integer } from '../../core/model/fields.ts'
import { defineModule } from '../../core/module.ts'
import { auditPurge, trashAudit, trashEndpoints } from './endpoints.ts'

const trashSettings = defineSettings('app.trash', {
  days: integer({
    default: 30,
    min: 0,
    max: 36_500,
    about: 'Days until records in the trash are deleted for good; 0 keeps them forever.',
  }),
})

const purgeTrash: Sweep = {
  name: 'deleting old records from the trash',
  run: async ({ platform, config }, { daysAgo, signal }) => {
    const { days } = config.get(trashSettings)
    if (days === 0) return
    const before = daysAgo(days)
    while (!signal.aborted && (await platform.store.purgeTrash(before)) > 0);
  },
}

export type { TrashEndpoint } from './endpoints.ts'

export const trashModule = defineModule({
  name: 'trash',
  title: { de: 'Papierkorb' },
  about: {
    en: 'Deleted records, until they are deleted for good.',
    de: 'Gelöschte Datensätze, bis sie endgültig gelöscht werden.',
  },
  settings: [trashSettings],
  auditTypes: trashAudit.types,
  resources: [],
  endpoints: trashEndpoints,
  onPurge: auditPurge,
  sweeps: [purgeTrash],
})
