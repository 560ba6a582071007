// What friends add to the web client: people, requests, and who is online.

import { defineArea, defineWeb } from '@plinth/web'
import { IconUsers } from '@tabler/icons-react'
import { lazy } from 'react'

const friends = defineArea({
  path: 'friends',
  title: { en: 'Friends', de: 'Freunde' },
  about: { en: 'Your friends and who is online', de: 'Ihre Freunde und wer online ist' },
  icon: IconUsers,
  access: 'caller.signedIn',
  page: lazy(() => import('./friends-area.tsx')),
})

export default defineWeb({ areas: [friends] })
