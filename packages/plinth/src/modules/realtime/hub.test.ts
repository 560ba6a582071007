// Rights that change while changes are sent.

import { expect, test } from 'vitest'
import { anonymous } from '../../core/model/caller.ts'
import type { ChangeEvent } from '../../core/model/event.ts'
import type { Context } from '../../core/rest/context.ts'
import { until } from '../../testing/waiting.ts'
import { Hub, type HubFeed } from './hub.ts'
import type { Topic } from './topic.ts'

const event = (sequence: number): ChangeEvent => ({
  ...{ sequence, time: '', type: 'updated', resource: 'hosts', pk: 'a' },
  ...{ seen: null, was: null },
})

const contextOf = (username: string): Context => ({ caller: { ...anonymous, username } }) as Context

/** A hub whose changes the test publishes, and a topic whose messages name the user that they were read for. */
const openHub = async () => {
  const events: ChangeEvent[] = []
  let publish: (events: readonly ChangeEvent[]) => unknown = () => {}
  const feed: HubFeed = {
    read: async ({ after, upTo }) => events.filter(({ sequence }) => sequence > after && sequence <= upTo),
    window: async () => ({ oldest: 1, latest: events.length }),
    subscribe: async listener => {
      publish = listener
      return { position: 0, stop: () => {} }
    },
  }
  const hub = new Hub(feed)
  await hub.join()
  const delivered: string[] = []
  let reading: Promise<void> | null = null
  let starts = 0
  const topic: Topic = {
    key: 'hosts',
    holders: ['hosts'],
    audienceFor: listener => ({ ...listener, key: listener.context.caller.username }),
    messages: async (batch, { context }) => {
      starts += 1
      await reading
      return batch.events.map(({ sequence }) => ({ sequence, body: `${context.caller.username} ${sequence}` }))
    },
  }
  const sink = {
    deliver: ({ messages }: { messages: readonly { body: string }[] }) =>
      void delivered.push(...messages.map(({ body }) => body)),
    isFull: false,
    ready: async () => {},
    failed: () => void delivered.push('failed'),
  }
  return {
    delivered,
    subscribe: (username: string, last: number | null = null) =>
      hub.subscribe({ topic, sink, listener: { context: contextOf(username), base: '', wantsRecord: false } }, last),
    add: (...sequences: number[]) => void events.push(...sequences.map(event)),
    publish: (...sequences: number[]) => publish(sequences.map(event)),
    /** Runs the work while messages are being read, for so many audiences. */
    during: async (publishing: () => unknown, work: () => void, audiences = 1) => {
      const before = starts
      let release: () => void = () => {}
      reading = new Promise(resolve => {
        release = resolve
      })
      const done = publishing()
      await until('the messages to be read', () => starts === before + audiences)
      work()
      reading = null
      release()
      await done
    },
  }
}

test('changes that were read with former rights are sent with the present ones, once', async () => {
  const { delivered, subscribe, add, publish, during } = await openHub()
  const subscription = await subscribe('former')
  add(1)
  await during(
    () => publish(1),
    () => subscription.renew(contextOf('present')),
  )
  await until('the change', () => delivered.length > 0)
  add(2)
  await publish(2)
  await until('the next change', () => delivered.length > 1)
  expect(delivered).toEqual(['present 1', 'present 2'])
})

test('a catch-up continues with the present rights, also while changes are sent', async () => {
  const { delivered, subscribe, add, publish, during } = await openHub()
  add(1, 2)
  await publish(1, 2)
  await subscribe('other')
  add(3)
  let renew: () => void = () => {}
  await during(
    async () => {
      const subscribing = subscribe('former', 0)
      const publishing = publish(3)
      const subscription = await subscribing
      renew = () => subscription.renew(contextOf('present'))
      await publishing
    },
    () => renew(),
    2,
  )
  await until('the changes', () => delivered.includes('present 3'))
  expect(delivered.filter(text => text.startsWith('former'))).toEqual([])
})
