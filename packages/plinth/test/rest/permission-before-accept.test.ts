// 401 and 403 come before 406, on every endpoint, and a caller who asks for problem documents gets one everywhere.

import { extent, inSample, inTurn } from '@plinth/test-kit/extent'
import { type Answer, type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let service: TestService
let operations: readonly Operation[]
beforeAll(async () => {
  service = await startService('sqlite', {
    settings: {
      'app.log.level': 'silent',
      'app.management.heapdump': 'true',
      // Each sweep opens a connection for every endpoint.
      'server.maxConnectionsPerAddress': '4000',
    },
  })
  const { body } = await service.as('anonymous').get('/api/openapi.json')
  operations = toOperations(body.paths)
})
afterAll(() => service.stop())

interface Operation {
  readonly method: string
  readonly path: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

const toOperations = (paths: Record<string, Record<string, unknown>>): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter(method => methods.includes(method))
      .map(method => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'none') })),
  )

const send = (user: DemoUser | 'anonymous', { method, path }: Operation, headers: Record<string, string>) =>
  service.as(user)(path, {
    method,
    headers: { 'Content-Type': path.endsWith('/operations') ? atomic : 'application/json', ...headers },
    ...(method !== 'GET' && { body: path.endsWith('/operations') ? removal : {} }),
  })

const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const removal = { 'atomic:operations': [{ op: 'remove', ref: { type: 'users', id: 'none' } }] }

/** Signing in and out would change who calls. */
const isSession = ({ path, method }: Operation) => /userDetails|jwt|sessions/.test(path) && method !== 'GET'

/** Says whether an operation asks a node, which is refused by its network, not the caller by the service. */
const asksTheNode = ({ path, method }: Operation) => path.endsWith('/memberships') && method === 'GET'

/** One request for each endpoint: on a busy machine that takes its time. */
const sweep = { timeout: 120_000 }

const users = ['anonymous', 'simple'] as const

describe.each(users)('for %s', user => {
  const swept = (all: readonly Operation[]) =>
    all.filter((operation, at) => inTurn(users, at).includes(user) && (user === 'anonymous' || !isSession(operation)))

  test('what is refused is refused with the same status whatever the caller accepts', sweep, async () => {
    const answers = await Promise.all(
      swept(operations).map(async operation => ({
        ...operation,
        unacceptable: (await send(user, operation, { Accept: 'image/png' })).status,
        status: (await send(user, operation, {})).status,
      })),
    )
    const refused = answers.filter(({ status }) => status === 401 || status === 403)
    expect(refused.length).toBeGreaterThan(extent(50, 100))
    const isWrong = (one: (typeof answers)[number]) => one.unacceptable !== one.status && !asksTheNode(one)
    expect(refused.filter(isWrong)).toEqual([])
  })

  test('refusals have a problem document when it is asked for', sweep, async () => {
    const answers = await Promise.all(
      swept(inSample(operations)).map(async operation => {
        const answer = await send(user, operation, { Accept: 'application/problem+json' })
        return { ...operation, status: answer.status, isProblem: isProblem(answer) }
      }),
    )
    const isRefused = (status: number) => [401, 403, 404].includes(status)
    expect(answers.filter(one => one.status === 406 || (isRefused(one.status) && !one.isProblem))).toEqual([])
  })
})

const isProblem = ({ headers, status, body }: Answer) =>
  headers.get('content-type') === 'application/problem+json' && body.status === status

test.each([
  ['/api/management/env/none', 404],
  ['/api/management/metrics/none', 404],
  ['/api/rest/registrationCodeBatches/none/csv', 404],
  ['/api/rest/mails/none/message', 404],
  ['/api/rest/users/none/files/none', 404],
  ['/api/rest/countries/none', 404],
])('%s is a problem document of %i for those who prefer one', async (path, status) => {
  for (const accept of ['application/problem+json', 'application/problem+json, */*;q=0.1']) {
    const answer = await service.as('admin').get(path, { Accept: accept })
    expect([accept, answer.status, isProblem(answer)]).toEqual([accept, status, true])
  }
})

test('a preferred problem type wins over the errors of JSON:API, and only then', async () => {
  const typeFor = async (accept: string) => {
    const { headers } = await service.as('admin').get('/api/rest/users?sort=none', { Accept: accept })
    return headers.get('content-type')
  }
  expect(await typeFor('application/problem+json, */*;q=0.1')).toBe('application/problem+json')
  expect(await typeFor('application/problem+xml, */*;q=0.1')).toBe('application/problem+xml')
  expect(await typeFor('application/vnd.api+json, application/problem+json;q=0.5')).toBe('application/vnd.api+json')
  expect(await typeFor('*/*')).toBe('application/vnd.api+json')
})

test('a caller who names the type of problems alone gets everything else in its usual form', async () => {
  const { headers } = await service.as('admin').get('/api/management/health', { Accept: 'application/problem+json' })
  expect(headers.get('content-type')).toBe('application/vnd.app.actuator.v1+json')
})
