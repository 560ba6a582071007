// Who is signed in.

import { isProblem, type SessionUser } from '@plinth/client'
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useDeferredValue, useEffect, useMemo } from 'react'
import { client, get } from '../api/client.ts'
import { modulesQuery } from '../api/modules.ts'
import { forgetPlaces } from '../common/places.ts'
import { forgetWork } from '../common/work.ts'
import { suggestLocale } from '../i18n/language.ts'
import { forgetDrafts } from './drafts.ts'

export interface ClientSession {
  /** Is null when not signed in. */
  readonly user: SessionUser | null
  /** Is called after a sign-in or a change of the account. */
  readonly enter: (user: SessionUser) => void
  readonly signOut: () => Promise<void>
}

const SessionContext = createContext<ClientSession | null>(null)

/** Remembers that there was a session: a first visitor is not asked for one that cannot be. */
const trace = 'plinth.session'

const fetchUser = async (): Promise<SessionUser | null> => {
  try {
    if (localStorage.getItem(trace) !== null) return await client.session.load()
    return await get<SessionUser>('/api/auth/userDetails', { provesIdentity: true })
  } catch (error) {
    if (isProblem(error, 'unauthorized')) return null
    throw error
  }
}

const userKey = ['session']

/** What was fetched for one person, and must not be shown to another. */
const personal = {
  predicate: ({ queryKey: [kind] }: Query) => kind !== userKey[0] && kind !== modulesQuery.queryKey[0],
}

interface SessionProps {
  readonly children: ReactNode
  readonly pending: ReactNode
  readonly failed: (error: unknown, retry: () => void) => ReactNode
}

export const SessionProvider = ({ children, pending, failed }: SessionProps) => {
  const queries = useQueryClient()
  const { data: user, error, refetch } = useQuery({ queryKey: userKey, queryFn: fetchUser, staleTime: 60_000 })
  useEffect(() => client.session.on('signedOut', () => queries.setQueryData(userKey, null)), [queries])
  useEffect(() => {
    if (user === undefined) return
    if (user === null) localStorage.removeItem(trace)
    else localStorage.setItem(trace, 'yes')
    suggestLocale(user?.locale ?? null)
  }, [user])
  const session = useMemo(
    (): ClientSession => ({
      user: user ?? null,
      enter: entering => {
        if (entering.pk !== user?.pk) queries.removeQueries(personal)
        queries.setQueryData(userKey, entering)
      },
      signOut: async () => {
        await client.session.signOut()
        forgetWork()
        forgetDrafts()
        forgetPlaces()
        queries.setQueryData(userKey, null)
        queries.removeQueries(personal)
      },
    }),
    [queries, user],
  )
  // Deferred, so that the first render of the page leaves room for input in between.
  const isKnown = useDeferredValue(user !== undefined)
  if (user === undefined && error) return failed(error, () => void refetch())
  if (user === undefined || !isKnown) return pending
  return <SessionContext value={session}>{children}</SessionContext>
}

export const useSession = (): ClientSession => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('There is no session around this component.')
  return session
}

/** Returns the user, on pages that only signed-in people reach. */
export const useUser = (): SessionUser => {
  const { user } = useSession()
  if (!user) throw new Error('Not signed in.')
  return user
}
