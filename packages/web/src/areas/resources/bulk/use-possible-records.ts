// For which of the selected records an action can be called.

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { get } from '../../../api/client.ts'
import { readAgain } from '../../../api/read-again.ts'
import type { ActionWithForm } from '../../../common/actions/use-actions.ts'
import { useChanges } from '../../../live/use-live.ts'
import type { SelectedRecord } from './use-selection.ts'

interface PossibleAction {
  readonly id: string
  readonly pks?: readonly string[]
}

/** An address has room for so many. */
const perRequest = 100

const fetchPossible = async (resource: string, pks: readonly string[], signal: AbortSignal) => {
  const found = new Map<string, Set<string>>()
  for (let at = 0; at < pks.length; at += perRequest) {
    const query = { pks: pks.slice(at, at + perRequest).join() }
    const address = `/api/actions/${encodeURIComponent(resource)}`
    const { actions } = await get<{ readonly actions: readonly PossibleAction[] }>(address, { query, signal })
    for (const { id, pks: possible = [] } of actions) found.set(id, new Set([...(found.get(id) ?? []), ...possible]))
  }
  return found
}

/** Reads again when records of the resource have changed, once a second at most. */
const useRefresh = (resource: string): void => {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const refresh = () => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      void readAgain(client, ['possible actions', resource])
    }, 1000)
  }
  useChanges({ resource }, { onMessage: refresh, onReload: refresh })
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
}

interface SelectedRecords {
  readonly resource: string
  readonly records: readonly SelectedRecord[]
}

/** Returns the records, and null while they are not known. */
export const usePossibleRecords = (
  actions: readonly ActionWithForm[],
  { resource, records }: SelectedRecords,
): ((action: ActionWithForm) => readonly SelectedRecord[] | null) => {
  useRefresh(resource)
  const pks = records.map(({ pk }) => pk).sort()
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['possible actions', resource, 'several', pks],
    queryFn: ({ signal }) => fetchPossible(resource, pks, signal),
    enabled: actions.some(({ isConditional }) => isConditional),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  })
  return ({ id, isConditional }) => {
    if (!isConditional) return records
    return data && !isPlaceholderData ? records.filter(({ pk }) => data.get(id)?.has(pk)) : null
  }
}
