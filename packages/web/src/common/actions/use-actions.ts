// The endpoints of modules that the service offers as buttons, and those that can be called for a record.

import { useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { useLanguage } from '../../i18n/language.ts'
import { useSession } from '../../session/session.tsx'
import { toFieldUse } from '../records/schema.ts'
import type { UiField } from '../records/ui-schema.ts'
import type { FieldWithWidget } from '../records/widgets/widget.ts'

interface ActionDocument {
  readonly id: string
  readonly place: 'record' | 'list'
  readonly method: 'POST'
  /** The path with `{pk}` for the record. */
  readonly path: string
  readonly title: string
  readonly about?: string
  readonly confirm?: string
  /** Is something lost by it? */
  readonly isDestructive: boolean
  /** Is it for several selected records, too? */
  readonly isBulk: boolean
  readonly isConditional: boolean
  /** Why it cannot be called for other records. */
  readonly unavailable?: string
  readonly fields: Readonly<Record<string, UiField>>
}

/** A button, with the form of its body. */
export interface ActionWithForm extends Omit<ActionDocument, 'fields'> {
  readonly fields: readonly FieldWithWidget[]
}

const toAction = ({ fields, ...action }: ActionDocument): ActionWithForm => ({
  ...action,
  fields: Object.entries(fields).map(([name, field]) => toFieldUse(name, field)),
})

/** Does a dialog come first, for its question or the fields of its body? */
export const isAskedFirst = ({ confirm, isDestructive, fields }: ActionWithForm): boolean =>
  confirm !== undefined || isDestructive || fields.length > 0

/** The look of a button for it. */
export const lookOf = ({ isDestructive }: ActionWithForm): { readonly variant: string; readonly color?: string } =>
  isDestructive ? { variant: 'light', color: 'red' } : { variant: 'default' }

const none: readonly ActionWithForm[] = []

/** The endpoints for the list of a resource, or for its records, that the user may call. */
export const useActions = (resource: string, place: ActionWithForm['place']): readonly ActionWithForm[] => {
  const { user } = useSession()
  const { data = none } = useQuery({
    // What is offered depends on the user, and its words on the language.
    queryKey: ['actions', resource, user?.pk ?? null, useLanguage()],
    queryFn: async ({ signal }) => {
      const address = `/api/actions/${encodeURIComponent(resource)}`
      const { actions } = await get<{ readonly actions: readonly ActionDocument[] }>(address, { signal })
      return actions.map(toAction)
    },
    staleTime: 300_000,
    retry: false,
  })
  return data.filter(action => action.place === place)
}

interface KnownRecord {
  readonly resource: string
  readonly pk: string
  readonly version: unknown
}

/** Can the action be called for the record as it is? While that is not known it cannot. */
export const useIsPossible = (
  actions: readonly ActionWithForm[],
  record: KnownRecord,
): ((action: ActionWithForm) => boolean) => {
  const { resource, pk, version } = record
  const { data } = useQuery({
    // A record of another version is in another state.
    queryKey: ['possible actions', resource, pk, version],
    queryFn: async ({ signal }) => {
      const address = `/api/actions/${encodeURIComponent(resource)}/${encodeURIComponent(pk)}`
      return (await get<{ readonly actions: readonly string[] }>(address, { signal })).actions
    },
    enabled: actions.some(({ isConditional }) => isConditional),
    staleTime: 5_000,
    retry: false,
  })
  return ({ id, isConditional }) => !isConditional || data?.includes(id) === true
}
