// Every address of the service, taken from its own description: which are open to anonymous callers, and whether any
// gives a user access to the data of another. Knowing a pk is not a permission.

import { featureDatabases } from '@plinth/test-kit/databases'
import { inTurn } from '@plinth/test-kit/extent'
import { type Answer, type Client, startService, type TestService } from '@plinth/test-kit/service'
import { demoPks, upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenApi, type OperationPlace, operationsIn } from '../apidoc/contract.ts'

/** Reviewed one by one: adding to this list opens an address to the public. */
const open = [
  'get /',
  'get /apidoc',
  'get /apidoc/openapi.json',
  // One operation of the document that is open as a whole.
  'get /apidoc/operations/{id}',
  'get /apidoc/page.css',
  'get /apidoc/start.js',
  'get /api/openapi.json',
  // What of the collections the caller may see.
  'get /api/rest',
  // The endpoints that the caller may call, for resources that the caller may read.
  'get /api/actions/{resource}',
  'get /api/actions/{resource}/{pk}',
  // The fields of an endpoint that the caller may call.
  'get /api/forms',
  // The records that the caller may see.
  'get /api/search',
  // The names of the modules that are on.
  'get /api/modules',
  // The reports that the caller may see.
  'get /api/reports',
  'get /docs/problems',
  'get /favicon.ico',
  'get /robots.txt',
  'get /.well-known/api-catalog',
  'get /.well-known/change-password',
  'get /api/management/health',
  'get /api/management/health.json',
  // Probes of an orchestrator: whether the process runs, and whether it takes requests.
  'get /api/management/health/liveness',
  'get /api/management/health/liveness.json',
  'get /api/management/health/readiness',
  'get /api/management/health/readiness.json',
  'get /api/management/info',
  'get /api/management/info.json',
  ...['continents', 'countries'].flatMap(name => [
    `get /api/rest/${name}`,
    `get /api/rest/${name}/aggregates`,
    `get /api/rest/${name}/jsonschema`,
    `get /api/rest/${name}/uischema`,
    `get /api/rest/${name}/{pk}`,
    `get /api/rest/${name}/{pk}/children`,
    `get /api/rest/${name}/{pk}/relationships/children`,
  ]),
  'get /api/rest/countries/{pk}/parent',
  'get /api/rest/countries/{pk}/relationships/parent',
  // Signing in: with a passkey, or with one in place of a code.
  'post /api/auth/passkeys/signIn',
  'post /api/auth/passkeys/signIn/options',
  'post /api/auth/userDetails/secondFactor/passkey',
  'post /api/rest/clientErrors',
  // Each operation in it has a rule of its own.
  'post /api/rest/operations',
  // Signing in, registering, and the ways back to a forgotten account.
  'post /api/auth/jwt/access',
  'post /api/auth/basic',
  'post /api/auth/userDetails',
  'post /apiauth/userDetails',
  'post /api/auth/userDetails/secondFactor',
  'post /apiauth/userDetails/secondFactor',
  'post /api/auth/account',
  'post /api/auth/accounts',
  'put /api/auth/account',
  'put /api/auth/accounts',
  // Is the link of a mail still valid? It takes the token to ask.
  'post /api/auth/account/verification',
  'post /api/auth/accounts/verification',
  'post /api/auth/first-administrator',
  // The way to a provider and back: what is brought back is held against what the browser was sent away with.
  'get /api/auth/oauth/providers',
  'post /api/auth/oauth/signin/{provider}',
  'get /api/auth/oauth/signin/{provider}',
]

