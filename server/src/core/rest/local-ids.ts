// Local identifiers of an atomic request: names for records that its earlier operations make.

import type { AtomicOperation } from './atomic-body.ts'

/** The pk that each has led to, by type and `lid`. */
export type LocalIds = Map<string, string>

type Named = Pick<AtomicOperation, 'type' | 'lid'>

export const localKeyOf = ({ type, lid }: Named): string => `${type} ${lid}`

/** Identifier objects with a `lid` get the `id` that the earlier operation led to. */
export const withLocalIds = (data: unknown, localIds: LocalIds): unknown => {
  if (Array.isArray(data)) return data.map(one => withLocalIds(one, localIds))
  if (typeof data !== 'object' || data === null) return data
  const { type, lid, id, relationships } = data as Record<string, unknown>
  const isLocal = id === undefined && typeof type === 'string' && typeof lid === 'string'
  const known = isLocal ? localIds.get(localKeyOf({ type, lid })) : undefined
  return {
    ...data,
    ...(known !== undefined && { id: known }),
    ...(typeof relationships === 'object' &&
      relationships !== null && { relationships: linkedRelationships(relationships, localIds) }),
  }
}

const linkedRelationships = (relationships: object, localIds: LocalIds): object =>
  Object.fromEntries(
    Object.entries(relationships).map(([name, one]) => [
      name,
      typeof one === 'object' && one !== null && 'data' in one
        ? { ...one, data: withLocalIds(one.data, localIds) }
        : one,
    ]),
  )
