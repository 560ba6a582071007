// What friends are up to, as it happens: who comes and goes, who asks, who has changed something.

import type { LiveChange, ResultPage } from '@plinth/client'
import { readAgain, useLive, useTexts } from '@plinth/web'
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { friendsTexts } from './dictionary.ts'
import { friendsKey, nameOf } from './people.ts'
import { type PersonSummary, client as service } from './service.ts'

export interface News {
  readonly id: number
  readonly text: string
}

interface Presence {
  readonly id: string
  readonly stompSessionCount: number
}

interface Activity {
  readonly id: string
  readonly activity: 'updated' | 'befriended'
  readonly object?: { readonly pk: string }
}

type Friendship = { readonly friend: { readonly pk: string }; readonly status: string }
type Lists = InfiniteData<ResultPage<PersonSummary>>

const listsKey = [...friendsKey, 'list']

const knownPerson = (client: QueryClient, pk: string): PersonSummary | undefined => {
  const lists = client.getQueriesData<Lists>({ queryKey: listsKey })
  for (const [, data] of lists) {
    const found = data?.pages.flatMap(({ items }) => items).find(person => person.pk === pk)
    if (found) return found
  }
  return undefined
}

const nameFor = async (client: QueryClient, pk: string): Promise<string> => {
  const known = knownPerson(client, pk)
  return nameOf(known ?? (await service.users.get(pk)))
}

/** Updates one person in place. A list that is being read may hold the former state, so it is read again. */
const showPresence = (client: QueryClient, { id, stompSessionCount }: Presence): void => {
  const changed = (person: PersonSummary): PersonSummary =>
    person.pk === id ? { ...person, stompSessionCount } : person
  client.setQueriesData<Lists>(
    { queryKey: listsKey },
    lists => lists && { ...lists, pages: lists.pages.map(page => ({ ...page, items: page.items.map(changed) })) },
  )
  if (client.isFetching({ queryKey: listsKey }) > 0) void readAgain(client, listsKey)
  const profileKey = [...friendsKey, 'profile', id]
  client.setQueriesData<PersonSummary>({ queryKey: profileKey }, person => person && changed(person))
  // Coming and going also moves the time of the last visit.
  void readAgain(client, profileKey)
}

const most = 5

/** Keeps what is shown current, and gives the latest news. */
export const useFriendsLive = (): readonly News[] => {
  const t = useTexts(friendsTexts)
  const client = useQueryClient()
  const [news, setNews] = useState<readonly News[]>([])
  const announce = (text: string): void =>
    setNews(before => [{ id: (before[0]?.id ?? 0) + 1, text }, ...before].slice(0, most))
  const refresh = (): void => void readAgain(client, friendsKey)

  useLive<Presence>('/user/queue/updates/state', {
    onMessage: presence => {
      const before = knownPerson(client, presence.id)
      showPresence(client, presence)
      const isHere = presence.stompSessionCount > 0
      if (!before || (before.stompSessionCount ?? 0) > 0 === isHere) return
      announce(t(isHere ? 'cameOnline' : 'wentOffline', { name: nameOf(before) }))
    },
    onReload: refresh,
  })
  useLive<LiveChange<Friendship>>('/user/queue/friendships', {
    onMessage: ({ type, record }) => {
      refresh()
      if (!record) return
      const { friend, status } = record
      const news =
        type === 'created' && status === 'PENDING'
          ? 'asksYou'
          : type === 'updated' && status === 'CONFIRMED'
            ? 'acceptedYou'
            : null
      if (news)
        nameFor(client, friend.pk)
          .then(name => announce(t(news, { name })))
          .catch(() => {})
    },
    onReload: refresh,
  })
  useLive<Activity>('/user/queue/updates/activity', {
    onMessage: ({ id, activity, object }) => {
      refresh()
      const names = Promise.all([nameFor(client, id), object ? nameFor(client, object.pk) : ''])
      names
        .then(([name, other]) => announce(t(activity === 'updated' ? 'changedProfile' : 'madeFriend', { name, other })))
        .catch(() => {})
    },
    onReload: refresh,
  })
  return news
}
