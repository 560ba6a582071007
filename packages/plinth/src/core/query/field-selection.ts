// `fields`: narrower views. Equal requests share one view, and with it what was compiled for it.

import { fault } from '../fault.ts'
import type { Resource } from '../model/resource.ts'
import { vectorTypeOf } from '../model/vector-fields.ts'
import type { View } from '../model/view.ts'
import { type Parameters, single } from './parameters.ts'
import { excerpt, note } from './query-faults.ts'
import { fieldOf, noteUnknown } from './query-path.ts'
import type { QueryScope } from './scope.ts'

/** Narrowed views by resource; those not among them are seen whole. */
type NarrowedViews = ReadonlyMap<Resource, View>

const none: NarrowedViews = new Map()
const fieldsShape = /^fields\[([^[\]]+)\]$/

/** `fields[films]=title,description`, or `fields=…` for the searched resource. */
export const readFields = (parameters: Parameters, resource: Resource, scope: QueryScope): NarrowedViews => {
  let views: Map<Resource, View> | null = null
  for (const parameter of parameters.keys()) {
    if (parameter !== 'fields' && !parameter.startsWith('fields[')) continue
    const type = parameter === 'fields' ? resource : readType(parameter, resource, scope)
    if (!type) continue
    views ??= new Map()
    if (views.has(type)) {
      note(scope.faults, { parameter, ...fault('repeated_fields', { resource: type.name }) })
    }
    const text = single(parameters, parameter, scope.faults) ?? ''
    views.set(type, narrow(scope.visibility.view(type), readNames(text, { parameter, type }, scope)))
  }
  return views ?? none
}

const readType = (parameter: string, resource: Resource, { visibility, faults }: QueryScope): Resource | null => {
  const name = fieldsShape.exec(parameter)?.[1]
  const type = name === undefined ? undefined : reachableFrom(resource).get(name)
  // Types whose records the caller cannot see are as unknown as others.
  if (type && (type === resource || visibility.records(type) !== false)) return type
  const unknown = { parameter: excerpt(parameter), resource: resource.name }
  note(faults, { parameter, ...fault('unknown_type', unknown) })
  return null
}

interface Narrowing {
  readonly parameter: string
  readonly type: Resource
}

const readNames = (text: string, { parameter, type }: Narrowing, scope: QueryScope): ReadonlySet<string> => {
  const names = new Set<string>()
  const refused = new Set<string>()
  let position = 0
  for (const entry of text.split(',')) {
    const name = entry.trim()
    const field = fieldOf(type, name, scope.visibility)
    if (field) names.add(field.name)
    else if (name !== '' && !refused.has(name)) {
      refused.add(name)
      const mention = { parameter, name, position: position + entry.indexOf(name) }
      noteUnknown({ mention, name, offset: 0, here: type, wants: 'member' }, scope)
    }
    position += entry.length + 1
  }
  return names
}

const narrowed = new WeakMap<View, Map<string, View>>()
/** How many selections of one view are remembered; a caller who tries them all must not fill the memory. */
const maxRemembered = 100

const narrow = (view: View, names: ReadonlySet<string>): View => {
  const fields = [...view.fields].filter(([name]) => name === 'pk' || names.has(name))
  const key = fields.map(([name]) => name).join()
  let remembered = narrowed.get(view)
  if (!remembered || remembered.size >= maxRemembered) {
    remembered = new Map()
    narrowed.set(view, remembered)
  }
  let narrower = remembered.get(key)
  if (!narrower) {
    narrower = { resource: view.resource, fields: new Map(fields) }
    remembered.set(key, narrower)
  }
  return narrower
}

const reachable = new WeakMap<Resource, ReadonlyMap<string, Resource>>()

/** Every resource that an answer about this one may hold, by name: those that relations lead to. */
const reachableFrom = (resource: Resource): ReadonlyMap<string, Resource> => {
  const remembered = reachable.get(resource)
  if (remembered) return remembered
  const found = new Map([[resource.name, resource]])
  // Iteration over a Map also visits what is added during it.
  for (const here of found.values()) {
    for (const { target } of here.fields.values()) if (target) found.set(target.name, target)
  }
  reachable.set(resource, found)
  return found
}

const listed = new WeakMap<View, View>()

/** How records of lists are shown: without vectors, which are long and of no use to a reader. */
export const inLists = (view: View): View => {
  const known = listed.get(view)
  if (known) return known
  const names = [...view.fields].filter(([, field]) => !vectorTypeOf(field)).map(([name]) => name)
  const narrower = names.length === view.fields.size ? view : narrow(view, new Set(names))
  listed.set(view, narrower)
  return narrower
}
