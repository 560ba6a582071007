// One record, kept right while others change it.

import type { LiveChange } from '@plinth/client'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '../../api/read-again.ts'
import { type Item, recordsOf } from '../../api/records.ts'
import { useChanges } from '../../live/use-live.ts'

export const itemKey = (resource: string, pk: string) => ['item', resource, pk] as const

export const useItem = (resource: string, pk: string): UseQueryResult<Item> =>
  useQuery({
    queryKey: itemKey(resource, pk),
    queryFn: () => recordsOf(resource).get(pk),
    retry: false,
    staleTime: 5_000,
  })

/** Tells of changes to the record; without a handler it is read again. */
export const useItemChanges = (resource: string, pk: string, onChange?: (change: LiveChange) => void): void => {
  const client = useQueryClient()
  const refresh = () => void readAgain(client, itemKey(resource, pk))
  useChanges({ resource, pk }, { onMessage: onChange ?? refresh, onReload: refresh })
}
