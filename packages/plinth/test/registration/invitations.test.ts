// Invitations, metadata and finding users by name.

import { featureDatabases } from '@plinth/test-kit/databases'
import { mailFor, type RegistrationScene, setScene, settle } from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const client = '00000000-0000-7000-8000-000000000004'
const simple = '00000000-0000-7000-8000-000000000005'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  describe('invitations', () => {
    const path = '/api/rest/invitations'

    test('are read from lines and from a list, and sorted', async () => {
      const known = await settle(scene)
      const answer = await scene.service.as('client').post(path, {
        addressLines: `Ada Lovelace <ada1@example.org>, plain1@example.org\nnonsense; ada1@EXAMPLE.org\n"Q, X" <q@>, "Hopper, Grace" <grace1@example.org>`,
        recipients: [{ email: known.email }, { email: 'listed1@example.org', firstName: 'Lis', lastName: 'Ted' }],
        recepients: [{ email: 'old1@example.org' }, { email: 'no address' }],
      })
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          invited: [
            'ada1@example.org',
            'plain1@example.org',
            'grace1@example.org',
            'listed1@example.org',
            'old1@example.org',
          ],
          duplicate: ['ada1@EXAMPLE.org'],
          existing: [known.email],
          invalid: ['nonsense', '"Q, X" <q@>', 'no address'],
        },
      ])
      const { mail } = await scene.server.next(mailFor('ada1@example.org'))
      expect(mail.text).toContain('Hello Ada Lovelace,')
      expect((await scene.server.next(mailFor('grace1@example.org'))).mail.text).toContain('Hello Grace Hopper,')
      expect((await scene.server.next(mailFor('listed1@example.org'))).mail.text).toContain('Hello Lis Ted,')
      await scene.server.next(mailFor('old1@example.org'))
      expect(scene.server.deliveries.filter(mailFor(known.email, /invites/))).toEqual([])
    })

    test('are answered in XML, too, and once for each Idempotency-Key', async () => {
      const body = { recipients: [{ email: 'keyed@example.org' }] }
      const headers = { Accept: 'application/xml', 'Idempotency-Key': `key-${database}` }
      const [first, second] = [
        await scene.service.as('client').post(path, body, headers),
        await scene.service.as('client').post(path, body, headers),
      ]
      expect([first.status, first.text]).toEqual([second.status, second.text])
      expect(first.text).toContain('<invitations><invited>keyed@example.org</invited></invitations>')
      await scene.service.idle()
      expect(scene.server.deliveries.filter(mailFor('keyed@example.org'))).toHaveLength(1)
    })

    test.each<[string, unknown, number]>([
      ['no recipients', {}, 400],
      ['an empty list', { recipients: [], addressLines: ' \n ' }, 400],
      ['no list', { recipients: 'a@example.org' }, 400],
      ['no text', { addressLines: ['a@example.org'] }, 400],
      ['an entry without an address', { recipients: [{ firstName: 'Ada' }, null, 3] }, 400],
      ['too many', { addressLines: Array.from({ length: 101 }, (_, at) => `m${at}@example.org`).join() }, 400],
      ['a list', [{ email: 'a@example.org' }], 400],
    ])('with %s are refused and send nothing', async (_, body, status) => {
      const before = (await scene.service.as('admin').get('/api/rest/mails')).headers.get('x-total-count')
      expect((await scene.service.as('client').post(path, body)).status).toBe(status)
      expect((await scene.service.as('admin').get('/api/rest/mails')).headers.get('x-total-count')).toBe(before)
    })

    test('are for signed-in users, and not without end', async () => {
      expect((await scene.anonymous.post(path, { recipients: [{ email: 'a@example.org' }] })).status).toBe(401)
      // One mail each time: repeated recipients count, too.
      const many = (round: number) => ({
        addressLines: Array.from({ length: 100 }, () => `round${round}@example.org`).join('\n'),
      })
      for (let round = 0; round < 5; round++)
        expect((await scene.service.as('staff').post(path, many(round))).status).toBe(201)
      const refused = await scene.service.as('staff').post(path, many(6))
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
      expect((await scene.service.as('operator').post(path, { addressLines: 'o@example.org' })).status).toBe(201)
    })
  })

  describe('metadata', () => {
    const path = `/api/rest/users/${client}/metadata`
    const metadata = async () =>
      (await scene.service.as('simple').get(`/api/rest/users/${client}`, { Accept: 'application/json' })).body.metadata

    test('are added, changed and removed one by one by the user', async () => {
      const own = scene.service.as('client')
      const first = await own.put(path, { predicate: 'theme', object: 'dark' })
      expect([first.status, first.text]).toEqual([201, ''])
      expect((await own.put(path, { predicate: 'theme', object: 'light' })).status).toBe(200)
      expect((await own.put(path, { predicate: 'a/b ä', object: '' })).status).toBe(201)
      expect(await metadata()).toEqual({ theme: 'light', 'a/b ä': '' })
      expect((await own.delete(`${path}/${encodeURIComponent('a/b ä')}`)).status).toBe(204)
      expect((await own.delete(`${path}/never`)).status).toBe(404)
      expect(await metadata()).toEqual({ theme: 'light' })
    })

    test.each<['anonymous' | 'simple' | 'operator' | 'admin', number]>([
      ['anonymous', 401],
      ['simple', 403],
      ['operator', 201],
      ['admin', 201],
    ])('%s writing those of another gets %i', async (user, status) => {
      expect((await scene.service.as(user).put(path, { predicate: `by ${user}`, object: 'x' })).status).toBe(status)
      const removed = await scene.service.as(user).delete(`${path}/theme`)
      expect(removed.status).toBe(status === 201 ? (user === 'operator' ? 204 : 404) : status)
    })

    test.each([
      { predicate: '__proto__', object: 'x' },
      { predicate: 'constructor', object: 'x' },
      { predicate: '', object: 'x' },
      { predicate: 'a\0', object: 'x' },
      { predicate: 'x'.repeat(256), object: 'x' },
      { predicate: 'a', object: 'x'.repeat(4001) },
      { predicate: 'a', object: 3 },
      { predicate: 'a' },
      { object: 'a' },
      {},
    ])('%j is refused', async body => {
      const before = await metadata()
      expect((await scene.service.as('client').put(path, body)).status).toBe(400)
      expect(await metadata()).toEqual(before)
    })

    test('minds If-Match and unknown users', async () => {
      const body = { predicate: 'a', object: 'b' }
      expect((await scene.service.as('client').put(path, body, { 'If-Match': '"0-x"' })).status).toBe(412)
      const unknown = '/api/rest/users/00000000-0000-7000-8000-00000000ffff/metadata'
      expect((await scene.service.as('admin').put(unknown, body)).status).toBe(404)
    })

    test('many at once are all kept', async () => {
      const own = scene.service.as('simple')
      const names = Array.from({ length: 20 }, (_, at) => `raced${at}`)
      const sent = await Promise.all(
        names.map(predicate => own.put(`/api/rest/users/${simple}/metadata`, { predicate, object: 'x' })),
      )
      expect(sent.map(({ status }) => status)).toEqual(names.map(() => 201))
      const { body } = await own.get(`/api/rest/users/${simple}`, { Accept: 'application/json' })
      expect(Object.keys(body.metadata)).toEqual(expect.arrayContaining(names))
    })
  })

  describe('byUserNameOrEmail', () => {
    const path = '/api/rest/users/byUserNameOrEmail'

    test('finds what reading the user shows, and nothing more', async () => {
      const person = await settle(scene)
      const read = await scene.service.as('client').get(`/api/rest/users/${person.pk}`, { Accept: 'application/json' })
      for (const name of [person.username, person.username.toUpperCase(), person.email, person.email.toUpperCase()]) {
        const found = await scene.service.as('client').get(`${path}/${encodeURIComponent(name)}`)
        expect([found.status, found.headers.get('content-type')]).toEqual([200, 'application/json'])
        expect(found.body).toEqual(read.body)
      }
      const asJsonApi = await scene.service
        .as('client')
        .get(`${path}/${person.username}`, { Accept: 'application/vnd.api+json' })
      expect(asJsonApi.body.data.id).toBe(person.pk)
    })

    test('finds no user for strangers, wildcards and unconfirmed addresses', async () => {
      expect((await scene.anonymous.get(`${path}/client`)).status).toBe(401)
      expect((await scene.anonymous.get(`${path}/nobody-at-all`)).status).toBe(401)
      for (const name of [
        'nobody-at-all',
        '*',
        '%',
        'cli*',
        'x@',
        '@',
        'nobody@example.org',
        'a'.repeat(400),
        "' or ''='",
        '\u0000',
      ])
        expect([name, (await scene.service.as('client').get(`${path}/${encodeURIComponent(name)}`)).status]).toEqual([
          name,
          404,
        ])
    })
  })
})
