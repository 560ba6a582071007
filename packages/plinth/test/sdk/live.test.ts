// Live changes through the client: none lost, none doubled, whatever happens to connections and to the service.

import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { createClient, type LiveChange, type PlinthClient } from '../../../client/src/index.ts'
import { until } from '../../src/testing/waiting.ts'
import { extent } from '../support/extent.ts'
import { type App, createApp } from '../support/platform.ts'
import { configOn, newData } from '../support/prepared-data.ts'

const settings = { 'app.modules': '' }

let data: Awaited<ReturnType<typeof newData>>
let app: App
let url: string
const sockets: WebSocket[] = []

beforeAll(async () => {
  data = await newData('sqlite', settings, {})
  app = await createApp(configOn(data, settings))
  url = await app.listen()
})
afterAll(async () => {
  await app.close()
  await rm(data.folder, { recursive: true, force: true })
})

/** The same service at the same address, on the same data. */
const restart = async (): Promise<void> => {
  await app.close()
  const again = { ...settings, 'server.port': new URL(url).port }
  app = await createApp(configOn(data, again))
  await app.listen()
}

const openClient = (): PlinthClient =>
  createClient({
    url,
    session: 'tokens',
    retries: 8,
    live: {
      createSocket: (address, protocols, headers) => {
        const socket = new WebSocket(address, protocols, { headers })
        // A refused handshake is an ordinary end of the connection.
        socket.on('error', () => {})
        sockets.push(socket)
        return socket
      },
    },
  })

const signedIn = async (user: string): Promise<PlinthClient> => {
  const client = openClient()
  await client.session.signIn({ username: user, password: user })
  return client
}

const dropConnections = (): void => {
  for (const socket of sockets.splice(0)) socket.terminate()
}

test('changes arrive once and in order through lost connections and a restart', async () => {
  const writer = await signedIn('admin')
  const reader = await signedIn('simple')
  const heard: LiveChange[] = []
  let reloads = 0
  const stop = reader.resource('hosts').subscribe({
    onChange: change => heard.push(change as LiveChange),
    onReload: () => {
      reloads++
    },
  })
  await until('the subscription to begin', () => reloads === 1 && reader.live.state() === 'on')
  const drops = extent(4, 20)
  const perDrop = 25
  for (let drop = 0; drop < drops; drop++) {
    const hosts = Array.from({ length: perDrop }, (_, at) => ({ name: `live-${drop}-${at}.example` }))
    const writes = writer.resource('hosts').bulk(hosts)
    dropConnections()
    if (drop === 1) {
      await writes
      await restart()
    }
    await writes
    await until('the connection to be live again', () => reader.live.state() === 'on')
  }
  await until('every change to arrive', () => heard.length >= drops * perDrop)
  const names = heard.map(({ record }) => String(record?.name))
  expect(new Set(names).size).toBe(drops * perDrop)
  expect(names).toHaveLength(drops * perDrop)
  const sequences = heard.map(({ sequence }) => sequence)
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other))
  expect(reloads).toBe(1)
  stop()
  await reader.live.close()
  expect(reader.live.state()).toBe('off')
})

test('a live query follows what is created, changed and removed', async () => {
  const admin = await signedIn('admin')
  const reader = await signedIn('simple')
  let names: string[] | null = null
  const stop = reader.resource('hosts').liveQuery(
    { filter: 'name==query-*', sort: 'name', fields: ['name'] },
    {
      onResult: ({ items }) => {
        names = items.map(({ name }) => String(name))
      },
    },
  )
  await until('the first result', () => names !== null)
  expect(names).toEqual([])
  const [one, two] = await admin.resource('hosts').bulk([{ name: 'query-b.example' }, { name: 'query-c.example' }])
  await until('both hosts', () => names?.length === 2)
  dropConnections()
  await admin.resource('hosts').update(one?.pk ?? '', { name: 'query-z.example' })
  await until('the other order', () => names?.join() === 'query-c.example,query-z.example')
  await admin.resource('hosts').remove(two?.pk ?? '')
  await until('one host', () => names?.join() === 'query-z.example')
  stop()
  await reader.live.close()
})

test('a subscription that the service refuses is reported, and others go on', async () => {
  const reader = await signedIn('simple')
  const reasons: string[] = []
  const changes: string[] = []
  reader.resource('mails').subscribe({ onChange: () => {}, onRefused: reason => reasons.push(reason) })
  let isLive = false
  reader.resource('hosts').subscribe({
    onChange: ({ pk }) => changes.push(pk),
    onReload: () => {
      isLive = true
    },
  })
  await until('the refusal', () => reasons.length === 1)
  await until('the other subscription', () => isLive && reader.live.state() === 'on')
  const host = await (await signedIn('admin')).resource('hosts').create({ name: 'refused.example' })
  await until('its change', () => changes.includes(host.pk))
  expect(reasons).toEqual(['forbidden'])
  await reader.live.close()
})
