// Who may look at what, in which form.

import { inTurn } from '@plinth/test-kit/extent'
import { type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actuator, isOpen, json, jsonPaths, otherPaths, root } from './paths.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite', { settings: { 'app.management.heapdump': 'true' } })
})
afterAll(() => service.stop())

const typeOf = (headers: Headers) => headers.get('content-type')

describe.each(jsonPaths)('%s', path => {
  const usual = path.endsWith('.json') ? json : actuator
  const at = jsonPaths.indexOf(path)
  const accepted = [
    [undefined, usual],
    ['*/*', usual],
    ['application/*', usual],
    ['text/html,application/xhtml+xml,*/*;q=0.8', usual],
    [actuator, actuator],
    [json, json],
    [`${json};q=0.5, ${actuator};q=0.9`, actuator],
    [`${actuator};q=0, ${json}`, json],
  ] as const
  const refused = ['text/html', 'application/xml', 'application/vnd.api+json', 'image/*']

  test.each(inTurn(accepted, at))('answers an administrator who accepts %s with %s', async (accept, expected) => {
    const answer = await service.as('admin').get(path, accept === undefined ? {} : { Accept: accept })
    expect([answer.status, typeOf(answer.headers)]).toEqual([200, expected])
    expect(answer.body).toBeTypeOf('object')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test.each(inTurn(refused, at))('cannot be had as %s', async accept => {
    const answer = await service.as('admin').get(path, { Accept: accept })
    expect([answer.status, answer.body.code]).toEqual([406, 'not_acceptable'])
  })

  test.each<[DemoUser | 'anonymous', number]>([
    ['operator', 403],
    ['staff', 403],
    ['client', 403],
    ['simple', 403],
    ['anonymous', 401],
  ])('shows %s nothing beyond what is open', async (user, refusal) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await service.as(user)(path, { method })
      expect(answer.status).toBe(isOpen(path) ? 200 : refusal)
      if (isOpen(path) && method === 'GET')
        expect(Object.keys(answer.body)).toEqual([path.includes('health') ? 'status' : 'app'])
      if (!isOpen(path)) expect(answer.text).toBe('')
    }
  })

  test('refuses wrong credentials', async () => {
    const answer = await service.as('anonymous').get(path, { Authorization: `Basic ${btoa('admin:wrong')}` })
    // Repeated guesses are throttled.
    expect([401, 429]).toContain(answer.status)
    expect(answer.body?.code ?? 'none').toMatch(/^(none|too_many_requests)$/)
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('has no %s', async method => {
    expect((await service.as('admin')(path, { method })).status).toBe(405)
  })
})

describe.each(Object.entries(otherPaths))('%s', (path, expected) => {
  test.each<[DemoUser | 'anonymous', number]>([
    ['operator', 403],
    ['simple', 403],
    ['anonymous', 401],
  ])('refuses %s', async (user, refusal) => {
    for (const method of ['GET', 'HEAD']) expect((await service.as(user)(path, { method })).status).toBe(refusal)
  })

  test('has one form only', async () => {
    const head = await service.as('admin')(path, { method: 'HEAD' })
    expect([head.status, typeOf(head.headers)]).toEqual([200, expected])
    expect((await service.as('admin').get(path, { Accept: json })).status).toBe(406)
  })
})

test('the root leads to every endpoint, with _links in HAL', async () => {
  const { body } = await service.as('admin').get(root)
  const { body: hal, headers } = await service.as('admin').get(root, { Accept: 'application/hal+json' })
  expect(typeOf(headers)).toBe('application/hal+json')
  const rels = body.links.map(({ rel }: { rel: string }) => rel)
  expect(rels).toEqual(expect.arrayContaining(['self', 'auditevents', 'dump', 'env', 'health', 'loggers', 'trace']))
  expect(Object.keys(hal._links)).toEqual(rels)
  for (const { href } of body.links as { href: string }[]) {
    const followed = await service.as('admin')(href.slice(service.url.length), { method: 'HEAD' })
    expect([href, followed.status]).toEqual([href, 200])
  }
})

test('a page of another origin may look only where CORS allows it', async () => {
  const foreign = await service.as('admin').get(`${root}/env`, { Origin: 'https://evil.example' })
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
})
