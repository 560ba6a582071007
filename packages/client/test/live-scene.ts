// Clients with live changes whose connections can be cut, and a service that can be restarted.

import { rm } from 'node:fs/promises'
import type { TestedDatabase } from '@plinth/test-kit/databases'
import { type App, createApp } from '@plinth/test-kit/platform'
import { configOn, newData } from '@plinth/test-kit/prepared-data'
import { until } from '@plinth/test-kit/waiting'
import { expect } from 'vitest'
import WebSocket from 'ws'
import { createClient, type LiveChange, type LiveOptions, type PlinthClient } from '../src/index.ts'

export const transports = ['websocket', 'events'] as const
export type TestedTransport = (typeof transports)[number]

export interface LiveScene {
  /** A client that is signed in with tokens. */
  signedIn(user: 'admin' | 'simple', transport: TestedTransport): Promise<PlinthClient>
  /** Cuts all connections for changes. */
  dropConnections(): void
  /** The same service at the same address, on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const settings = { 'app.modules': '' }

export const startLiveScene = async (database: TestedDatabase): Promise<LiveScene> => {
  const data = await newData(database, settings, {})
  let app: App = await createApp(configOn(data, settings))
  const url = await app.listen()
  const cuts = new Set<() => void>()
  return {
    signedIn: async (user, transport) => {
      const client = createClient({ url, session: 'tokens', retries: 8, ...connectionsOf(transport, cuts) })
      await client.session.signIn({ username: user, password: user })
      return client
    },
    dropConnections: () => {
      for (const cut of cuts) cut()
      cuts.clear()
    },
    restart: async () => {
      await app.close()
      app = await createApp(configOn(data, { ...settings, 'server.port': new URL(url).port }))
      await app.listen()
    },
    stop: async () => {
      await app.close()
      await rm(data.folder, { recursive: true, force: true })
    },
  }
}

/** Makes connections of a transport. Without a socket of its own, a client with tokens reads server-sent events. */
const connectionsOf = (
  transport: TestedTransport,
  cuts: Set<() => void>,
): { live?: LiveOptions; fetch?: typeof fetch } => {
  if (transport === 'websocket') return { live: { createSocket: (...handshake) => openSocket(handshake, cuts) } }
  return {
    fetch: (address, init = {}) => {
      if (!String(address).includes('/api/rest/events')) return fetch(address, init)
      const cut = new AbortController()
      cuts.add(() => cut.abort())
      return fetch(address, { ...init, signal: AbortSignal.any([cut.signal, ...(init.signal ? [init.signal] : [])]) })
    },
  }
}

type Handshake = Parameters<NonNullable<LiveOptions['createSocket']>>

const openSocket = ([address, protocols, headers]: Handshake, cuts: Set<() => void>): WebSocket => {
  const socket = new WebSocket(address, protocols, { headers })
  // A refused handshake is an ordinary end of the connection.
  socket.on('error', () => {})
  cuts.add(() => socket.terminate())
  return socket
}

interface Drops {
  readonly transport: TestedTransport
  readonly drops: number
  readonly changesPerDrop: number
}

/** Writes while connections are cut: every change must arrive once and in order. */
export const expectEveryChangeOnce = async (
  scene: LiveScene,
  { transport, drops, changesPerDrop }: Drops,
): Promise<void> => {
  const word = Math.random().toString(36).slice(2)
  const writer = await scene.signedIn('admin', transport)
  const reader = await scene.signedIn('simple', transport)
  const heard: LiveChange[] = []
  let reloads = 0
  const stop = reader.resource('hosts').subscribe({
    onChange: change => heard.push(change as LiveChange),
    onReload: () => {
      reloads++
    },
  })
  await until('the subscription to begin', () => reloads === 1 && reader.live.state() === 'on')
  for (let drop = 0; drop < drops; drop++) {
    const hosts = Array.from({ length: changesPerDrop }, (_, at) => ({ name: `${word}-${drop}-${at}.example` }))
    const writes = writer.resource('hosts').createMany(hosts)
    scene.dropConnections()
    if (drop === 1) {
      await writes
      await scene.restart()
    }
    await writes
    await until('the connection to be live again', () => reader.live.state() === 'on')
  }
  await until('every change to arrive', () => heard.length >= drops * changesPerDrop)
  const names = heard.map(({ record }) => String(record?.name))
  expect(new Set(names).size).toBe(drops * changesPerDrop)
  expect(names).toHaveLength(drops * changesPerDrop)
  const sequences = heard.map(({ sequence }) => sequence)
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other))
  expect(reloads).toBe(1)
  stop()
  await reader.live.close()
  expect(reader.live.state()).toBe('off')
}