const json = { 'Content-Type': 'application/json' }
const jsonApi = { 'Content-Type': 'application/vnd.api+json' }
const atomic = { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' }
const plain = { Accept: 'application/json' }

const isWrite = ({ method }: OperationPlace): boolean => method !== 'get'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let places: readonly OperationPlace[]
  beforeAll(async () => {
    service = await startService(database)
    places = operationsIn(service.app.openapi() as OpenApi)
  })
  afterAll(() => service.stop())

  test('anonymous callers have access only to the open addresses', async () => {
    const anonymous = service.as('anonymous')
    const passed: string[] = []
    for (const { method, path } of places) {
      const headers = path === '/api/rest/operations' ? atomic : json
      const asking = { method: method.toUpperCase(), ...(method !== 'get' && { headers, body: {} }) }
      const { status } = await anonymous(path.replace(/\{\w+\}/g, 'none'), asking)
      if (status !== 401) passed.push(`${method} ${path}`)
    }
    expect(passed.sort()).toEqual([...open].sort())
  })

  describe('what is the client’s', () => {
    /** The pk of a record that only its owner and those who run the site see, and its text, by resource. */
    let private_: Readonly<Record<string, { readonly pk: string; readonly says: string }>>
    let admin: Client
    const read = (name: string, pk: string): Promise<Answer> => admin.get(`/api/rest/${name}/${pk}`, plain)
    const firstOf = async (name: string): Promise<string> =>
      (await admin.get(`/api/rest/${name}?customer=${demoPks.client}&_ps=1`, plain)).body.content[0].pk

    beforeAll(async () => {
      admin = service.as('admin')
      const client = service.as('client')
      const pk = demoPks.client
      await client.patch(`/api/rest/contactDetails/${pk}`, { primaryCellphone: { number: '5550199777' } }, json)
      await client.patch(`/api/rest/personalDetails/${pk}`, { birthDay: '1971-03-17' }, json)
      await admin.patch(`/api/rest/userCredentials/${pk}`, { inactivationReason: 'canary-reason' }, json)
      await client.put(`/api/rest/users/${pk}/metadata`, { predicate: 'mine', object: 'own words' })
      const friend = '00000000-0000-7000-8000-000000000003'
      await client.post('/api/rest/friendships', { friend }, json)
      const report = await client.post('/api/rest/clientErrors', { message: 'canary-error' }, { ...json, ...plain })
      const files = `/api/rest/clientErrors/${report.body.pk}/files`
      await upload(service, { as: 'operator', to: files }, { mine: 'canary-file' })
      const [rental, payment] = [await firstOf('rentals'), await firstOf('payments')]
      private_ = {
        contactDetails: { pk, says: '5550199777' },
        personalDetails: { pk, says: '1971-03-17' },
        userCredentials: { pk, says: 'canary-reason' },
        friendships: { pk: `${pk}_${friend}`, says: `${pk}_${friend}` },
        clientErrors: { pk: report.body.pk, says: 'canary-' },
        allErrors: { pk: report.body.pk, says: 'canary-' },
        rentals: { pk: rental, says: rental },
        payments: { pk: payment, says: payment },
      }
      for (const [name, one] of Object.entries(private_)) expect((await read(name, one.pk)).text).toContain(one.says)
    })

    /** The places of one record of a resource, with the names of what it has. */
    const placesOf = (name: string, pk: string): readonly OperationPlace[] =>
      places
        .filter(({ path }) => path.startsWith(`/api/rest/${name}/{`))
        .map(place => ({
          ...place,
          path: place.path
            .replace('{name}', 'mine')
            .replace('{predicate}', 'mine')
            .replace('{pk}', encodeURIComponent(pk)),
        }))

    test('is shown to no other user at any address of it', async () => {
      const says = Object.values(private_).map(one => one.says)
      const leaks: string[] = []
      const all = Object.entries({ ...private_, users: { pk: demoPks.client } }).flatMap(([name, { pk }]) => [
        ...placesOf(name, pk).filter(place => !isWrite(place)),
        ...['', '?page=no', `?pks=${pk}`].map(query => ({ path: `/api/rest/${name}${query}` })),
      ])
      const receipts = [{ path: `/api/rest/order/receipts/${private_.payments?.pk}` }]
      expect(all.length).toBeGreaterThan(70)
      const mediaTypes = ['*/*', 'application/xml', 'application/vnd.api+json']
      for (const [at, { path }] of [...all, ...receipts].entries()) {
        for (const accept of inTurn(mediaTypes, at)) {
          const { text } = await service.as('simple').get(path, { Accept: accept })
          // The link to the page itself repeats what was asked for.
          const safeText = text.replace(/\?pks=[\w-]+/g, '')
          if (says.some(words => safeText.includes(words))) leaks.push(`${accept} ${path}`)
        }
      }
      expect(leaks).toEqual([])
    })

    const bodiesFor = async (
      { path, method }: OperationPlace,
      name: string,
      pk: string,
    ): Promise<[unknown, object][]> => {
      if (path.includes('/relationships/')) return [null, []].map(data => [{ data }, jsonApi])
      if (path.endsWith('/metadata')) return [[{ predicate: 'mine', object: 'by another' }, json]]
      if (method === 'delete') return [[undefined, {}]]
      const { links: _, version: __, ...record } = (await read(name, pk)).body
      return [[{ ...record, description: 'by another', firstName: 'By', status: 'CONFIRMED', active: false }, json]]
    }

    test('is changed by no other user at any address of it, however good the body', async () => {
      const all = Object.entries({ ...private_, users: { pk: demoPks.client, says: '' } })
      const before = await Promise.all(all.map(async ([name, { pk }]) => (await read(name, pk)).text))
      const passed: string[] = []
      let requestCount = 0
      for (const [name, { pk }] of all) {
        for (const place of placesOf(name, pk).filter(isWrite)) {
          for (const [body, headers] of await bodiesFor(place, name, pk)) {
            for (const user of ['simple', 'anonymous'] as const) {
              const asking = { method: place.method.toUpperCase(), headers: { ...headers }, body }
              const { status } = await service.as(user)(place.path, asking)
              requestCount += 1
              if (status < 400 || status >= 500) passed.push(`${user} ${place.method} ${place.path} ${status}`)
            }
          }
        }
      }
      expect(passed).toEqual([])
      expect(requestCount).toBeGreaterThan(100)
      expect(await Promise.all(all.map(async ([name, { pk }]) => (await read(name, pk)).text))).toEqual(before)
    })
  })

  test.each<[string, string, string, object]>([
    ['an invitation', 'POST', '/api/rest/invitations', { recipients: [{ email: 'guest@example.org' }] }],
    ['a friendship', 'POST', '/api/rest/friendships', { friend: '00000000-0000-7000-8000-000000000002' }],
    ['a report', 'POST', '/api/rest/clientErrors', { message: 'whose?' }],
    [
      'a new password',
      'PUT',
      '/api/auth/account',
      { currentPassword: 'simple', password: 'wide open fields', passwordConfirmation: 'wide open fields' },
    ],
    ['a verification', 'POST', '/api/auth/userDetails/verification', { password: 'simple' }],
  ])('who acts is who signed in, whatever the body of %s says', async (_, method, path, body) => {
    const other = demoPks.client
    const claim = { pk: other, id: other, user: other, userId: other, owner: other, createdBy: other, sub: other }
    const before = (await service.as('admin').get(`/api/rest/users/${other}`, plain)).text
    const answer = await service.as('simple')(path, { method, headers: json, body: { ...claim, ...body } })
    const said = JSON.stringify(answer.body?.createdBy ?? answer.body?.owner ?? answer.body?.pk ?? '')
    if (answer.status < 300) expect(said).not.toContain(`"${other}"`)
    expect((await service.as('client').get('/api/auth/userDetails')).body.username).toBe('client')
    expect((await service.as('admin').get(`/api/rest/users/${other}`, plain)).text).toBe(before)
  })
})
