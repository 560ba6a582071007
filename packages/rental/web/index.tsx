// What the store adds to the web client: the counter.

import { defineArea, defineWeb } from '@plinth/web'
import { IconCashRegister } from '@tabler/icons-react'
import { lazy } from 'react'

const counter = defineArea({
  path: 'counter',
  title: { en: 'Counter', de: 'Theke' },
  about: { en: 'Rent out and return films', de: 'Filme verleihen und zurücknehmen' },
  icon: IconCashRegister,
  access: "caller.has('ROLE_STAFF')",
  page: lazy(() => import('./counter-area.tsx')),
})

export default defineWeb({ areas: [counter] })
