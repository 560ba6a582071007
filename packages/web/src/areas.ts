// The areas that every application has, and those of its modules, in the order of the navigation.

import { IconActivity, IconChartBar, IconDatabase, IconHome, IconLayoutGrid, IconUserCircle } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useIsOn } from './api/modules.ts'
import { areaTexts } from './areas-dictionary.ts'
import { useReports } from './common/reports/reports.ts'
import { useText } from './i18n/dictionary.ts'
import { useTitles } from './i18n/title.ts'
import { isAllowed } from './kit/caller-rule.ts'
import type { Area, AreaIcon } from './kit/define-web.ts'
import { type ModuleWeb, useModulePages } from './module-pages/module-pages.ts'
import { useSession } from './session/session.tsx'

interface AreaPlace {
  /** The first segment of its addresses; it answers everything below it. */
  readonly path: string
  readonly icon: AreaIcon
  /** The module of the service that it needs; without it the area does not exist. */
  readonly module?: string
  /** Says that the area exists only while the service publishes endpoints of the module. */
  readonly needsEndpoints: boolean
  /** The rule that says who can open it. Others see that they have no access. */
  readonly access?: string
}

/** An area of the web client itself. Its name and explanation are in the dictionary. */
export interface OwnArea extends AreaPlace {
  readonly name: 'home' | 'resources' | 'reports' | 'management' | 'account'
  /** Says that its page needs the styles in `first-styles.ts` alone, so it does not wait for the others. */
  readonly isPlain?: boolean
  /** Arrives when it is first opened. */
  readonly page: () => Promise<{ readonly default: ComponentType }>
}

/** An area of a module. */
export interface ModuleAreaPlace extends AreaPlace {
  readonly declared: Area
}

export type AnyArea = OwnArea | ModuleAreaPlace

const firstAreas: readonly OwnArea[] = [
  {
    name: 'home',
    path: '',
    icon: IconHome,
    needsEndpoints: false,
    isPlain: true,
    page: () => import('./areas/home/home-page.tsx'),
  },
  {
    name: 'resources',
    path: 'resources',
    icon: IconDatabase,
    needsEndpoints: false,
    page: () => import('./areas/resources/resources-area.tsx'),
  },
]

const lastAreas: readonly OwnArea[] = [
  {
    name: 'management',
    path: 'management',
    module: 'management',
    icon: IconActivity,
    needsEndpoints: true,
    access: "caller.has('ROLE_SITE_OPERATOR')",
    page: () => import('./areas/management/management-area.tsx'),
  },
  {
    name: 'account',
    path: 'account',
    icon: IconUserCircle,
    needsEndpoints: false,
    access: 'caller.signedIn',
    page: () => import('./areas/account/account-area.tsx'),
  },
]

/** Exists where the user can see a report. A module may have an area of its own at this address. */
const reportArea: OwnArea = {
  name: 'reports',
  path: 'reports',
  icon: IconChartBar,
  needsEndpoints: false,
  page: () => import('./areas/reports/reports-area.tsx'),
}

export const ownAreas: readonly OwnArea[] = [...firstAreas, reportArea, ...lastAreas]

const areasOf = ({ module, areas = [] }: ModuleWeb): readonly ModuleAreaPlace[] =>
  areas
    // The web client itself comes first.
    .filter(({ path }) => ownAreas.every(own => own === reportArea || own.path !== path))
    .map(declared => ({
      ...{ path: declared.path, icon: declared.icon ?? IconLayoutGrid, module, declared },
      needsEndpoints: declared.needsEndpoints ?? false,
      ...(declared.access !== undefined && { access: declared.access }),
    }))

/** All areas, whether or not the user can open them. */
export const useAllAreas = (): readonly AnyArea[] => {
  const { modules } = useModulePages()
  const ofModules = modules.flatMap(areasOf)
  const isTaken = ofModules.some(({ path }) => path === reportArea.path)
  return [...firstAreas, ...(isTaken ? [] : [reportArea]), ...ofModules, ...lastAreas]
}

/** The areas that the user can open. */
export const useAreas = (): readonly AnyArea[] => {
  const { user } = useSession()
  const isOn = useIsOn()
  const hasReports = (useReports().data ?? []).length > 0
  return useAllAreas().filter(
    area =>
      isAllowed(area.access, user) && isOn(area.module, area.needsEndpoints) && (area !== reportArea || hasReports),
  )
}

interface AreaNames {
  readonly nameOf: (area: AnyArea) => string
  /** One sentence for the start page. */
  readonly aboutOf: (area: AnyArea) => string
}

export const useAreaNames = (): AreaNames => {
  const t = useText(areaTexts)
  const titleOf = useTitles()
  return {
    nameOf: area => ('declared' in area ? titleOf(area.declared.title) : t(area.name)),
    aboutOf: area => ('declared' in area ? titleOf(area.declared.about ?? '') : t(`${area.name}About`)),
  }
}
