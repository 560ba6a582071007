// The queues of a user: own friendships, and what friends are up to.

import type { ChangeEvent } from '../../core/model/event.ts'
import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { friendships } from '../friends/index.ts'
import { users } from '../people/index.ts'
import { createChangeTopic } from './change-topic.ts'
import { stompSessions } from './presence.ts'
import { type Audience, callerKey, type EventBatch, type Message, type Topic } from './topic.ts'

/** The queues by destination. */
export const createQueues = ({ registry }: Platform): ReadonlyMap<string, Topic> => {
  if (!registry.has(friendships.name)) return new Map()
  const isOwn = ({ seen }: ChangeEvent, { context }: Audience): boolean => seen?.owner === context.caller.pk
  const [own, state, activity] = [
    '/user/queue/friendships',
    '/user/queue/updates/state',
    '/user/queue/updates/activity',
  ] as const
  return new Map([
    [own, createChangeTopic(own, { resource: registry.resource(friendships), only: isOwn })],
    [state, createQueue(state, [stompSessions.name], toState)],
    [activity, createQueue(activity, [users.name, friendships.name], toActivity)],
  ])
}

type ToMessage = (event: ChangeEvent, batch: EventBatch, audience: Audience) => Promise<object | null>

const createQueue = (destination: string, holders: readonly string[], toMessage: ToMessage): Topic => ({
  key: destination,
  holders,
  audienceFor: listener => {
    if (listener.context.caller.pk === null) throw new Problem('unauthorized')
    return { ...listener, key: callerKey(listener.context) }
  },
  messages: async (batch, audience) => {
    const events = batch.events.filter(event => holders.includes(event.resource))
    const messages = await Promise.all(
      events.map(async (event): Promise<Message | null> => {
        const message = await toMessage(event, batch, audience)
        return message && { sequence: event.sequence, body: JSON.stringify(message) }
      }),
    )
    return messages.filter(message => message !== null)
  },
})

/** A friend comes or goes. */
const toState: ToMessage = async (event, batch, audience) => {
  const user = event.seen?.user
  if (event.type === 'updated' || typeof user !== 'string') return null
  if (!(await isFriend(user, batch, audience))) return null
  const { records } = audience.context.platform
  const stompSessionCount = await batch.once(`sessions ${user}`, () =>
    records.count(stompSessions, { where: { user } }),
  )
  return { id: user, stompSessionCount }
}

/** A friend has changed their profile or has made a friend: both could be read by the friend over REST. */
const toActivity: ToMessage = async (event, batch, audience) => {
  const { resource, type, pk, time, seen, was } = event
  if (resource === users.name) {
    const isVisible = isProfileChange(event) && (await isFriend(pk, batch, audience))
    return isVisible ? { id: pk, activity: 'updated', time } : null
  }
  const isNewFriendship = type === 'updated' && seen?.status === 'CONFIRMED' && was?.status !== 'CONFIRMED'
  const { owner, friend } = seen ?? {}
  if (!isNewFriendship || friend === audience.context.caller.pk) return null
  if (typeof owner !== 'string' || !(await isFriend(owner, batch, audience))) return null
  return { id: owner, activity: 'befriended', object: { pk: friend }, time }
}

/** Says whether a user changed the profile. Other changes, such as a sign-in or another role, are not sent. */
const isProfileChange = ({ seen, was }: ChangeEvent): boolean =>
  (users.eventFields ?? []).some(name => was !== null && was[name] !== seen?.[name])

/** Are they confirmed friends of each other? Asked once for all who listen. */
const isFriend = async (user: string, batch: EventBatch, { context }: Audience): Promise<boolean> => {
  const { caller, platform } = context
  const friends = await batch.once(`friends ${user}`, () => friendsOf(platform, user))
  return friends.has(caller.pk ?? '')
}

const friendsOf = async ({ records }: Platform, user: string): Promise<ReadonlySet<string>> => {
  const confirmed = await records.find(friendships, { where: { owner: user, status: 'CONFIRMED' } })
  return new Set(confirmed.map(({ friend }) => friend.pk))
}
