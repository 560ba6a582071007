// Reads queries again when their records change. Components that show the same records share one subscription.

import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ClientCore } from '../client.ts'
import type { UntypedSchema } from '../schema.ts'

export type AnyClient = ClientCore<UntypedSchema>

const ids = new WeakMap<object, number>()
let lastId = 0

/** What a client reads is kept apart from what others read, who may be other users. */
export const rootKey = (client: object): readonly ['plinth', number] => {
  const id = ids.get(client) ?? ++lastId
  ids.set(client, id)
  return ['plinth', id]
}

/** Everything that was read of a resource, or of one of its records. */
export const resourceKey = (client: object, resource: string): QueryKey => [...rootKey(client), resource]
export const recordKey = (client: object, resource: string, pk: string | null): QueryKey => [
  ...resourceKey(client, resource),
  'record',
  pk,
]

/**
 * A read that is under way may have missed the change, so another one follows it. It is not cancelled: changes that arrive faster
 * than a read takes would keep the page from ever showing one.
 *
 * @example await readAgain(queries, ['stock'])
 */
export const readAgain = async (queries: QueryClient, queryKey: QueryKey): Promise<void> => {
  const isUnderWay = queries.isFetching({ queryKey }) > 0
  await queries.invalidateQueries({ queryKey }, { cancelRefetch: false })
  if (isUnderWay) await queries.invalidateQueries({ queryKey }, { cancelRefetch: false })
}

interface SharedSubscription {
  users: number
  readonly stop: () => void
}

const subscriptions = new WeakMap<QueryClient, Map<string, SharedSubscription>>()

/** Runs `start` for the first of those that share the key, and ends it with the last. */
export const share = (queries: QueryClient, key: QueryKey, start: () => () => void): (() => void) => {
  const known = subscriptions.get(queries) ?? new Map<string, SharedSubscription>()
  subscriptions.set(queries, known)
  const text = JSON.stringify(key)
  const shared = known.get(text) ?? { users: 0, stop: start() }
  shared.users++
  known.set(text, shared)
  return () => {
    shared.users--
    if (shared.users > 0) return
    known.delete(text)
    shared.stop()
  }
}

export interface Followed {
  readonly client: AnyClient
  readonly resources: readonly string[]
  /** One record of the first resource, instead of all. */
  readonly pk?: string | null
  readonly isOn: boolean
}

/** Reads again after changes while the component is shown. */
export const useFollowing = ({ client, resources, pk, isOn }: Followed): void => {
  const queries = useQueryClient()
  const names = resources.join(',')
  useEffect(() => {
    if (!isOn || pk === null) return
    const [own = '', ...others] = names.split(',')
    const stops = [
      follow(queries, client, { resource: own, pk }),
      ...others.map(resource => follow(queries, client, { resource, readsToo: own })),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [queries, client, names, pk, isOn])
}

interface FollowedTopic {
  readonly resource: string
  readonly pk?: string | undefined
  /** The resource whose queries contain records of this one. */
  readonly readsToo?: string
}

const follow = (queries: QueryClient, client: AnyClient, { resource, pk, readsToo }: FollowedTopic): (() => void) => {
  const key = pk === undefined ? resourceKey(client, readsToo ?? resource) : recordKey(client, resource, pk)
  return share(queries, [...key, 'follows', resource], () => {
    const read = (): void => void readAgain(queries, key)
    return client.resource(resource).subscribe({ onChange: read, onReload: read }, pk)
  })
}
