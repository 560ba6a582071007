// The service as tests meet it: started on a real database, asked over HTTP.

import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TestClient as Client } from '../../plinth/src/testing/client.ts'
import { type RunningApp, runApp } from '../../plinth/src/testing/running-app.ts'
import { waitingFor } from '../../plinth/src/testing/waiting.ts'
import type { TestService as PublicTestService } from '../../plinth/src/testing.ts'
import type { TestedDatabase } from './databases.ts'
import { type App, type AppParts, createApp } from './platform.ts'
import { configOn, newData } from './prepared-data.ts'

export {
  clientFor,
  type TestClient as Client,
  type TestRequest as Ask,
  type TestResponse as Answer,
} from '../../plinth/src/testing/client.ts'

export type DemoUser = 'admin' | 'operator' | 'staff' | 'client' | 'simple'

/** A service as `plinth/testing` gives it, for tests that also look inside. Their parts bring clocks and mail servers. */
export interface TestService
  extends Pick<PublicTestService, 'url' | 'anonymous' | 'records' | 'stop'>,
    Pick<RunningApp, 'jobsEnded'> {
  readonly app: App
  /** The address of the PostgreSQL database; empty for SQLite. */
  readonly database: string
  /** The data folder. It is gone after the test unless the test brought it. */
  readonly folder: string
  /** One of the demo users, or an anonymous caller. */
  as(user: DemoUser | 'anonymous'): Client
  /** Waits until every requested password reset is answered and every mail is sent. */
  idle(): Promise<void>
}

export interface ServiceOptions extends AppParts {
  readonly settings?: Record<string, string>
}

/** The pages of the modules of this repository, as `npm run build` makes them. */
const pagesFolder = fileURLToPath(new URL('../../../dist/pages', import.meta.url))

export const startService = async (
  database: TestedDatabase,
  { settings = {}, ...parts }: ServiceOptions = {},
): Promise<TestService> => {
  const data = await newData(database, settings, parts)
  const app = await createApp(configOn(data, settings), { pagesFolder, ...parts })
  const { withPassword, mailsSent, ...running } = await waitingFor(`the service on ${database} to start`, runApp(app))
  return {
    ...running,
    app,
    folder: data.folder,
    database: data.url,
    as: user => (user === 'anonymous' ? running.anonymous : withPassword(user)),
    idle: mailsSent,
    stop: async () => {
      await waitingFor(`the service on ${database} to stop`, app.close())
      if (!('app.dataDir' in settings)) await rm(data.folder, { recursive: true, force: true })
    },
  }
}
