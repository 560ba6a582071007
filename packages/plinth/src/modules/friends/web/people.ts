// People and friendships, as the service tells of them.

import { containing, isProblem, type ResultPage, toResultPage } from '@plinth/client'
import { useUser } from '@plinth/web'
import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { client, type FriendshipState, type PersonSummary, type Profile } from './service.ts'

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

const namesInOrder = ['firstName', 'lastName', 'username'] as const

/** `whose`: the list of another person, who must be a friend. */
export const useFriends = (status: FriendshipState, whose = 'my') =>
  useInfiniteQuery({
    queryKey: [...friendsKey, 'list', whose, status],
    queryFn: async ({ pageParam: page, signal }) => {
      const query = { status, page, size: pageSize, sort: namesInOrder.join() }
      const input = { params: { friendId: whose }, query, signal }
      return toResultPage(await client.call('GET /api/rest/friends/{friendId}', input))
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * pageSize < (total ?? 0) ? pages.length : undefined),
  })

export const peopleIn = (pages: readonly ResultPage<PersonSummary>[] | undefined): readonly PersonSummary[] =>
  pages?.flatMap(({ items }) => items) ?? []

const namesToSearch = ['username', 'firstName', 'lastName']

/** Every word occurs in one of the names. */
const conditionOf = (text: string) => {
  const words = text.trim().split(/\s+/).slice(0, 8)
  return { and: words.map(word => ({ or: namesToSearch.map(name => ({ [name]: { ilike: containing(word) } })) })) }
}

/** Addresses are not shown to others, so a person is found by a whole one only. */
const findByAddress = async (address: string, signal: AbortSignal): Promise<readonly PersonSummary[]> => {
  try {
    const input = { params: { userNameOrEmail: address }, signal }
    return [await client.call('GET /api/rest/users/byUserNameOrEmail/{userNameOrEmail}', input)]
  } catch (error) {
    if (isProblem(error, 'not_found')) return []
    throw error
  }
}

const searchPeople = async (text: string, signal: AbortSignal): Promise<readonly PersonSummary[]> => {
  if (text.includes('@')) return findByAddress(text.trim(), signal)
  const where = conditionOf(text)
  return (await client.users.find({ where, sort: namesInOrder, limit: pageSize, total: 'none', signal })).items
}

export const usePeopleSearch = (text: string): UseQueryResult<readonly PersonSummary[]> =>
  useQuery({
    queryKey: ['people', text],
    queryFn: ({ signal }) => searchPeople(text, signal),
    enabled: text.trim().length >= 2,
    placeholderData: keepPreviousData,
  })

/** How one stands to some people; who is missing is a stranger. */
export const useFriendshipStates = (
  people: readonly PersonSummary[],
): UseQueryResult<ReadonlyMap<string, FriendshipState>> => {
  const { pk: own } = useUser()
  const pks = people.map(({ pk }) => `${own}_${pk}`)
  return useQuery({
    queryKey: [...friendsKey, 'states', pks],
    queryFn: async ({ signal }) => {
      const known = await client.friendships.getMany(pks, { signal })
      return new Map(known.map(({ friend, status }) => [friend.pk, status]))
    },
    enabled: people.length > 0,
    placeholderData: keepPreviousData,
  })
}

export const useProfile = (pk: string): UseQueryResult<Profile> =>
  useQuery({
    queryKey: [...friendsKey, 'profile', pk],
    queryFn: ({ signal }) => client.users.get(pk, { signal }),
  })
