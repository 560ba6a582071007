// The schema of a resource, with a widget for each field: everything on these pages is drawn from it.

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { type Item, recordPath } from '../../api/records.ts'
import { type Language, useLanguage } from '../../i18n/language.ts'
import { widgetFor, widgetForType } from '../../module-pages/module-widget.tsx'
import type { FieldSchema, Schema, UiField, UiSchema, UseCase, UseOf } from './ui-schema.ts'
import { shortId } from './value-text.ts'
import { type WidgetType, widgets } from './widgets/index.ts'
import type { FieldWithWidget, Widget } from './widgets/widget.ts'

const isKnown = (name: string): name is WidgetType => Object.hasOwn(widgets, name)

/** A widget that is not known here, such as that of a newer service, is shown as text. */
const widgetOf = ({ widget }: UiField): Widget => {
  const type = isKnown(widget) ? widget : 'text'
  return widgetForType(type, widgets[type])
}

export const fieldsFor = (schema: Schema, useCase: UseCase): readonly FieldWithWidget[] =>
  schema.useCases[useCase].flatMap(use => fieldFor(schema, use) ?? [])

/** A field of a form that is no use case of a resource, such as the body of an endpoint. */
export const toFieldUse = (name: string, field: UiField): FieldWithWidget => ({
  ...field,
  ...{ name, json: undefined, widget: widgetOf(field), isNeeded: field.required, isLocked: false },
})

/** Returns undefined for a field that the service does not describe. */
export const fieldFor = (schema: Schema, use: UseOf): FieldWithWidget | undefined => {
  const { field: name, required: isNeeded = false, readOnly: isLocked = false } = use
  const field = schema.fields[name]
  if (!field) return undefined
  const resource = schema.pathFragment
  return {
    ...field,
    name,
    resource,
    json: schema.json.properties?.[name],
    widget: widgetFor(resource, name, widgetOf(field)),
    isNeeded,
    isLocked,
  }
}

/** Does the field lead to a record that exists only together with this one? */
export const isPart = ({ relation }: FieldWithWidget): boolean => relation?.kind === 'one' && relation.by !== undefined

/** Would a deleted record come back as it was? An empty field that has a default would come back with the default. */
export const canRestore = (schema: Schema, record: Item): boolean =>
  schema.rights.restore &&
  fieldsFor(schema, 'create').every(
    ({ name, default: usual }) => usual === undefined || (record[name] ?? null) !== null,
  )

/** What any one record is called. */
export const singularOf = (schema: Schema): string => schema.json.title ?? schema.title

/** The singular title inside a sentence: in English without the capital, except in abbreviations such as `API key`. */
export const nounOf = (schema: Schema, language: Language): string => {
  const title = singularOf(schema)
  const keepsCapital = language !== 'en' || /^.[A-Z]/.test(title)
  return keepsCapital ? title : title.charAt(0).toLowerCase() + title.slice(1)
}

/** What this record is called; without a name of its own, by its kind and the end of its identifier. */
export const titleOf = (schema: Schema, record: Item): string =>
  String((schema.label && record[schema.label]) || `${singularOf(schema)} ${shortId(record.pk)}`)

const fetchSchema = async (resource: string, signal: AbortSignal): Promise<Schema> => {
  const base = recordPath(resource)
  const [ui, json] = await Promise.all([
    get<UiSchema>(`${base}/uischema`, { signal }),
    get<FieldSchema>(`${base}/jsonschema`, { signal }),
  ])
  return { ...ui, json }
}

export const useSchema = (resource: string): UseQueryResult<Schema> =>
  useQuery({
    // Labels and descriptions come in the language that is asked for.
    queryKey: ['schema', resource, useLanguage()],
    queryFn: ({ signal }) => fetchSchema(resource, signal),
    staleTime: 300_000,
    placeholderData: (known, query) => (query?.queryKey[1] === resource ? known : undefined),
  })
