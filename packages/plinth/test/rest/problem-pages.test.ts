// People who load a page in a browser get a page when the service fails or is too busy. Programs get a problem document.

import { createHash } from 'node:crypto'
import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModule } from '../../src/core/module.ts'
import { Problem } from '../../src/core/problem.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

const failing = defineModule({
  name: 'failing',
  about: 'Fails.',
  resources: [],
  routes: () => [
    {
      method: 'GET',
      path: '/failing/{code}',
      handler: ({ params }) => {
        if (params.code === 'error') throw new Error('<b>the reason</b>')
        throw new Problem('overloaded', { headers: { 'Retry-After': '7' } })
      },
    },
    { method: 'POST', path: '/failing/{code}', handler: () => Promise.reject(new Error('the reason')) },
  ],
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      settings: { 'app.modules': '', 'app.log.level': 'silent' },
      modules: [...modules, failing],
    })
  })
  afterAll(() => service.stop())

  const load = (path: string, headers: Record<string, string> = {}) =>
    service.as('anonymous').get(path, { Accept: browser, ...headers })

  test('a failure is a page with the number of the error and without its reason', async () => {
    const { status, headers, text } = await load('/failing/error')
    expect([status, headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).toContain('<h1>Something went wrong</h1>')
    expect(text).toMatch(/Error number: [\w-]{8,}/)
    expect(text).not.toContain('the reason')
    expect(text).not.toContain('http-equiv')
  })

  test('a service that is too busy is a page that tries again after Retry-After', async () => {
    const { status, headers, text } = await load('/failing/busy')
    expect([status, headers.get('retry-after')]).toEqual([503, '7'])
    const [, seconds] = /<meta http-equiv="refresh" content="(\d+)">/.exec(text) ?? []
    expect(Number(seconds)).toBeGreaterThanOrEqual(7)
    expect(Number(seconds)).toBeLessThanOrEqual(10)
  })

  test.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Ausgelastet'],
    ['en-GB', 'en', 'Busy'],
    ['fr', 'en', 'Busy'],
  ])('it is in the language of the visitor: %s', async (accepted, language, title) => {
    const { headers, text } = await load('/failing/busy', { 'Accept-Language': accepted })
    expect(headers.get('content-language')).toBe(language)
    expect(text).toContain(`<html lang="${language}">`)
    expect(text).toContain(`<h1>${title}</h1>`)
  })

  test('the policy of the page allows its style and nothing else', async () => {
    const { headers, text } = await load('/failing/busy')
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`,
    )
    expect(text).not.toMatch(/<script|src=|href="[^"]/)
  })

  test.each(['application/json', '*/*', 'application/problem+json, text/html'])(
    'programs get a problem: %s',
    async accept => {
      const { body, headers } = await load('/failing/busy', { Accept: accept })
      expect(headers.get('content-type')).toContain('application/problem+json')
      expect(body.code).toBe('overloaded')
    },
  )

  test('what a page sends is answered with a problem', async () => {
    const answer = await service.as('anonymous')('/failing/error', { method: 'POST', headers: { Accept: browser } })
    expect(answer.status).toBe(500)
    expect(answer.headers.get('content-type')).not.toContain('text/html')
  })
})
