// The areas that every application has, and those of its modules, in the order of the navigation.

import { IconChartBar, IconDatabase, IconHome, IconLayoutGrid } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useIsOn } from './api/modules.ts'
import { areaTexts } from './areas-dictionary.ts'
import { useReports } from './common/reports/reports.ts'
import { useText } from './i18n/dictionary.ts'
import { addedTexts, useLanguage } from './i18n/language.ts'
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
  readonly needsEndpoints?: boolean
  /** The rule that says who can open it. Others see that they have no access. */
  readonly access?: string
  readonly place?: Area['place']
}

/** An area of the web client itself. Its name and explanation are in the dictionary. */
export interface OwnArea extends AreaPlace {
  readonly name: 'home' | 'resources' | 'reports'
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
    isPlain: true,
    page: () => import('./areas/home/home-page.tsx'),
  },
  {
    name: 'resources',
    path: 'resources',
    icon: IconDatabase,
    page: () => import('./areas/resources/resources-area.tsx'),
  },
]

/** Exists where the user can see a report. A module may have an area of its own at this address. */
const reportArea: OwnArea = {
  name: 'reports',
  path: 'reports',
  icon: IconChartBar,
  page: () => import('./areas/reports/reports-area.tsx'),
}

export const ownAreas: readonly OwnArea[] = [...firstAreas, reportArea]

const areasOf = ({ module, areas = [] }: ModuleWeb): readonly ModuleAreaPlace[] =>
  areas.map(declared => ({
    ...{ path: declared.path, icon: declared.icon ?? IconLayoutGrid, place: declared.place, module, declared },
    needsEndpoints: declared.needsEndpoints ?? false,
    ...(declared.access !== undefined && { access: declared.access }),
  }))

const places: readonly Area['place'][] = [undefined, 'service', 'user']

/** Where two areas have one address, the first has it: the web client's own, then those of the modules in their order. */
const withoutDoubles = (areas: readonly AnyArea[]): readonly AnyArea[] =>
  areas.filter(({ path }, at) => areas.findIndex(area => area.path === path) === at)

/** All areas, whether or not the user can open them. */
export const useAllAreas = (): readonly AnyArea[] => {
  const { modules } = useModulePages()
  const ofModules = modules.flatMap(areasOf)
  const isTaken = ofModules.some(({ path }) => path === reportArea.path)
  const all = withoutDoubles([...firstAreas, ...(isTaken ? [] : [reportArea]), ...ofModules])
  return places.flatMap(place => all.filter(area => area.place === place))
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

/** Returns the name of an area, and one sentence about it for the start page. */
export const useAreaNames = () => {
  const t = useText(areaTexts)
  const titleOf = useTitles()
  const texts = addedTexts(useLanguage())?.areas
  /** Languages of the application have the words of all areas in one dictionary, by their addresses. */
  const own = (name: string): string | undefined => {
    const text = texts?.[name]
    return typeof text === 'string' ? text : undefined
  }
  return {
    nameOf: (area: AnyArea): string =>
      'declared' in area ? (own(area.path) ?? titleOf(area.declared.title)) : t(area.name),
    aboutOf: (area: AnyArea): string =>
      'declared' in area ? (own(`${area.path}About`) ?? titleOf(area.declared.about ?? '')) : t(`${area.name}About`),
  }
}
