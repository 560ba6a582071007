// People and friendships, as the service tells of them.

import { containing, isProblem, toFilter } from '@plinth/client'
import { fetchPage, get, type Page, useUser } from '@plinth/web'
import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'

export interface PersonSummary {
  readonly pk: string
  readonly username: string
  readonly name: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly avatarUrl: string | null
  /** How many connections they have open: whether they are there. */
  readonly stompSessionCount?: number
}

/** The state of a friendship as its owner sees it. */
export type FriendshipState = 'SENT' | 'PENDING' | 'CONFIRMED' | 'BLOCK' | 'BLOCK_INVERSE'

/** The state, also of users without any relation to the caller. */
export type StandingState = FriendshipState | 'NONE'

export const nameOf = ({ name, username }: Pick<PersonSummary, 'name' | 'username'>): string => name || username

/** Hides who is online and when they were last seen from all but friends. */
export const forStrangers = <P extends PersonSummary>(person: P): P => {
  const { stompSessionCount: _, ...others } = person
  return { ...others, ...('lastVisit' in person && { lastVisit: null }) } as P
}

/** Everything below is reloaded when a friendship changes. */
export const friendsKey = ['friends'] as const

const pageSize = 30

const nextOf = ({ page: { number, totalPages } }: Page<PersonSummary>): number | undefined =>
  number + 1 < (totalPages ?? 0) ? number + 1 : undefined

/** `whose`: the list of another person, who must be a friend. */
export const useFriends = (status: FriendshipState, whose = 'my') =>
  useInfiniteQuery({
    queryKey: [...friendsKey, 'list', whose, status],
    queryFn: ({ pageParam, signal }) =>
      fetchPage<PersonSummary>(
        `/api/rest/friends/${encodeURIComponent(whose)}`,
        { status, page: pageParam, size: pageSize, sort: 'firstName,lastName,username' },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: nextOf,
  })

export const peopleIn = (pages: readonly Page<PersonSummary>[] | undefined): readonly PersonSummary[] =>
  pages?.flatMap(({ content }) => content) ?? []

const namesToSearch = ['username', 'firstName', 'lastName']

/** Every word occurs in one of the names. */
export const toPeopleFilter = (text: string): string | undefined => {
  const words = text.trim().split(/\s+/).slice(0, 8)
  return toFilter({
    and: words.map(word => ({ or: namesToSearch.map(name => ({ [name]: { ilike: containing(word) } })) })),
  })
}

/** Addresses are not shown to others, so a person is found by a whole one only. */
const findByAddress = async (address: string, signal: AbortSignal): Promise<readonly PersonSummary[]> => {
  try {
    return [await get<PersonSummary>(`/api/rest/users/byUserNameOrEmail/${encodeURIComponent(address)}`, { signal })]
  } catch (error) {
    if (isProblem(error, 'not_found')) return []
    throw error
  }
}

const searchPeople = async (text: string, signal: AbortSignal): Promise<readonly PersonSummary[]> => {
  if (text.includes('@')) return findByAddress(text.trim(), signal)
  const query = { filter: toPeopleFilter(text), sort: 'firstName,lastName,username', _ps: pageSize, _total: 'none' }
  return (await fetchPage<PersonSummary>('/api/rest/users', query, signal)).content
}

export const usePeopleSearch = (text: string): UseQueryResult<readonly PersonSummary[]> =>
  useQuery({
    queryKey: ['people', text],
    queryFn: ({ signal }) => searchPeople(text, signal),
    enabled: text.trim().length >= 2,
    placeholderData: keepPreviousData,
  })

interface Friendship {
  readonly friend: { readonly pk: string }
  readonly status: FriendshipState
}

/** How one stands to some people; who is missing is a stranger. */
export const useFriendshipStates = (
  people: readonly PersonSummary[],
): UseQueryResult<ReadonlyMap<string, FriendshipState>> => {
  const { pk: own } = useUser()
  const pks = people.map(({ pk }) => `${own}_${pk}`).join(',')
  return useQuery({
    queryKey: [...friendsKey, 'states', pks],
    queryFn: async ({ signal }) => {
      const { content } = await get<{ content: readonly Friendship[] }>('/api/rest/friendships', {
        query: { pks },
        signal,
      })
      return new Map(content.map(({ friend, status }) => [friend.pk, status]))
    },
    enabled: people.length > 0,
    placeholderData: keepPreviousData,
  })
}

export interface Profile extends PersonSummary {
  readonly description: string | null
  readonly lastVisit: string | null
}

export const useProfile = (pk: string): UseQueryResult<Profile> =>
  useQuery({
    queryKey: [...friendsKey, 'profile', pk],
    queryFn: ({ signal }) => get<Profile>(`/api/rest/users/${encodeURIComponent(pk)}`, { signal }),
  })
