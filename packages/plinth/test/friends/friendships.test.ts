import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, extent } from '@plinth/test-kit/extent'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const states = ['NONE', 'SENT', 'PENDING', 'CONFIRMED', 'BLOCK', 'BLOCK_INVERSE'] as const
type State = (typeof states)[number]
const wishes = ['SENT', 'PENDING', 'CONFIRMED', 'BLOCK', 'BLOCK_INVERSE', 'DELETE'] as const
type Wish = (typeof wishes)[number]

/** What the owner's side becomes, by its state and the wish; what is not listed is refused. */
const legal: Partial<Record<State, Partial<Record<Wish, State>>>> = {
  NONE: { SENT: 'SENT', BLOCK: 'BLOCK' },
  SENT: { DELETE: 'NONE' },
  PENDING: { CONFIRMED: 'CONFIRMED', DELETE: 'NONE', BLOCK: 'BLOCK' },
  CONFIRMED: { DELETE: 'NONE', BLOCK: 'BLOCK' },
  BLOCK: { DELETE: 'NONE' },
}
const inverse: Record<State, State> = {
  NONE: 'NONE',
  SENT: 'PENDING',
  PENDING: 'SENT',
  CONFIRMED: 'CONFIRMED',
  BLOCK: 'BLOCK_INVERSE',
  BLOCK_INVERSE: 'BLOCK',
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let serial = 0
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
  })
  afterAll(() => service.stop())

  interface Person {
    readonly pk: string
    readonly client: Client
  }
  const password = 'a long enough secret 7'
  const newPerson = async (): Promise<Person> => {
    serial += 1
    const username = `person${serial}`
    const made = await service
      .as('admin')
      .post('/api/rest/users', { username, password }, { Accept: 'application/json' })
    expect(made).toHaveStatus(201)
    const client = clientFor(service.url, { Authorization: `Basic ${btoa(`${username}:${password}`)}` })
    return { pk: made.body.pk, client }
  }
  const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
  const ask = (from: Person, to: Person, status?: string) =>
    from.client.post('/api/rest/friendships', { friend: to.pk, ...(status && { status }) }, json)
  const wish = (from: Person, to: Person, status: string) =>
    from.client.patch(`/api/rest/friendships/${to.pk}`, { status }, json)
  const stateOf = async (from: Person, to: Person): Promise<State> =>
    (await from.client.get(`/api/rest/friendships/${to.pk}`, json)).body?.status ?? 'NONE'

  /** Ends a friendship. Only the user who blocked can end it, so both try. */
  const part = async (one: Person, two: Person): Promise<void> => {
    await one.client.delete(`/api/rest/friendships/${two.pk}`)
    await two.client.delete(`/api/rest/friendships/${one.pk}`)
    expect([await stateOf(one, two), await stateOf(two, one)]).toEqual(['NONE', 'NONE'])
  }

  /** Brings the two to where the first one's side is in the state. */
  const bring = async (one: Person, two: Person, state: State): Promise<void> => {
    if (state === 'SENT') await ask(one, two)
    if (state === 'PENDING' || state === 'CONFIRMED') await ask(two, one)
    if (state === 'CONFIRMED') await wish(one, two, 'CONFIRMED')
    if (state === 'BLOCK') await ask(one, two, 'BLOCK')
    if (state === 'BLOCK_INVERSE') await ask(two, one, 'BLOCK')
    expect([await stateOf(one, two), await stateOf(two, one)]).toEqual([state, inverse[state]])
  }

  describe.each(everyThird(states))('from %s', state => {
    test('each wish is granted or refused, and both sides agree', async () => {
      const [me, other] = [await newPerson(), await newPerson()]
      for (const one of wishes) {
        await part(me, other)
        await bring(me, other, state)
        const answer = state === 'NONE' ? await ask(me, other, one) : await wish(me, other, one)
        const next = legal[state]?.[one]
        const after = [await stateOf(me, other), await stateOf(other, me)]
        if (next) {
          expect([one, answer.status]).toEqual([one, one === 'DELETE' ? 204 : state === 'NONE' ? 201 : 200])
          expect([one, after]).toEqual([one, [next, inverse[next]]])
        } else {
          // To wish for what is so already changes nothing.
          const expected = state === one ? 204 : state === 'NONE' && one === 'DELETE' ? 400 : 409
          expect([one, answer.status]).toEqual([one, expected])
          expect([one, after]).toEqual([one, [state, inverse[state]]])
        }
      }
    })

    test('DELETE ends it for both, where it may', async () => {
      const [me, other] = [await newPerson(), await newPerson()]
      await bring(me, other, state)
      const { status } = await me.client.delete(`/api/rest/friendships/${other.pk}`)
      const isLegal = legal[state]?.DELETE !== undefined
      expect(status).toBe(state === 'NONE' ? 404 : isLegal ? 204 : 409)
      const after = isLegal ? 'NONE' : state
      expect([await stateOf(me, other), await stateOf(other, me)]).toEqual([after, inverse[after]])
    })
  })

  test('the identifier is both pks; one may leave out oneself', async () => {
    const [me, other] = [await newPerson(), await newPerson()]
    const made = await ask(me, other)
    expect(made.body.pk).toBe(`${me.pk}_${other.pk}`)
    for (const pk of [other.pk, `${me.pk}_${other.pk}`]) {
      expect((await me.client.get(`/api/rest/friendships/${pk}`, json)).body.pk).toBe(made.body.pk)
      expect((await me.client.get(`/api/rest/friendships/${pk}/friend`, json)).body.pk).toBe(other.pk)
    }
    const put = await me.client.put(`/api/rest/friendships/${other.pk}`, { pk: other.pk, status: 'SENT' }, json)
    expect(put.status).toBe(200)
  })

  test('PUT makes a friendship and ends it', async () => {
    const [me, other] = [await newPerson(), await newPerson()]
    expect((await me.client.put(`/api/rest/friendships/${other.pk}`, { status: 'SENT' }, json)).status).toBe(201)
    expect(await stateOf(other, me)).toBe('PENDING')
    expect((await me.client.put(`/api/rest/friendships/${other.pk}`, { status: 'DELETE' }, json)).status).toBe(204)
    expect(await stateOf(other, me)).toBe('NONE')
  })

  test('users cannot see or change the friendships of others', async () => {
    const [me, other, stranger] = [await newPerson(), await newPerson(), await newPerson()]
    const { pk } = (await ask(me, other)).body
    expect((await stranger.client.get(`/api/rest/friendships/${pk}`)).status).toBe(404)
    expect((await stranger.client.patch(`/api/rest/friendships/${pk}`, { status: 'BLOCK' }, json)).status).toBe(404)
    expect((await stranger.client.delete(`/api/rest/friendships/${pk}`)).status).toBe(404)
    const forged = { owner: me.pk, friend: stranger.pk }
    expect((await stranger.client.post('/api/rest/friendships', forged, json)).status).toBe(403)
    expect((await stranger.client.get('/api/rest/friendships', json)).body.content).toEqual([])
    expect((await service.as('anonymous').get('/api/rest/friendships')).status).toBe(401)
  })

  test.each([
    ['oneself', (me: string) => me, 422],
    ['an unknown user', () => '00000000-0000-7000-8000-0000000000ff', 422],
  ])('%s cannot be a friend', async (_, friendOf, status) => {
    const me = await newPerson()
    expect((await me.client.post('/api/rest/friendships', { friend: friendOf(me.pk) }, json)).status).toBe(status)
  })

  test('whatever both sides do at once, they agree afterwards', async () => {
    const [me, other] = [await newPerson(), await newPerson()]
    for (let round = 0; round < extent(2, 8); round++) {
      await part(me, other)
      const responses = await Promise.all([ask(me, other), ask(other, me), ask(me, other), ask(other, me)])
      expect(responses.filter(answer => answer.status === 201)).toHaveLength(1)
      expect(responses.every(answer => answer.status === 201 || answer.status === 409)).toBe(true)
      expect(await stateOf(other, me)).toBe(inverse[await stateOf(me, other)])
      const [asker, asked1] = (await stateOf(me, other)) === 'SENT' ? [me, other] : [other, me]
      await Promise.all([wish(asked1, asker, 'CONFIRMED'), asker.client.delete(`/api/rest/friendships/${asked1.pk}`)])
      expect(await stateOf(asked1, asker)).toBe(inverse[await stateOf(asker, asked1)])
      const blocks = await Promise.all([
        me.client.put(`/api/rest/friendships/${other.pk}`, { status: 'BLOCK' }, json),
        other.client.put(`/api/rest/friendships/${me.pk}`, { status: 'BLOCK' }, json),
      ])
      expect(blocks.every(answer => answer.status < 500)).toBe(true)
      const mine = await stateOf(me, other)
      expect([mine === 'BLOCK' || mine === 'BLOCK_INVERSE', await stateOf(other, me)]).toEqual([true, inverse[mine]])
    }
  })

  describe('lists of friends', () => {
    const befriend = async (one: Person, two: Person) => {
      await ask(one, two)
      await wish(two, one, 'CONFIRMED')
    }
    const pksOf = (answer: { body: { content: { pk: string }[] } }) => answer.body.content.map(one => one.pk)

    test('are paged, sorted and chosen by status', async () => {
      const me = await newPerson()
      const friends = [await newPerson(), await newPerson(), await newPerson()]
      for (const friend of friends) await befriend(me, friend)
      const waiting = await newPerson()
      await ask(waiting, me)
      const all = await me.client.get('/api/rest/friends/my?sort=-username&size=2')
      expect(all.status).toBe(200)
      expect(all.body.page).toEqual({ size: 2, totalElements: 3, totalPages: 2, number: 0 })
      expect(pksOf(all)).toEqual([friends[2]?.pk, friends[1]?.pk])
      expect(Object.keys(all.body.content[0])).toEqual(expect.arrayContaining(['pk', 'username', 'name']))
      const next = all.body.links.find((link: { rel: string }) => link.rel === 'next').href
      expect(pksOf(await me.client.get(next.slice(service.url.length)))).toEqual([friends[0]?.pk])
      expect(pksOf(await me.client.get('/api/rest/friends/my?status=PENDING'))).toEqual([waiting.pk])
      const both = await me.client.get('/api/rest/friends/my?status=PENDING&status=CONFIRMED&sort=username')
      expect(pksOf(both)).toEqual([...friends.map(friend => friend.pk), waiting.pk])
      const xml = await me.client.get('/api/rest/friends/my', { Accept: 'application/xml' })
      expect([xml.headers.get('content-type'), xml.text]).toEqual([
        'application/xml',
        expect.stringContaining(`<pk>${friends[0]?.pk}</pk>`),
      ])
    })

    test.each(['page=-1', 'page=x', 'size=0', 'size=100000', 'sort=nothing', 'status=LOST', 'page=1&page=2'])(
      '%s is refused',
      async query => {
        expect((await service.as('client').get(`/api/rest/friends/my?${query}`)).status).toBe(400)
      },
    )

    test('of others are for confirmed friends, and for those who run the site', async () => {
      const [me, friend, stranger, third] = [await newPerson(), await newPerson(), await newPerson(), await newPerson()]
      await befriend(me, friend)
      await befriend(friend, third)
      const path = `/api/rest/friends/${friend.pk}`
      expect(pksOf(await me.client.get(`${path}?sort=username`))).toEqual([me.pk, third.pk])
      expect((await stranger.client.get(path)).status).toBe(403)
      expect((await service.as('anonymous').get(path)).status).toBe(401)
      expect((await service.as('operator').get(path)).status).toBe(200)
      expect((await service.as('admin').get(`${path}?status=BLOCK`)).status).toBe(200)
      // Whom a friend has blocked is not for friends to know.
      expect((await me.client.get(`${path}?status=BLOCK`)).status).toBe(403)
      expect((await me.client.get('/api/rest/friends/no-such-user')).status).toBe(404)
      await wish(friend, me, 'BLOCK')
      expect((await me.client.get(path)).status).toBe(403)
    })
  })
})
