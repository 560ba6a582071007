// The last administrator stays one, by every path on which the role or the account could be lost, and when several requests race.

import { featureDatabases, itemsOn } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import type { Answer, Client, TestService } from '@plinth/test-kit/service'
import { clientFor } from '@plinth/test-kit/service'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startAccounts } from '../auth/accounts-service.ts'

const json = { Accept: 'application/json' }
const jsonApi = { 'Content-Type': 'application/vnd.api+json', Accept: 'application/vnd.api+json' }
const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const password = 'horse staple battery'
/** The pk of the demo user `admin`. */
const ada = '00000000-0000-7000-8000-000000000001'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let role: Record<'ROLE_ADMIN' | 'ROLE_USER', string>
  beforeAll(async () => {
    service = await startAccounts(database)
    admin = service.as('admin')
    const listed = (await admin.get('/api/rest/roles', json)).body.content as { pk: string; name: string }[]
    role = Object.fromEntries(listed.map(({ pk, name }) => [name, pk])) as typeof role
  })
  afterAll(() => service.stop())

  let names = 0
  /** Another administrator, with a client of their own. */
  const addAdministrator = async () => {
    const username = `second${++names}`
    const { body } = await admin.post('/api/rest/users', { username, password, roles: [role.ROLE_ADMIN] }, json)
    const client = clientFor(service.url, { Authorization: `Basic ${btoa(`${username}:${password}`)}` })
    return { pk: body.pk as string, username, client }
  }
  const rolesOf = async (pk: string): Promise<string[]> =>
    (await admin.get(`/api/rest/users/${pk}`, json)).body.roles.map(({ name }: { name: string }) => name).sort()
  const plain = () => [role.ROLE_USER]
  const linkage = (type: string, ...pks: string[]) => ({ data: pks.map(id => ({ type, id })) })
  const perform = (as: Client, operations: readonly object[]) =>
    as.post('/api/rest/operations', { 'atomic:operations': operations }, { 'Content-Type': atomic, Accept: atomic })

  type Attempt = (pk: string, as: Client) => Promise<Answer>
  const attempts: [string, Attempt][] = [
    ['a patch of the roles', (pk, as) => as.patch(`/api/rest/users/${pk}`, { roles: plain() }, json)],
    [
      'a replaced user',
      async (pk, as) => {
        const { username } = (await as.get(`/api/rest/users/${pk}`, json)).body
        return as.put(`/api/rest/users/${pk}`, { username, roles: plain() }, json)
      },
    ],
    [
      'replaced links to roles',
      (pk, as) => as.patch(`/api/rest/users/${pk}/relationships/roles`, linkage('roles', role.ROLE_USER), jsonApi),
    ],
    [
      'a removed link to the role',
      (pk, as) =>
        as(`/api/rest/users/${pk}/relationships/roles`, {
          method: 'DELETE',
          body: JSON.stringify(linkage('roles', role.ROLE_ADMIN)),
          headers: jsonApi,
        }),
    ],
    [
      'a removed member of the role',
      (pk, as) =>
        as(`/api/rest/roles/${role.ROLE_ADMIN}/relationships/members`, {
          method: 'DELETE',
          body: JSON.stringify(linkage('users', pk)),
          headers: jsonApi,
        }),
    ],
    [
      'an atomic update',
      (pk, as) =>
        perform(as, [
          {
            op: 'update',
            data: { type: 'users', id: pk, relationships: { roles: linkage('roles', role.ROLE_USER) } },
          },
        ]),
    ],
    ['an atomic removal', (pk, as) => perform(as, [{ op: 'remove', ref: { type: 'users', id: pk } }])],
    ['a deactivation', (pk, as) => as.patch(`/api/rest/userCredentials/${pk}`, { active: false }, json)],
    ['replaced credentials', (pk, as) => as.put(`/api/rest/userCredentials/${pk}`, { active: false }, json)],
    ['deleted credentials', (pk, as) => as.delete(`/api/rest/userCredentials/${pk}`, json)],
    ['a deletion', (pk, as) => as.delete(`/api/rest/users/${pk}`, json)],
    [
      'a restored version',
      async (pk, as) => {
        const { version } = (await as.get(`/api/rest/users/${pk}`, json)).body
        // Taken from the role and given back, while there was another administrator.
        const other = await addAdministrator()
        await other.client.patch(`/api/rest/users/${pk}`, { roles: plain() })
        await other.client.patch(`/api/rest/users/${pk}`, { roles: [role.ROLE_ADMIN, role.ROLE_USER] })
        expect((await admin.delete(`/api/rest/users/${other.pk}`)).status).toBe(204)
        return as.post(`/api/rest/users/${pk}/history/${version + 1}/restore`, undefined, json)
      },
    ],
  ]

  describe('the only administrator', () => {
    beforeEach(async () => {
      expect(await rolesOf(ada)).toEqual(['ROLE_ADMIN', 'ROLE_USER'])
    })

    test.each(itemsOn(database, everyThird(attempts)))('is not lost by %s', async (_, attempt) => {
      const refused = await attempt(ada, admin)
      expect(refused.status).toBe(409)
      expect(refused.text).toContain('last_administrator')
      expect(await rolesOf(ada)).toEqual(['ROLE_ADMIN', 'ROLE_USER'])
      expect((await admin.get(`/api/rest/userCredentials/${ada}`, json)).body.active).toBe(true)
    })

    test('is not lost by an import', async () => {
      const file = (username: string) => ({
        method: 'POST',
        body: `username,roles\n${username},${role.ROLE_USER}\n`,
        headers: { 'Content-Type': 'text/csv', ...json },
      })
      const other = await addAdministrator()
      const taken = await admin('/api/import/users?key=username', file(other.username))
      expect(taken.body).toMatchObject({ changed: 1, refused: 0 })
      const refused = await admin('/api/import/users?key=username', file('admin'))
      expect(refused.body).toMatchObject({ changed: 0, refused: 1 })
      expect(JSON.stringify(refused.body.rows)).toContain('last active administrator')
      expect(await rolesOf(ada)).toEqual(['ROLE_ADMIN', 'ROLE_USER'])
    })

    test('is not the second one as long as the other is deactivated', async () => {
      const other = await addAdministrator()
      expect((await admin.patch(`/api/rest/userCredentials/${other.pk}`, { active: false })).status).toBe(200)
      expect((await admin.patch(`/api/rest/users/${ada}`, { roles: plain() })).status).toBe(409)
      expect((await admin.delete(`/api/rest/users/${other.pk}`)).status).toBe(204)
    })

    test('may hand the role over in one atomic request', async () => {
      const other = await addAdministrator()
      const change = (id: string, ...roles: string[]) => ({
        op: 'update',
        data: { type: 'users', id, relationships: { roles: linkage('roles', ...roles) } },
      })
      expect((await other.client.patch(`/api/rest/users/${other.pk}`, { roles: plain() })).status).toBe(200)
      const handed = await perform(admin, [change(other.pk, role.ROLE_ADMIN), change(ada, role.ROLE_USER)])
      expect(handed.status).toBe(200)
      const back = await perform(other.client, [change(ada, role.ROLE_ADMIN, role.ROLE_USER)])
      expect(back.status).toBe(200)
      expect((await admin.delete(`/api/rest/users/${other.pk}`)).status).toBe(204)
    })
  })

  test.each(itemsOn(database, everyThird(attempts.slice(0, -1))))(
    'of two administrators, one is lost by %s',
    async (_, attempt) => {
      const other = await addAdministrator()
      expect((await attempt(other.pk, admin)).status).toBeLessThan(300)
      expect((await other.client.get('/api/rest/mails')).status).toBeGreaterThan(400)
    },
  )

  /** What is asked begins, and then waits for the rows of these users. Writers of SQLite wait for each other anyway. */
  const blocked = async (pks: readonly string[], ask: () => Promise<Answer>[]): Promise<Promise<Answer>[]> => {
    const sql = postgres(service.database, { max: 1 })
    onTestFinished(() => sql.end())
    const waiting = async (): Promise<number> => {
      const [found] = await sql<{ count: number }[]>`
        SELECT count(*)::integer FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return found?.count ?? 0
    }
    let answers: Promise<Answer>[] = []
    await service.app.platform.store.transaction(async tx => {
      for (const pk of pks) await tx.lock(tx.resource('secrets'), pk)
      answers = ask()
      await expect.poll(waiting).toBe(answers.length)
    })
    return answers
  }

  test.each([
    ['role', (pk: string, as: Client) => as.patch(`/api/rest/users/${pk}`, { roles: plain() })],
    ['access', (pk: string, as: Client) => as.patch(`/api/rest/userCredentials/${pk}`, { active: false })],
    ['account', (pk: string, as: Client) => as.delete(`/api/rest/users/${pk}`)],
  ])('two administrators who take the %s from each other at once do not both succeed', async (_, take) => {
    const [one, other] = [await addAdministrator(), await addAdministrator()]
    // Both are authenticated before either of them changes anything.
    await Promise.all([one.client.get('/api/rest/mails'), other.client.get('/api/rest/mails')])
    const requests = () => [take(other.pk, one.client), take(one.pk, other.client)]
    const answers = database === 'sqlite' ? requests() : await blocked([one.pk, other.pk], requests)
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    const [first = 0, second = 0] = statuses.sort()
    expect(first).toBeLessThan(300)
    expect([401, 403]).toContain(second)
    for (const { pk } of [one, other]) await admin.delete(`/api/rest/users/${pk}`)
  })
})
