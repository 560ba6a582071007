// PostgreSQL behind a TCP proxy that can go away, or freeze: it keeps connections open and forwards nothing.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { inject, onTestFinished } from 'vitest'
import { createDatabase } from './postgres.ts'

export interface DatabaseProxy {
  /** The address of the database behind the proxy. */
  readonly url: string
  /** The address of the same database without the proxy. */
  readonly direct: string
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** How often the service has sent something, in all. */
  readonly sends: () => number
  /** Cuts when the service sends something for the nth time from now on, before the database sees it. */
  cutAtSend(n: number): Promise<void>
  /** Misspells this text where the service sends it next, so that the database refuses it. */
  misspell(text: string): void
  freeze(): void
  /** Connections that are open now; new ones work. */
  freezeOpen(): void
  /** Forwards again, also what was held back. */
  restore(): Promise<void>
}

/** Starts a proxy until the end of the test, in front of a new database, unless there is one at `address`. */
export const startDatabaseProxy = async (address?: string): Promise<DatabaseProxy> => {
  const direct = address ?? (await createDatabase(inject('postgresUrl')))
  const { port, hostname } = new URL(direct)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let sends = 0
  let awaited: { readonly at: number; readonly cut: () => void } | null = null
  let misspelt: string | null = null
  const misspelling = (data: Buffer): Buffer => {
    const at = misspelt === null ? -1 : data.indexOf(misspelt)
    if (at >= 0) {
      misspelt = null
      data.write('?', at)
    }
    return data
  }
  const forward = (from: Socket, to: Socket, onData = (data: Buffer) => data): void => {
    sockets.add(from)
    from.on('data', data => to.write(onData(data)))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    if (isFrozen) from.pause()
  }
  const server = createServer(client => {
    const beyond = connect(Number(port), hostname)
    client.on('data', () => {
      sends += 1
      if (sends === awaited?.at) awaited.cut()
    })
    forward(client, beyond, misspelling)
    forward(beyond, client)
  })
  const own = await listen(server, 0)
  const end = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  const freezeOpen = (): void => {
    for (const socket of sockets) socket.pause()
  }
  onTestFinished(end)
  const url = new URL(direct)
  url.port = String(own)
  return {
    url: url.href,
    direct,
    cut: end,
    sends: () => sends,
    cutAtSend: n =>
      new Promise(resolve => {
        awaited = {
          at: sends + n,
          cut: () => {
            end()
            resolve()
          },
        }
      }),
    misspell: text => {
      misspelt = text
    },
    freeze: () => {
      isFrozen = true
      freezeOpen()
    },
    freezeOpen,
    restore: async () => {
      isFrozen = false
      for (const socket of sockets) socket.resume()
      if (!server.listening) await listen(server, own)
    },
  }
}

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
