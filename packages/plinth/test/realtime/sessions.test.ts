import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

const json = { Accept: 'application/json' }
const sending = { ...json, 'Content-Type': 'application/json' }
const pkOf = { client: '00000000-0000-7000-8000-000000000004', simple: '00000000-0000-7000-8000-000000000005' }

/** A start takes its time on a busy machine. */
const startsService = { timeout: 120_000 }

/** Signs in for cookies; gives them as a header. */
const signIn = async (service: TestService, username: string, password = username): Promise<string> => {
  const answer = await service.as('anonymous').post('/api/auth/jwt/access', { username, password })
  expect(answer.status).toBe(201)
  return answer.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
    admin = service.as('admin')
  })
  afterAll(() => service.stop())

  const find = (session: string) => admin.get(`/api/rest/stompSessions/${session}`, json)

  test('a connection has a record from CONNECTED to its end, and its user counts it', async () => {
    const countOf = async () => (await admin.get(`/api/rest/users/${pkOf.client}`, json)).body.stompSessionCount
    expect(await countOf()).toBe(0)
    const connected = await connect(service.url, { ...credentialsOf('client'), 'User-Agent': 'a test' })
    const record = (await find(connected.session)).body
    expect(record).toMatchObject({ user: { username: 'client' }, userAgent: 'a test', remoteAddress: '127.0.0.1' })
    expect(await countOf()).toBe(1)
    await connected.disconnect()
    await until('the session to end', async () => (await find(connected.session)).status === 404)
    expect(await countOf()).toBe(0)
  })

  test('a connection that breaks off leaves no record', async () => {
    const connected = await connect(service.url, credentialsOf('client'))
    connected.drop()
    await until('the session to end', async () => (await find(connected.session)).status === 404)
  })

  test('its record is seen and deleted by its user and by administrators; that disconnects', async () => {
    for (const who of ['client', 'admin'] as const) {
      const connected = await connect(service.url, credentialsOf('client'))
      const path = `/api/rest/stompSessions/${connected.session}`
      expect((await service.as('simple').get(path)).status).toBe(404)
      expect((await service.as('operator').get(path)).status).toBe(200)
      expect((await service.as('simple').delete(path)).status).toBe(404)
      expect((await service.as('operator').delete(path)).status).toBe(403)
      expect((await service.as(who).delete(path)).status).toBe(204)
      expect((await connected.error).body).toBe('The session has ended.')
      await connected.closed
    }
  })

  test('who signs out is cut off', async () => {
    const cookie = await signIn(service, 'simple')
    const connected = await connect(service.url, { Cookie: cookie })
    const others = await connect(service.url, { Cookie: await signIn(service, 'simple') })
    await service.as('anonymous')('/api/auth/userDetails', { method: 'DELETE', headers: { Cookie: cookie } })
    expect((await connected.error).headers.message).toBe('unauthorized')
    await connected.closed
    // Another session of the same user goes on.
    await others.listen('/topic/hosts')
    await others.disconnect()
  })

  test('a user who is deactivated is cut off, whatever the credentials', async () => {
    const made = await admin.post('/api/rest/users', { username: 'leaver', password: 'a long enough secret 7' }, json)
    const basic = { Authorization: `Basic ${btoa('leaver:a long enough secret 7')}` }
    const cookie = await signIn(service, 'leaver', 'a long enough secret 7')
    const connections = [await connect(service.url, basic), await connect(service.url, { Cookie: cookie })]
    const patched = await admin.patch(`/api/rest/userCredentials/${made.body.pk}`, { active: false }, sending)
    expect(patched.status).toBe(200)
    for (const connected of connections) {
      expect((await connected.error).headers.message).toBe('unauthorized')
      await connected.closed
    }
  })

  test('a user who is deleted is cut off', async () => {
    const made = await admin.post('/api/rest/users', { username: 'gone', password: 'a long enough secret 7' }, json)
    const connected = await connect(service.url, { Authorization: `Basic ${btoa('gone:a long enough secret 7')}` })
    expect((await admin.delete(`/api/rest/users/${made.body.pk}`)).status).toBe(204)
    await connected.error
    await connected.closed
  })

  test('who loses a role does not hear what the role heard', async () => {
    const role = (await admin.get('/api/rest/roles?name=ROLE_SITE_OPERATOR', json)).body.content[0].pk
    const body = { username: 'demoted', password: 'a long enough secret 7', roles: [role] }
    const made = await admin.post('/api/rest/users', body, json)
    const headers = { Authorization: `Basic ${btoa('demoted:a long enough secret 7')}` }
    const connected = await connect(service.url, headers)
    const inbox = await connected.listen('/topic/errorLogs')
    const log = (stacktrace: string) => admin.post('/api/rest/errorLogs', { stacktrace }, sending)
    await log('before')
    await inbox.until(1)
    const unlinked = await admin(`/api/rest/users/${made.body.pk}/relationships/roles`, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: { data: [{ type: 'roles', id: role }] },
    })
    expect(unlinked.status).toBe(204)
    expect((await connected.error).headers.message).toBe('forbidden')
    await log('after')
    await connected.closed
    expect(inbox.messages).toHaveLength(1)
  })

  test('a change right after the loss of a role is not sent, even if both are in the same batch', async () => {
    const role = (await admin.get('/api/rest/roles?name=ROLE_SITE_OPERATOR', json)).body.content[0].pk
    for (const round of [1, 2, 3]) {
      const body = { username: `demoted${round}`, password: 'a long enough secret 7', roles: [role] }
      const made = await admin.post('/api/rest/users', body, json)
      const connected = await connect(service.url, {
        Authorization: `Basic ${btoa(`${body.username}:${body.password}`)}`,
      })
      const inbox = await connected.listen('/topic/errorLogs')
      const log = (stacktrace: string) => admin.post('/api/rest/errorLogs', { stacktrace }, sending)
      const before = (await log(`before ${round}`)).body.pk
      await inbox.until(1)
      // Changes in quick succession are sent in the same batch.
      await admin.patch(`/api/rest/users/${made.body.pk}`, { roles: [] }, sending)
      await log(`after ${round}`)
      await connected.closed
      expect(inbox.bodies().map(change => change.pk)).toEqual([before])
    }
  })

  testAll('changes of rights in the midst of many changes lose none of them and repeat none', async () => {
    const body = { username: 'changing', password: 'a long enough secret 7' }
    const { pk } = (await admin.post('/api/rest/users', body, json)).body
    const headers = { Authorization: `Basic ${btoa(`${body.username}:${body.password}`)}` }
    const role = (await admin.post('/api/rest/roles', { name: 'ROLE_CHANGING' }, json)).body.pk
    const connected = await connect(service.url, headers)
    const inbox = await connected.listen('/topic/friendships', { record: 'true' })
    const own = clientFor(service.url, headers)
    const rounds = extent(20, 40)
    const comeAndGo = async () => {
      for (let round = 0; round < rounds; round++) {
        expect((await own.post('/api/rest/friendships', { friend: pkOf.client }, sending)).status).toBe(201)
        expect((await own.delete(`/api/rest/friendships/${pkOf.client}`)).status).toBe(204)
      }
    }
    let isOver = false
    const changeRights = async () => {
      for (let round = 0; !isOver; round++)
        await admin.patch(`/api/rest/users/${pk}`, { roles: round % 2 === 0 ? [role] : [] }, sending)
    }
    await Promise.all([
      comeAndGo().finally(() => {
        isOver = true
      }),
      changeRights(),
    ])
    await inbox.until(2 * rounds)
    await connected.disconnect()
    expect(inbox.bodies().map(change => change.type)).toEqual(
      Array.from({ length: rounds }, () => ['created', 'deleted']).flat(),
    )
  })

  test('rights that are gained count for the subscriptions that are there', async () => {
    const made = await admin.post('/api/rest/users', { username: 'promoted', password: 'a long enough secret 7' }, json)
    const headers = { Authorization: `Basic ${btoa('promoted:a long enough secret 7')}` }
    const connected = await connect(service.url, headers)
    const inbox = await connected.listen('/topic/clientErrors')
    const watcher = await connect(service.url, credentialsOf('admin'))
    const watched = await watcher.listen('/topic/clientErrors')
    const report = async (message: string) =>
      (await admin.post('/api/rest/clientErrors', { message }, sending)).body.pk as string
    const before = await report('before')
    // By now it was sent to all subscribers who may read it.
    await until('the change', () => watched.bodies().some(change => change.pk === before))
    const role = (await admin.get('/api/rest/roles?name=ROLE_SITE_OPERATOR', json)).body.content[0].pk
    await admin.patch(`/api/rest/users/${made.body.pk}`, { roles: [role] }, sending)
    let after = ''
    await until('the sessions of the lost instance to go', async () => {
      after = await report('after')
      return inbox.messages.length > 0
    })
    expect(inbox.bodies().map(change => change.pk)).not.toContain(before)
    expect(after).not.toBe('')
    await watcher.disconnect()
    await connected.disconnect()
  })

  test('when the service ends, its connections end', startsService, async () => {
    const own = await startService(database, { settings: { 'app.modules': '' } })
    const connected = await connect(own.url, credentialsOf('client'))
    await own.stop()
    await connected.closed
  })
})

