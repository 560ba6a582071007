// Two who change the rights of one user at once: what either of them takes away stays away.

import { openBrowser } from '@plinth/test-kit/cookie-client'
import type { Client, TestService } from '@plinth/test-kit/service'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAccounts } from '../auth/accounts-service.ts'

const json = { Accept: 'application/json' }
const password = 'horse staple battery'

// Writers of SQLite wait for one another from the start.
let service: TestService
let admin: Client
let sql: postgres.Sql
beforeAll(async () => {
  service = await startAccounts('postgres')
  admin = service.as('admin')
  sql = postgres(service.database, { max: 1 })
})
afterAll(async () => {
  await sql.end()
  await service.stop()
})

const waiting = async (): Promise<number> => {
  const [found] = await sql<{ count: number }[]>`
    SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return found?.count ?? 0
}

test('a role that is withdrawn does not come back with the end of another', async () => {
  const roles = (await admin.get('/api/rest/roles', json)).body.content as { pk: string; name: string }[]
  const administrator = roles.find(({ name }) => name === 'ROLE_ADMIN')?.pk ?? ''
  const guest = (await admin.post('/api/rest/roles', { name: 'ROLE_GUEST' }, json)).body.pk
  const username = 'demoted'
  const made = await admin.post('/api/rest/users', { username, password, roles: [administrator, guest] }, json)
  const browser = openBrowser(service.url)
  await browser.signIn(username, password)
  expect((await browser.get('/api/rest/mails')).status).toBe(200)

  const requests: Promise<number>[] = []
  const ask = async (answer: ReturnType<Client>): Promise<void> => {
    requests.push(answer.then(({ status }) => status))
    await expect.poll(waiting).toBe(requests.length)
  }
  // Both have begun, and wait for the same row.
  await service.app.platform.store.transaction(async tx => {
    await tx.lock(tx.resource('secrets'), made.body.pk)
    await ask(admin.patch(`/api/rest/users/${made.body.pk}`, { roles: [guest] }))
    await ask(admin.delete(`/api/rest/roles/${guest}`))
  })
  expect(await Promise.all(requests)).toEqual([200, 204])
  expect((await browser.get('/api/rest/mails')).status).toBe(403)
})
