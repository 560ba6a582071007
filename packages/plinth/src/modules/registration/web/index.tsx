// What registration adds to the web client: the account of the user who is signed in.

import { defineArea, defineWeb } from '@plinth/web'
import { IconUserCircle } from '@tabler/icons-react'
import { lazy } from 'react'

const account = defineArea({
  path: 'account',
  title: { en: 'Account', de: 'Konto' },
  about: {
    en: 'Your profile, password, devices and API keys',
    de: 'Ihr Profil, Passwort, Geräte und API-Schlüssel',
  },
  icon: IconUserCircle,
  place: 'user',
  access: 'caller.signedIn',
  page: lazy(() => import('./account-area.tsx')),
})

export default defineWeb({ areas: [account] })
