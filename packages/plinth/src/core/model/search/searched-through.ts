// Resources whose records give words to the index of others: the other way round from a declaration such as `search: ['author.name']`.

import type { Resource, SearchedThrough } from '../resource.ts'
import { searchIndexOf } from './search-index.ts'

/** Resources whose index has words of others, by the resource of those. */
export const searchedThrough = (resources: readonly Resource[]): ReadonlyMap<Resource, readonly SearchedThrough[]> => {
  const found = new Map<Resource, SearchedThrough[]>()
  for (const resource of resources) {
    if (resource.holder !== resource) continue
    const fieldsOf = new Map<Resource, { readonly texts: string[]; readonly relations: string[] }>()
    for (const { field, via } of searchIndexOf(resource)?.fields ?? []) {
      if (!via?.target) continue
      const names = fieldsOf.get(via.target.holder) ?? { texts: [], relations: [] }
      names.texts.push(field.name)
      if (via.inverseOf) names.relations.push(via.inverseOf.name)
      fieldsOf.set(via.target.holder, names)
    }
    for (const [holder, { texts, relations }] of fieldsOf) {
      const through = { resource, fields: new Set([...texts, ...relations]), relations: new Set(relations) }
      found.set(holder, [...(found.get(holder) ?? []), through])
    }
  }
  // The parts of a table have the records that lie in it.
  return new Map(resources.flatMap(one => (found.has(one.holder) ? [[one, found.get(one.holder) ?? []]] : [])))
}
