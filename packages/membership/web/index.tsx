// What business networks add to the web client: the memberships of this organisation and decisions about others.

import { defineArea, defineWeb } from '@plinth/web'
import { IconAffiliate } from '@tabler/icons-react'
import { lazy } from 'react'

const network = defineArea({
  path: 'network',
  title: { en: 'Network', de: 'Netzwerk' },
  about: { en: 'Memberships in business networks', de: 'Mitgliedschaften in Geschäftsnetzen' },
  icon: IconAffiliate,
  access: 'caller.signedIn',
  needsEndpoints: true,
  page: lazy(() => import('./network-area.tsx')),
})

export default defineWeb({ areas: [network] })
