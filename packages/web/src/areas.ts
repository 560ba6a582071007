// Every area of the client, in the order of the navigation. To add one: a folder in `areas`, and a record here.

import type { SessionUser } from '@plinth/client'
import {
  IconActivity,
  IconAffiliate,
  IconCashRegister,
  IconDatabase,
  IconHome,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useIsOn } from './api/modules.ts'
import type { Language } from './i18n/language.ts'
import { hasRole, useSession } from './session/session.tsx'

export interface Area {
  /** The first segment of its addresses; it answers everything below it. */
  readonly path: string
  readonly label: Readonly<Record<Language, string>>
  readonly about: Readonly<Record<Language, string>>
  readonly icon: ComponentType<{ size?: number | string }>
  /** The module of the service that it needs; without it the area does not exist. */
  readonly module?: string
  /** Who can open it. Others see that they have no access. */
  readonly isFor: (user: SessionUser | null) => boolean
  /** Arrives when it is first opened. */
  readonly page: () => Promise<{ readonly default: ComponentType }>
}

const signedIn = (user: SessionUser | null): boolean => user !== null

export const areas: readonly Area[] = [
  {
    path: '',
    label: { en: 'Start', de: 'Start' },
    about: { en: 'Overview', de: 'Überblick' },
    icon: IconHome,
    isFor: () => true,
    page: () => import('./areas/home/home-page.tsx'),
  },
  {
    path: 'resources',
    label: { en: 'Records', de: 'Datensätze' },
    about: {
      en: 'Search, view and edit records',
      de: 'Datensätze suchen, ansehen und bearbeiten',
    },
    icon: IconDatabase,
    isFor: () => true,
    page: () => import('./areas/resources/resources-area.tsx'),
  },
  {
    path: 'counter',
    module: 'rental',
    label: { en: 'Counter', de: 'Theke' },
    about: { en: 'Rent out and return films', de: 'Filme verleihen und zurücknehmen' },
    icon: IconCashRegister,
    isFor: user => hasRole(user, 'ROLE_STAFF'),
    page: () => import('./areas/counter/counter-area.tsx'),
  },
  {
    path: 'friends',
    module: 'friends',
    label: { en: 'Friends', de: 'Freunde' },
    about: { en: 'Your friends and who is online', de: 'Ihre Freunde und wer online ist' },
    icon: IconUsers,
    isFor: signedIn,
    page: () => import('./areas/friends/friends-area.tsx'),
  },
  {
    path: 'network',
    module: 'membership',
    label: { en: 'Network', de: 'Netzwerk' },
    about: { en: 'Memberships in business networks', de: 'Mitgliedschaften in Geschäftsnetzen' },
    icon: IconAffiliate,
    isFor: signedIn,
    page: () => import('./areas/network/network-area.tsx'),
  },
  {
    path: 'management',
    module: 'management',
    label: { en: 'Management', de: 'Verwaltung' },
    about: { en: 'Health, metrics, logs and errors', de: 'Status, Metriken, Protokolle und Fehler' },
    icon: IconActivity,
    isFor: user => hasRole(user, 'ROLE_SITE_OPERATOR'),
    page: () => import('./areas/management/management-area.tsx'),
  },
  {
    path: 'account',
    label: { en: 'Account', de: 'Konto' },
    about: { en: 'Your profile, password, devices and API keys', de: 'Ihr Profil, Passwort, Geräte und API-Schlüssel' },
    icon: IconUserCircle,
    isFor: signedIn,
    page: () => import('./areas/account/account-area.tsx'),
  },
]

/** The areas that the user can open. */
export const useAreas = (): readonly Area[] => {
  const { user } = useSession()
  const isOn = useIsOn()
  return areas.filter(({ module, isFor }) => isFor(user) && isOn(module))
}
