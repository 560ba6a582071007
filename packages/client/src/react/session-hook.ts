// Who is signed in, for components.

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SessionUser, UserSession } from '../session.ts'
import { type AnyClient, rootKey, share } from './follow.ts'

export interface SessionHook extends Pick<UserSession, 'signIn' | 'sendCode' | 'signOut'> {
  /** The user; null when not signed in, undefined while that is not known yet. */
  readonly user: SessionUser | null | undefined
  /** Why the user could not be read. */
  readonly error: Error | null
}

const sessionKey = (client: AnyClient) => [...rootKey(client), '', 'session']

export const useSessionOf = (client: AnyClient): SessionHook => {
  const queries = useQueryClient()
  const { session } = client
  const { data: user, error } = useQuery({
    queryKey: sessionKey(client),
    queryFn: () => session.load(),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(() => share(queries, [...sessionKey(client), 'events'], () => watch(queries, client)), [queries, client])
  return {
    user,
    error,
    signIn: request => session.signIn(request),
    sendCode: code => session.sendCode(code),
    signOut: () => session.signOut(),
  }
}

/** What one user has read must not be shown to the next. */
const watch = (queries: QueryClient, client: AnyClient): (() => void) => {
  const become = (user: SessionUser | null): void => {
    queries.setQueryData(sessionKey(client), user)
    const [root, id] = rootKey(client)
    void queries.resetQueries({
      predicate: ({ queryKey }) => queryKey[0] === root && queryKey[1] === id && queryKey[3] !== 'session',
    })
  }
  const stops = [client.session.on('signedIn', become), client.session.on('signedOut', () => become(null))]
  return () => {
    for (const stop of stops) stop()
  }
}