describe('several instances', () => {
  const settings = async () => {
    const kept = await keepDatabase('postgres', { 'app.modules': '' })
    onTestFinished(kept.remove)
    // Each instance has a data folder of its own.
    return { 'app.database.url': kept.settings['app.database.url'] ?? '', 'app.modules': '' }
  }

  testAll(
    'a record deleted at one disconnects at the other, and changes at one are heard at the other',
    startsService,
    async () => {
      const shared = await settings()
      const [one, two] = [
        await startService('postgres', { settings: shared }),
        await startService('postgres', { settings: shared }),
      ]
      const connected = await connect(one.url, credentialsOf('client'))
      const inbox = await connected.listen('/topic/hosts')
      const { pk } = (await two.as('admin').post('/api/rest/hosts', { name: 'from-two.example' })).body
      expect((await inbox.until(1))[0]).toMatchObject({ type: 'created', pk })
      expect((await two.as('admin').delete(`/api/rest/stompSessions/${connected.session}`)).status).toBe(204)
      await connected.error
      await connected.closed
      await one.stop()
      await two.stop()
    },
  )

  testAll('what an instance that died leaves behind is cleared away by another', startsService, async () => {
    const shared = await settings()
    const one = await startService('postgres', { settings: shared })
    const connected = await connect(one.url, credentialsOf('client'))
    const later = () => new Date(Date.now() + 3600_000)
    const path = `/api/rest/stompSessions/${connected.session}`
    expect((await one.as('admin').get(path)).status).toBe(200)
    // An hour later the first has not said for long that it is alive.
    const two = await startService('postgres', { settings: shared, clock: later })
    expect((await two.as('admin').get(path)).status).toBe(404)
    // Should it be alive after all, it lets go of what the others believe to be gone.
    await connected.closed
    await two.stop()
    await one.stop()
  })
})
