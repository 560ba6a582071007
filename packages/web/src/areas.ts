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
import type { AreaText } from './areas-dictionary.ts'
import { hasRole, useSession } from './session/session.tsx'

export interface Area {
  /** The first segment of its addresses; it answers everything below it. */
  readonly path: string
  readonly label: AreaText
  readonly about: AreaText
  readonly icon: ComponentType<{ size?: number | string }>
  /** The module of the service that it needs; without it the area does not exist. */
  readonly module?: string
  /** Says whether a user can open it. Others see that they have no access. */
  readonly isFor: (user: SessionUser | null) => boolean
  /** Says that its page needs the styles in `first-styles.ts` alone, so it does not wait for the others. */
  readonly isPlain?: boolean
  /** Arrives when it is first opened. */
  readonly page: () => Promise<{ readonly default: ComponentType }>
}

const signedIn = (user: SessionUser | null): boolean => user !== null

export const areas: readonly Area[] = [
  {
    path: '',
    label: 'home',
    about: 'homeAbout',
    icon: IconHome,
    isFor: () => true,
    isPlain: true,
    page: () => import('./areas/home/home-page.tsx'),
  },
  {
    path: 'resources',
    label: 'resources',
    about: 'resourcesAbout',
    icon: IconDatabase,
    isFor: () => true,
    page: () => import('./areas/resources/resources-area.tsx'),
  },
  {
    path: 'counter',
    module: 'rental',
    label: 'counter',
    about: 'counterAbout',
    icon: IconCashRegister,
    isFor: user => hasRole(user, 'ROLE_STAFF'),
    page: () => import('./areas/counter/counter-area.tsx'),
  },
  {
    path: 'friends',
    module: 'friends',
    label: 'friends',
    about: 'friendsAbout',
    icon: IconUsers,
    isFor: signedIn,
    page: () => import('./areas/friends/friends-area.tsx'),
  },
  {
    path: 'network',
    module: 'membership',
    label: 'network',
    about: 'networkAbout',
    icon: IconAffiliate,
    isFor: signedIn,
    page: () => import('./areas/network/network-area.tsx'),
  },
  {
    path: 'management',
    module: 'management',
    label: 'management',
    about: 'managementAbout',
    icon: IconActivity,
    isFor: user => hasRole(user, 'ROLE_SITE_OPERATOR'),
    page: () => import('./areas/management/management-area.tsx'),
  },
  {
    path: 'account',
    label: 'account',
    about: 'accountAbout',
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
