// What a format cannot say is refused before anything is done: 406 means that nothing has changed.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, jsonApi } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatsByName } from '../../src/core/formats/index.ts'
import { defineModule } from '../../src/core/module.ts'
import { respond } from '../../src/core/rest/pipeline.ts'

/** Takes a body as it arrives, makes a host of it, and gives an answer that cannot be written. */
const stumbling = defineModule({
  name: 'stumbling',
  about: 'An answer that fails.',
  resources: [],
  routes: service => [
    {
      method: 'POST',
      path: '/api/rest/stumble',
      streams: true,
      handler: respond(service, {
        resource: null,
        format: formatsByName.json,
        takesBody: false,
        receive: async (_, { request }) => ({
          digest: request.search,
          run: async ({ tx }) => {
            const now = service.platform.clock().toISOString()
            const stamps = { createdDate: now, lastModifiedDate: now, version: 1 }
            await tx.insert(tx.resource('hosts'), request.search, { name: request.search, ...stamps })
            const endless: Record<string, never> = {}
            Object.assign(endless, { endless })
            return { kind: 'value', status: 200, name: 'endless', value: endless }
          },
          settle: async () => undefined,
        }),
      }),
      describe: {
        id: 'stumble',
        summary: 'Stumble',
        answers: { 200: { says: 'Never.', value: { type: 'object' } } },
      },
    },
  ],
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...modules, stumbling],
      settings: { 'app.log.level': 'silent' },
    })
  })
  afterAll(() => service.stop())

  const accept = { Accept: jsonApi }
  const refused = { status: 406, type: jsonApi, code: 'not_acceptable' }
  const outcome = ({ status, headers, body }: Awaited<ReturnType<ReturnType<TestService['as']>>>) => ({
    status,
    type: headers.get('content-type'),
    code: body?.errors?.[0]?.code,
  })

  test('no user is registered', async () => {
    const username = fresh('n')
    const account = { username, email: `${username}@example.org`, password: 'correct horse battery' }
    const body = { ...account, passwordConfirmation: account.password }
    expect(outcome(await service.as('anonymous').post('/api/auth/account', body, accept))).toEqual(refused)
    const found = await service.as('admin').get(`/api/rest/users?username=${username}`, { Accept: 'application/json' })
    expect(found.body.content).toEqual([])
  })

  test('a password stays what it was', async () => {
    const password = 'correct horse battery'
    const body = { currentPassword: 'simple', password, passwordConfirmation: password }
    expect(outcome(await service.as('simple').put('/api/auth/account', body, accept))).toEqual(refused)
    expect((await service.as('simple').get('/api/auth/sessions')).status).toBe(200)
  })

  test('no session begins', async () => {
    const credentials = { username: 'client', password: 'client' }
    const answer = await service.as('anonymous').post('/api/auth/userDetails', credentials, accept)
    expect([outcome(answer), answer.headers.getSetCookie()]).toEqual([refused, []])
    expect((await service.as('client').get('/api/auth/sessions')).body).toEqual([])
  })

  test('another format that the caller takes is chosen instead', async () => {
    for (const also of ['application/json;q=0.5', '*/*;q=0.1']) {
      const answer = await service.as('client').get('/api/auth/sessions', { Accept: `${jsonApi}, ${also}` })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    }
  })

  test.each([[{}], [{ 'Idempotency-Key': 'stumbling' }]])(
    'what came as a stream is undone when its answer fails (%j)',
    async headers => {
      const name = `${fresh('h')}.example.org`
      const sent = await service.as('admin')(`/api/rest/stumble?${name}`, { method: 'POST', headers, body: 'x' })
      expect(sent.status).toBe(500)
      const host = await service.as('admin').get(`/api/rest/hosts/${name}`)
      expect(host.status).toBe(404)
    },
  )
})
