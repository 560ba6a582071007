// The way from a record back to the list that one came from: with its search, and to the row that one left.

import { useEffect } from 'react'
import { type To, useLocation } from 'react-router'

interface Left {
  readonly search: string
  /** The key of the history entry. */
  readonly key: string
}

/** The list of each resource as it was seen last. */
const lists = new Map<string, Left>()

export const useRememberedList = (resource: string): void => {
  const { search, key } = useLocation()
  useEffect(() => {
    lists.set(resource, { search, key })
  }, [resource, search, key])
}

export interface WayBack {
  readonly to: To
  readonly state?: { readonly placeOf: string }
}

export const wayBackTo = (resource: string): WayBack => {
  const left = lists.get(resource)
  const pathname = `/resources/${resource}`
  return left ? { to: { pathname, search: left.search }, state: { placeOf: left.key } } : { to: pathname }
}

/** The history entry whose place in a list is shown first: that of the list one came back to, or the present one. */
export const usePlaceEntry = (): { readonly from: string; readonly key: string } => {
  const { key, state } = useLocation()
  return { from: state?.placeOf ?? key, key }
}
