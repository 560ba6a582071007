// Expired rows are deleted while users sign in. A sign-in that finds such a row just before it is deleted still succeeds.

import { openBrowser } from '@plinth/test-kit/cookie-client'
import { statementsIn } from '@plinth/test-kit/postgres-activity'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'
import { startAccounts } from './accounts-service.ts'

const basic = { Authorization: `Basic ${btoa('client:client')}` }

test.each(['throttleCounters', 'knownNetworks'])('rows of %s are deleted during a sign-in', async table => {
  const service = await startAccounts('postgres')
  onTestFinished(service.stop)
  // Leaves counters and a known network behind.
  await openBrowser(service.url).signIn('client')
  const sql = postgres(service.database, { max: 1, onnotice: () => {} })
  onTestFinished(() => sql.end())
  await sql.unsafe(`UPDATE "${table}" SET "until" = '2001-02-03T04:05:06.000Z'`)

  const sweep = await new Promise<{ readonly deleteRows: () => void; readonly deleted: Promise<unknown> }>(resolve => {
    const deleted = sql.begin(async tx => {
      await tx.unsafe(`SELECT 1 FROM "${table}" FOR UPDATE`)
      await new Promise<void>(deleteRows => resolve({ deleteRows, deleted }))
      await tx.unsafe(`DELETE FROM "${table}"`)
    })
  })
  const answer = fetch(`${service.url}/api/auth/userDetails`, { headers: basic })
  await until('the sign-in to wait for the locked rows', async () =>
    (await statementsIn(service.database)).some(statement => statement.includes(`"${table}"`)),
  )
  sweep.deleteRows()
  await sweep.deleted
  expect((await answer).status).toBe(200)
})
