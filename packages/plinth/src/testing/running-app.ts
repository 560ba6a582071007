// A running application under test: what every test asks of it, of an application or of this repository.

import type { App } from '../app.ts'
import { jobRuns } from '../core/jobs/runs.ts'
import type { Records } from '../core/model/records.ts'
import { mails } from '../modules/mail/index.ts'
import { resetRequests } from '../modules/registration/index.ts'
import { clientFor, type TestClient } from './client.ts'
import { until } from './waiting.ts'

/** The part of a service under test that does not depend on how its data are made. */
export interface RunningApp {
  readonly url: string
  /** Requests without credentials. */
  readonly anonymous: TestClient
  /** Records, without permissions. */
  readonly records: Records
  /** Requests with a password that is the username. The user may be created by `beforehand`. */
  withPassword(username: string, beforehand?: () => Promise<void>): TestClient
  /** Waits until no job is running. Until then, time that passes counts as part of the run. */
  jobsEnded(): Promise<void>
  /** Waits until every requested password reset is answered and every mail is sent. */
  mailsSent(): Promise<void>
}

export const runApp = async (app: App): Promise<RunningApp> => {
  const url = await app.listen()
  const { records } = app.platform
  return {
    url,
    records,
    anonymous: clientFor(url, {}),
    withPassword: (username, beforehand) =>
      clientFor(url, async () => {
        await beforehand?.()
        return { Authorization: `Basic ${Buffer.from(`${username}:${username}`).toString('base64')}` }
      }),
    jobsEnded: async () => {
      const running = { where: { status: 'running' } } as const
      await until('the jobs to end', async () => (await records.count(jobRuns, running)) === 0)
    },
    mailsSent: async () => {
      const waiting = { where: { state: 'waiting' } } as const
      await until('the password resets to be answered', async () => (await records.count(resetRequests)) === 0)
      await until('the mails to be sent', async () => (await records.count(mails, waiting)) === 0)
    },
  }
}
