// What the library adds to the web client.

import { defineArea, defineWeb } from '@plinth/web'
import { lazy } from 'react'

const overdue = defineArea({
  path: 'overdue',
  title: { en: 'Overdue', de: 'Überfällig' },
  about: { en: 'Books that should be back', de: 'Bücher, die zurück sein sollten' },
  access: "caller.has('ROLE_STAFF')",
  page: lazy(() => import('./overdue-page.tsx')),
})

export default defineWeb({ areas: [overdue] })
