// `sort`: keys that end with the pk, so that the order is total.

import { fault } from '../fault.ts'
import { distanceOf } from '../model/near.ts'
import type { Path, SortKey } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { scoreOf } from '../model/search/found-words.ts'
import { note, tooCostly } from './query-faults.ts'
import { readPath, toName } from './query-path.ts'
import { isOrdered, typeOf } from './query-value.ts'
import type { QueryScope } from './scope.ts'

const maxKeys = 10

const defaults = new WeakMap<Resource, readonly SortKey[]>()

const byPk = (resource: Resource): readonly SortKey[] => {
  let sort = defaults.get(resource)
  if (!sort) {
    sort = [{ path: { steps: [], field: resource.pk }, descending: false }]
    defaults.set(resource, sort)
  }
  return sort
}

/** The best matches of a search by words first. */
export const byScore = (resource: Resource): readonly SortKey[] => [
  { path: { steps: [], field: scoreOf(resource) }, descending: true },
  ...byPk(resource),
]

/** The nearest records first. */
export const byDistance = (resource: Resource): readonly SortKey[] => [
  { path: { steps: [], field: distanceOf(resource) }, descending: false },
  ...byPk(resource),
]

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
  const at = keys.findIndex(({ path }) => path.steps.length === 0 && path.field === resource.pk)
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

const whyUnsortable = ({ steps, field }: Path): string | null => {
  if (steps.some(step => step.relation.definition.role !== 'one')) return 'it refers to several records'
  const type = typeOf(field)
  return type.column === 'boolean' || isOrdered(type) ? null : 'its values have no order'
}
