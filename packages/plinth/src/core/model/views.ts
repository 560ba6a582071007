// What one caller may see: records and fields. Callers with the same rights share one view, and with it all that was compiled for it.

import type { Caller } from './caller.ts'
import type { Filter } from './query.ts'
import type { Resource, ResourceField } from './resource.ts'
import type { FieldRules } from './rule-book.ts'
import type { View } from './view.ts'

/**
 * Everything that one caller may see. Asked wherever a search, a relation or an include leaves one resource for
 * another, so that no way of reading shows more than reading the record itself would.
 */
export interface Visibility {
  /** All records, none of them, or those that match. */
  records(resource: Resource): boolean | Filter
  /** The fields that the caller may read. Others behave as if they did not exist. */
  view(resource: Resource): View
}

export const createViews = (fieldRules: ReadonlyMap<ResourceField, FieldRules>) => {
  const known = new Map<Resource, ReturnType<typeof createViewsOf>>()
  return (resource: Resource, caller: Caller): View => {
    let viewsOf = known.get(resource)
    if (!viewsOf) {
      viewsOf = createViewsOf(resource, fieldRules)
      known.set(resource, viewsOf)
    }
    return viewsOf(caller)
  }
}

const createViewsOf = (resource: Resource, fieldRules: ReadonlyMap<ResourceField, FieldRules>) => {
  const readable = [...resource.fields.values()].filter(field => !field.definition.options.writeOnly)
  const whole = toView(resource, readable)
  const guarded = readable.filter(field => fieldRules.get(field)?.readable)
  if (guarded.length === 0) return () => whole
  const byHidden = new Map<string, View>()
  return (caller: Caller): View => {
    const hidden = guarded.filter(field => fieldRules.get(field)?.readable?.decide(caller) === false)
    if (hidden.length === 0) return whole
    const key = hidden.map(field => field.name).join()
    let view = byHidden.get(key)
    if (!view) {
      view = toView(
        resource,
        readable.filter(field => !hidden.includes(field)),
      )
      byHidden.set(key, view)
    }
    return view
  }
}

const toView = (resource: Resource, fields: readonly ResourceField[]): View => ({
  resource,
  fields: new Map(fields.map(field => [field.name, field])),
})
