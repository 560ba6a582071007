// The management of the service in the web client: its state, its work and its errors.

import { defineArea, defineWeb } from '@plinth/web'
import { IconActivity } from '@tabler/icons-react'
import { lazy } from 'react'

const management = defineArea({
  path: 'management',
  title: { en: 'Management', de: 'Verwaltung' },
  about: { en: 'Health, metrics, logs and errors', de: 'Status, Metriken, Protokolle und Fehler' },
  icon: IconActivity,
  place: 'service',
  access: "caller.has('ROLE_SITE_OPERATOR')",
  needsEndpoints: true,
  page: lazy(() => import('./management-area.tsx')),
})

export default defineWeb({ areas: [management] })
