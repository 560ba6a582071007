// What modules add to the pages of a resource, as far as the user may use it.

import { useIsOn } from '../api/modules.ts'
import { isAllowed } from '../kit/caller-rule.ts'
import type { ListAction, RecordAction, RecordTab } from '../kit/define-web.ts'
import { useSession } from '../session/session.tsx'
import { type ModuleWeb, useModulePages } from './module-pages.ts'

interface OfResource {
  readonly resource: string
  readonly access?: string
}

const usePartsOf = <T extends OfResource>(
  resource: string,
  partsOf: (module: ModuleWeb) => readonly T[] | undefined,
): readonly T[] => {
  const { user } = useSession()
  const isOn = useIsOn()
  return useModulePages()
    .modules.filter(({ module }) => isOn(module, false))
    .flatMap(module => partsOf(module) ?? [])
    .filter(part => part.resource === resource && isAllowed(part.access, user))
}

export const useRecordTabs = (resource: string): readonly RecordTab[] =>
  usePartsOf(resource, ({ recordTabs }) => recordTabs)

export const useRecordActions = (resource: string): readonly RecordAction[] =>
  usePartsOf(resource, ({ recordActions }) => recordActions)

export const useListActions = (resource: string): readonly ListAction[] =>
  usePartsOf(resource, ({ listActions }) => listActions)
