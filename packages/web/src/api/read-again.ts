// Reads queries again after a change.

import type { QueryClient } from '@tanstack/react-query'

export { readAgain } from '@plinth/client/react'

/** Reads all records again, after a call that may have changed any of them. */
export const readAllAgain = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'schema' && kind !== 'modules' })
