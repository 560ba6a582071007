import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
const pkOf = {
  staff: '00000000-0000-7000-8000-000000000003',
  client: '00000000-0000-7000-8000-000000000004',
  simple: '00000000-0000-7000-8000-000000000005',
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
  })
  afterAll(() => service.stop())

  test('friends are notified of requests, of presence and of activity', async () => {
    const [client, simple] = [service.as('client'), service.as('simple')]
    const mine = await connect(service.url, credentialsOf('client'))
    const friendships = await mine.listen('/user/queue/friendships', { record: 'true' })
    const state = await mine.listen('/user/queue/updates/state')
    const activity = await mine.listen('/user/queue/updates/activity')
    const stranger = await connect(service.url, credentialsOf('staff'))
    const unheard = [
      await stranger.listen('/user/queue/friendships'),
      await stranger.listen('/user/queue/updates/state'),
      await stranger.listen('/user/queue/updates/activity'),
    ]
    const bystander = await connect(service.url, credentialsOf('admin'))
    const queueOfAdmin = await bystander.listen('/user/queue/friendships')
    const sessions = await bystander.listen('/topic/stompSessions')

    await simple.post('/api/rest/friendships', { friend: pkOf.client }, json)
    const messages = await friendships.until(1)
    expect(messages[0]).toMatchObject({
      type: 'created',
      resource: 'friendships',
      pk: `${pkOf.client}_${pkOf.simple}`,
      record: { status: 'PENDING', friend: { username: 'simple' } },
    })
    // Before it is confirmed they are no friends.
    const early = await connect(service.url, credentialsOf('simple'))
    await early.disconnect()
    await sessions.find(change => change.type === 'deleted' && change.pk === early.session)
    await client.patch(`/api/rest/friendships/${pkOf.simple}`, { status: 'CONFIRMED' }, json)
    expect((await friendships.until(2))[1]).toMatchObject({ type: 'updated', record: { status: 'CONFIRMED' } })

    const theirs = await connect(service.url, credentialsOf('simple'))
    expect((await state.until(1))[0]).toEqual({ id: pkOf.simple, stompSessionCount: 1 })
    await theirs.disconnect()
    expect((await state.until(2))[1]).toEqual({ id: pkOf.simple, stompSessionCount: 0 })

    await simple.patch(`/api/rest/users/${pkOf.simple}`, { description: 'new here' }, json)
    expect((await activity.until(1))[0]).toMatchObject({ id: pkOf.simple, activity: 'updated' })

    expect(unheard.map(inbox => inbox.messages.length)).toEqual([0, 0, 0])
    expect(queueOfAdmin.messages).toHaveLength(0)
    await simple.delete(`/api/rest/friendships/${pkOf.client}`)
    expect((await friendships.until(3))[2]).toMatchObject({ type: 'deleted', pk: `${pkOf.client}_${pkOf.simple}` })
    for (const connected of [mine, stranger, bystander]) await connected.disconnect()
  })

  test('whether a user is online is the same for everybody who may read the user', async () => {
    const theirs = await connect(service.url, credentialsOf('simple'))
    for (const user of ['admin', 'client', 'simple'] as const) {
      const reader = service.as(user)
      const { body } = await reader.get(`/api/rest/users/${pkOf.simple}`, json)
      expect([user, body.stompSessionCount]).toEqual([user, 1])
      const online = await reader.get('/api/rest/users?filter=stompSessionCount=ge=1&sort=-stompSessionCount', json)
      expect(online.body.content.map(({ username }: { username: string }) => username)).toEqual(['simple'])
    }
    // The connections themselves stay private.
    expect((await service.as('client').get(`/api/rest/stompSessions/${theirs.session}`, json)).status).toBe(404)
    await theirs.disconnect()
  })

  test('signing in and other roles are no change of the profile', async () => {
    await service.as('staff').post('/api/rest/friendships', { friend: pkOf.simple }, json)
    await service.as('simple').patch(`/api/rest/friendships/${pkOf.staff}`, { status: 'CONFIRMED' }, json)
    const mine = await connect(service.url, credentialsOf('staff'))
    const activity = await mine.listen('/user/queue/updates/activity')
    const users = await mine.listen('/topic/users')
    const signedIn = await service
      .as('anonymous')
      .post('/api/auth/userDetails', { username: 'simple', password: 'simple' })
    expect(signedIn.status).toBe(200)
    const visit = await users.find(change => change.pk === pkOf.simple)
    const nextAfter = (last: number) => users.find(({ pk, sequence }) => pk === pkOf.simple && sequence > last)
    const roles = (await service.as('admin').get('/api/rest/roles', json)).body.content as { pk: string }[]
    const { body: simple } = await service.as('admin').get(`/api/rest/users/${pkOf.simple}`, json)
    const setRoles = (userRoles: readonly { pk: string }[]) =>
      service.as('admin').patch(`/api/rest/users/${pkOf.simple}`, { roles: userRoles.map(({ pk }) => pk) }, json)
    expect((await setRoles(roles)).status).toBe(200)
    const promotion = await nextAfter(visit.sequence)
    expect((await setRoles(simple.roles)).status).toBe(200)
    const demotion = await nextAfter(promotion.sequence)
    await service.as('simple').patch(`/api/rest/users/${pkOf.simple}`, { description: `on ${database}` }, json)
    const edit = await nextAfter(demotion.sequence)
    expect((await activity.until(1))[0]).toMatchObject({ id: pkOf.simple, activity: 'updated' })
    expect(activity.messages.map(message => Number(message.headers.sequence))).toEqual([edit.sequence])
    await mine.disconnect()
  })

  test('a queue can be resumed', async () => {
    const first = await connect(service.url, credentialsOf('client'))
    const { since } = await first.listen('/user/queue/friendships')
    first.drop()
    await service.as('staff').post('/api/rest/friendships', { friend: pkOf.client }, json)
    const second = await connect(service.url, credentialsOf('client'))
    const inbox = await second.listen('/user/queue/friendships', { 'last-sequence': String(since) })
    expect((await inbox.until(1))[0]).toMatchObject({ type: 'created', pk: `${pkOf.client}_${pkOf.staff}` })
    await second.disconnect()
  })
})
