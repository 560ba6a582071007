// What one can do about a friendship, by the state that it is in.

import { notify, notifyProblem, useTexts, useUser } from '@plinth/web'
import { useQueryClient } from '@tanstack/react-query'
import { friendsTexts } from './dictionary.ts'
import { friendsKey, nameOf, type StandingState } from './people.ts'
import { client, type PersonSummary } from './service.ts'

export type FriendshipAction = 'ask' | 'withdraw' | 'accept' | 'refuse' | 'remove' | 'block' | 'unblock'

export const actsIn: Readonly<Record<StandingState, readonly FriendshipAction[]>> = {
  NONE: ['ask', 'block'],
  SENT: ['withdraw'],
  PENDING: ['accept', 'refuse', 'block'],
  CONFIRMED: ['remove', 'block'],
  BLOCK: ['unblock'],
  BLOCK_INVERSE: [],
}

const done = {
  ask: 'askedDone',
  withdraw: 'withdrawnDone',
  accept: 'acceptedDone',
  refuse: 'refusedDone',
  remove: 'removedDone',
  block: 'blockedDone',
  unblock: 'unblockedDone',
} as const satisfies Record<FriendshipAction, string>

const { friendships } = client

const send = async (act: FriendshipAction, pk: string, { friend, state }: { friend: string; state: StandingState }) => {
  if (act === 'ask') return friendships.create({ friend, status: 'SENT' })
  if (act === 'block' && state === 'NONE') return friendships.create({ friend, status: 'BLOCK' })
  if (act === 'accept') return friendships.update(pk, { status: 'CONFIRMED' })
  if (act === 'block') return friendships.update(pk, { status: 'BLOCK' })
  return friendships.remove(pk)
}

/** Does it, shows success or the problem, and reloads what may have changed. */
export const useFriendshipAct = () => {
  const t = useTexts(friendsTexts)
  const queries = useQueryClient()
  const { pk: own } = useUser()
  return async (act: FriendshipAction, person: PersonSummary, state: StandingState): Promise<void> => {
    try {
      await send(act, `${own}_${person.pk}`, { friend: person.pk, state })
      notify(t(done[act], { name: nameOf(person) }))
    } catch (error) {
      notifyProblem(error)
    } finally {
      await queries.invalidateQueries({ queryKey: friendsKey })
    }
  }
}
