// The service as tests meet it: started on a real database, asked over HTTP.

import { rm } from 'node:fs/promises'
import { where } from '../../plinth/src/core/model/query.ts'
import { type TestClient as Client, clientFor } from '../../plinth/src/testing/client.ts'
import { until, waitingFor } from '../../plinth/src/testing/waiting.ts'
import type { Database } from './databases.ts'
import { type App, type AppParts, createApp } from './platform.ts'
import { configOn, newData } from './prepared-data.ts'

export {
  clientFor,
  type TestClient as Client,
  type TestRequest as Ask,
  type TestResponse as Answer,
} from '../../plinth/src/testing/client.ts'

export type DemoUser = 'admin' | 'operator' | 'staff' | 'client' | 'simple'

export interface TestService {
  readonly url: string
  readonly app: App
  /** The address of the PostgreSQL database; empty for SQLite. */
  readonly database: string
  /** The data folder. It is gone after the test unless the test brought it. */
  readonly folder: string
  /** One of the demo users, or an anonymous caller. */
  as(user: DemoUser | 'anonymous'): Client
  /** Waits until every requested password reset is answered and every mail is sent. */
  idle(): Promise<void>
  /** Waits until no job is running. Until then, time that passes counts as part of the run. */
  jobsEnded(): Promise<void>
  stop(): Promise<void>
}

export interface ServiceOptions extends AppParts {
  readonly settings?: Record<string, string>
}

export const startService = async (
  database: Database,
  { settings = {}, ...parts }: ServiceOptions = {},
): Promise<TestService> => {
  const data = await newData(database, settings, parts)
  const app = await createApp(configOn(data, settings), parts)
  const address = await waitingFor(`the service on ${database} to start`, app.listen())
  return {
    url: address,
    app,
    folder: data.folder,
    database: data.url,
    as: user => clientFor(address, user === 'anonymous' ? {} : { Authorization: `Basic ${btoa(`${user}:${user}`)}` }),
    idle: async () => {
      await until('the password resets to be answered', () => isEmpty(app, 'resetRequests'))
      await until('the mails to be sent', () => isEmpty(app, 'mails', { state: 'waiting' }))
    },
    jobsEnded: async () => void (await until('the jobs to end', () => isEmpty(app, 'jobRuns', { status: 'running' }))),
    stop: async () => {
      await waitingFor(`the service on ${database} to stop`, app.close())
      if (!('app.dataDir' in settings)) await rm(data.folder, { recursive: true, force: true })
    },
  }
}

const isEmpty = async ({ platform }: App, name: string, values = {}): Promise<boolean> => {
  const resource = platform.store.resource(name)
  return (await platform.store.count(resource, where(resource, values))) === 0
}
