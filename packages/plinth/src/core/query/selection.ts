// The parameters `fields`, `include` and `sort`: what is shown of the records, and in which order.

import { fault } from '../fault.ts'
import type { Visibility } from '../model/access.ts'
import type { Filter, Path, SortKey } from '../model/query.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import {
  excerpt,
  isOrdered,
  maxSteps,
  memberOf,
  note,
  noteUnknown,
  type Parameters,
  type QueryScope,
  readPath,
  single,
  stepInto,
  toName,
  tooCostly,
  typeOf,
} from './parameters.ts'

// `fields`: narrower views. Equal requests share one view, and with it what was compiled for it.

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
    const member = memberOf(type, name, scope.visibility)
    if (member) names.add(member.name)
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
  const members = [...view.members].filter(([name]) => name === 'pk' || names.has(name))
  const key = members.map(([name]) => name).join()
  let remembered = narrowed.get(view)
  if (!remembered || remembered.size >= maxRemembered) {
    remembered = new Map()
    narrowed.set(view, remembered)
  }
  let narrower = remembered.get(key)
  if (!narrower) {
    narrower = { resource: view.resource, members: new Map(members) }
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
    for (const { target } of here.members.values()) if (target) found.set(target.name, target)
  }
  reachable.set(resource, found)
  return found
}

/** How a resource is shown: narrowed if the caller asked so. */
export const viewsBy =
  (views: NarrowedViews, visibility: Visibility) =>
  (resource: Resource): View =>
    views.get(resource) ?? visibility.view(resource)

// `include`: a tree of relations to fetch along.

export interface IncludeNode {
  readonly relation: Member
  readonly target: Resource
  /** The caller's own filter on the target. */
  readonly linkFilter: Filter | null
  readonly deeper: readonly IncludeNode[]
}

interface IncludeDraft extends IncludeNode {
  readonly deeper: IncludeDraft[]
}

const maxPaths = 20

/** `film,customer.roles`; what several paths share is fetched once. */
export const readInclude = (
  text: string | undefined,
  resource: Resource,
  scope: QueryScope,
): readonly IncludeNode[] => {
  if (!text) return []
  const roots: IncludeDraft[] = []
  const seen = new Set<string>()
  let position = 0
  for (const entry of text.split(',')) {
    const path = entry.trim()
    if (path !== '' && !seen.has(path)) {
      seen.add(path)
      if (seen.size > maxPaths) {
        throw tooCostly(`'include' may name at most ${maxPaths} paths.`, { parameter: 'include', position })
      }
      grow(roots, { path, position: position + entry.indexOf(path), resource }, scope)
    }
    position += entry.length + 1
  }
  return roots
}

interface Branch {
  readonly path: string
  readonly position: number
  readonly resource: Resource
}

const grow = (roots: IncludeDraft[], { path, position, resource }: Branch, scope: QueryScope): void => {
  const names = path.split('.', maxSteps + 1)
  if (names.length > maxSteps) {
    const reason = fault('too_deep', { path: excerpt(path), max: maxSteps })
    note(scope.faults, { parameter: 'include', member: path, position, ...reason })
    return
  }
  let siblings = roots
  let here = resource
  let offset = 0
  for (const name of names) {
    let node = siblings.find(sibling => sibling.relation.name === name)
    if (!node) {
      const step = stepInto(memberOf(here, name, scope.visibility), scope.visibility)
      const mention = { parameter: 'include', name: path, position }
      if (!step) return void noteUnknown({ mention, name, offset, here, wants: 'relation' }, scope)
      node = { ...step, deeper: [] }
      siblings.push(node)
    }
    siblings = node.deeper
    here = node.target
    offset += name.length + 1
  }
}

// `sort`: keys that end with the pk, so that the order is total.

const maxKeys = 10

const defaults = new WeakMap<Resource, readonly SortKey[]>()

const byPk = (resource: Resource): readonly SortKey[] => {
  let sort = defaults.get(resource)
  if (!sort) {
    sort = [{ path: { steps: [], member: resource.pk }, descending: false }]
    defaults.set(resource, sort)
  }
  return sort
}

/** `title,-releaseYear,film.title`; a minus is descending, and a plus, which often arrives as a blank, ascending. */
export const readSort = (text: string | undefined, resource: Resource, scope: QueryScope): readonly SortKey[] => {
  if (!text) return byPk(resource)
  const keys = new Map<string, SortKey>()
  let position = 0
  for (const entry of text.split(',')) {
    const key = readKey(entry, position, { resource, scope })
    position += entry.length + 1
    if (!key) continue
    const name = toName(key.path)
    if (!keys.has(name)) keys.set(name, key)
    if (keys.size > maxKeys) {
      throw tooCostly(`'sort' may name at most ${maxKeys} members.`, { parameter: 'sort', position })
    }
  }
  return endWithPk([...keys.values()], resource)
}

/** No two records have the same pk: keys after it are checked like the others, but do not change the order. */
const endWithPk = (keys: readonly SortKey[], resource: Resource): readonly SortKey[] => {
  const at = keys.findIndex(({ path }) => path.steps.length === 0 && path.member === resource.pk)
  return at < 0 ? [...keys, ...byPk(resource)] : keys.slice(0, at + 1)
}

const readKey = (
  entry: string,
  start: number,
  { resource, scope }: { readonly resource: Resource; readonly scope: QueryScope },
): SortKey | null => {
  const trimmed = entry.trim()
  const isSigned = trimmed.startsWith('-') || trimmed.startsWith('+')
  const name = isSigned ? trimmed.slice(1).trimStart() : trimmed
  if (name === '') return null
  const position = start + entry.trimEnd().length - name.length
  const path = readPath({ parameter: 'sort', name, position }, resource, scope)
  const why = path && whyUnsortable(path)
  if (why) {
    const reason = fault('unsortable', { member: name, reason: why })
    note(scope.faults, { parameter: 'sort', member: name, position, ...reason })
  }
  return path && !why ? { path, descending: trimmed.startsWith('-') } : null
}

const whyUnsortable = ({ steps, member }: Path): string | null => {
  if (steps.some(step => step.relation.field.role !== 'one')) return 'it refers to several records'
  const type = typeOf(member)
  return type.column === 'boolean' || isOrdered(type) ? null : 'its values have no order'
}
