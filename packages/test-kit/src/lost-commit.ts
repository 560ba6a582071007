// PostgreSQL behind a wire that can be cut at the worst moment: after a commit is done, before it is acknowledged.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { inject, onTestFinished } from 'vitest'
import { createDatabase } from './postgres.ts'

export interface Wire {
  /** The address of a database behind it. */
  readonly url: string
  /** Cuts the connection that next commits a transaction in which this was sent. */
  loseCommitAfter(sent: string): void
  /** How often it was cut. */
  readonly cuts: () => number
}

/** Lays a wire until the end of the test. */
export const layWire = async (): Promise<Wire> => {
  const database = new URL(await createDatabase(inject('postgresUrl')))
  const [port, host] = [Number(database.port), database.hostname]
  let awaited: string | null = null
  let cuts = 0
  const server = createServer(client => {
    const beyond = connect(port, host)
    let isMeant = false
    let isCut = false
    client.on('data', (sent: Buffer) => {
      isMeant ||= awaited !== null && sent.includes(awaited)
      if (isMeant && sent.includes('COMMIT\0')) {
        isCut = true
        awaited = null
      }
      beyond.write(sent)
    })
    beyond.on('data', reply => {
      if (!isCut) return client.write(reply)
      cuts += 1
      client.destroy()
      beyond.destroy()
    })
    for (const [one, other] of [
      [client, beyond],
      [beyond, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  database.port = String((server.address() as AddressInfo).port)
  return {
    url: database.href,
    loseCommitAfter: sent => {
      awaited = sent
    },
    cuts: () => cuts,
  }
}
