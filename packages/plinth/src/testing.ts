// `plinth/testing`: an application under test, started on a database of its own and asked over HTTP.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtClient } from './app/built-client.ts'
import { type AppDefinition, defineApp } from './app/define-app.ts'
import { bundlePages } from './app/pages/bundle-pages.ts'
import { pageSources } from './app/pages/page-sources.ts'
import { readSharedModules } from './app/pages/shared-modules.ts'
import { type App, createApp } from './app.ts'
import type { ChangeEvent } from './core/model/event.ts'
import type { Records } from './core/model/records.ts'
import type { Module } from './core/module.ts'
import { createScratchDatabase } from './core/store/scratch-database.ts'
import { readContent } from './modules/files/index.ts'
import { createMail, type OutgoingMail } from './modules/mail/index.ts'
import { createUser, hashPassword, setHashMemory, users } from './modules/people/index.ts'
import type { TestClient } from './testing/client.ts'
import { copyPreparedData, type TestSettings, testConfig } from './testing/prepared-data.ts'
import { runApp } from './testing/running-app.ts'
import { TestClock, until } from './testing/waiting.ts'

export type { TestClient, TestRequest, TestResponse } from './testing/client.ts'
export type { TestSettings } from './testing/prepared-data.ts'
export type { TestClock, TestDuration } from './testing/waiting.ts'
export { until } from './testing/waiting.ts'

/** What is tested: an application, or modules beside the standard ones. */
export interface TestOptions {
  readonly app?: AppDefinition
  /** The modules instead of `app`. */
  readonly modules?: readonly Module[]
  /**
   * SQLite unless given. With the address of a PostgreSQL server, such as `postgres://user:password@localhost/postgres`, the test runs
   * on a new database of that server, which is dropped at the end.
   */
  readonly database?: string | undefined
  /**
   * The settings by their names, such as `{ 'app.library.loanDays': '7' }`. Demo mode is on unless `app.demo` is
   * `false`.
   */
  readonly settings?: TestSettings
  /** The clock is stopped at this time; without it, it runs. */
  readonly now?: Date | string
  /** Bundles the pages of modules, for tests in a browser. It takes a moment. */
  readonly pages?: boolean
}

/** A mail that the service has sent. */
export type TestMail = Pick<OutgoingMail, 'recipient' | 'subject' | 'text' | 'html'>

/** A change of a record. */
export type TestEvent = Pick<ChangeEvent, 'type' | 'resource' | 'pk'>

/** A service under test. */
export interface TestService {
  readonly url: string
  /**
   * Requests as this user. A user who does not exist is created, with ROLE_USER and the given roles. The demo users exist: `admin`,
   * `operator`, `staff`, `client` and `simple`. Every password is the username.
   */
  as(username: string, options?: { readonly roles?: readonly string[] }): TestClient
  /** Requests without credentials. */
  readonly anonymous: TestClient
  /** Records, without permissions. */
  readonly records: Records
  readonly clock: TestClock
  /** All mails sent so far; see `idle`. */
  mails(): readonly TestMail[]
  /** All changes of records since the start; see `idle`. */
  events(): readonly TestEvent[]
  /** Waits until every mail is sent, no job is running and every change is published. */
  idle(): Promise<void>
  stop(): Promise<void>
}

const pagesOf = async ({ modules }: AppDefinition, folder: string): Promise<string> => {
  const shared = readSharedModules(builtClient)
  if (!shared) throw new Error(`The web client is not built: ${builtClient} is missing.`)
  await bundlePages({ sources: pageSources(modules), shared, folder })
  return folder
}

/** The memory in KiB, the least that argon2 accepts: tests sign in often, and their passwords are no secrets. */
const testHashMemory = 8

/**
 * Starts an application for a test: on data that are prepared once and copied, at a free port.
 *
 * @example
 * const service = await startPlinth({ modules: [library] })
 * const created = await service.as('alice').post('/api/rest/books', { title: 'Emma' })
 * expect(created.status).toBe(201)
 * await service.stop()
 */
export const startPlinth = async (options: TestOptions = {}): Promise<TestService> => {
  setHashMemory(testHashMemory)
  const { app = defineApp({ name: 'Test', ...(options.modules && { modules: options.modules }) }), settings = {} } =
    options
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  const database = await placeFor(options, folder)
  const config = testConfig(app, folder, { ...settings, 'app.database.url': database.url })
  const sent: TestMail[] = []
  const clock = new TestClock(options.now)
  const running = await createApp(withMailsTo(sent, app), config, {
    clock: () => clock.now(),
    isDisposable: true,
    ...(options.pages && { pagesFolder: await pagesOf(app, join(folder, 'pages')) }),
  })
  const { url, anonymous, records, withPassword, jobsEnded, mailsSent } = await runApp(running)
  const events: ChangeEvent[] = []
  const { platform } = running
  const feed = await platform.changes.subscribe(published => void events.push(...published))
  return {
    ...{ url, anonymous, records, clock },
    as: (username, { roles = [] } = {}) => withPassword(username, () => ensureUser(running, username, roles)),
    mails: () => [...sent],
    events: () => [...events],
    idle: async () => {
      // Jobs first: they may cause mails.
      await jobsEnded()
      await mailsSent()
      const { latest } = await platform.changes.window()
      await until('the changes to be published', () => (events.at(-1)?.sequence ?? feed.position) >= latest)
    },
    stop: async () => {
      feed.stop()
      await running.close()
      await rm(folder, { recursive: true, force: true })
      await database.drop()
    },
  }
}

/** The application, with mails that are collected instead of sent. */
const withMailsTo = (sent: TestMail[], app: AppDefinition): AppDefinition => {
  const collecting = createMail(readContent, async () => ({ send: async one => void sent.push(one), close: () => {} }))
  return { ...app, modules: app.modules.map(module => (module.name === collecting.name ? collecting : module)) }
}

const placeFor = async ({ database, settings = {} }: TestOptions, folder: string) => {
  if (database !== undefined) return createScratchDatabase(database)
  await copyPreparedData(folder, settings)
  return { url: '', drop: async () => {} }
}

const ensureUser = async ({ platform }: App, username: string, roles: readonly string[]): Promise<void> => {
  if (await platform.records.first(users, { where: { username } })) return
  const passwordHash = await hashPassword(username)
  await platform.records.transaction(async records => {
    const user = { username, email: null, passwordHash, roles: ['ROLE_USER', ...roles], active: true }
    await createUser(records, user, records.now)
  })
}
