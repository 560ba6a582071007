// Reads queries again after a change.

import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * A read that is under way may have missed the change, so another one follows it. It is not cancelled: changes that arrive faster
 * than a read takes would keep the page from ever showing one.
 */
export const readAgain = async (client: QueryClient, queryKey: QueryKey): Promise<void> => {
  const isUnderWay = client.isFetching({ queryKey }) > 0
  await client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  if (isUnderWay) await client.invalidateQueries({ queryKey }, { cancelRefetch: false })
}

/** Reads all records again, after a call that may have changed any of them. */
export const readAllAgain = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'schema' && kind !== 'modules' })
