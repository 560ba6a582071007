// What browsers, crawlers and other programs look for at fixed addresses.

import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModule } from '../../src/core/module.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite')
})
afterAll(() => service.stop())

const read = async (path: string) => {
  const { status, headers, text } = await service.as('anonymous').get(path)
  return { status, text, type: headers.get('content-type'), location: headers.get('location') }
}

test('the icon is a picture, which browsers keep', async () => {
  const answer = await fetch(`${service.url}/favicon.ico`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([32, 32])
  const tag = answer.headers.get('etag') ?? ''
  expect((await fetch(`${service.url}/favicon.ico`, { headers: { 'If-None-Match': tag } })).status).toBe(304)
})

test('crawlers are kept off records and the web client, and off nothing else', async () => {
  const { status, type, text } = await read('/robots.txt')
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text.split('\n').filter(line => line.startsWith('Disallow'))).toEqual([
    'Disallow: /api/',
    'Disallow: /client/',
    'Disallow: /apidoc/operations/',
  ])
  expect(text).toMatch(/^User-agent: \*\n/)
})

test('password managers find the page for a new password', async () => {
  expect(await read('/.well-known/change-password')).toMatchObject({
    status: 302,
    location: '/client/account/security',
  })
})

test('the catalogue leads to the API, its description and its documentation', async () => {
  const { status, type, text } = await read('/.well-known/api-catalog')
  expect([status, type]).toEqual([200, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'])
  const [catalog, api] = JSON.parse(text).linkset
  expect(catalog).toEqual({
    anchor: `${service.url}/.well-known/api-catalog`,
    item: [{ href: `${service.url}/api/rest` }],
  })
  expect(api.anchor).toBe(`${service.url}/api/rest`)
  for (const { href } of [api['service-desc'], api['service-doc'], api.status].flat())
    expect([href, (await read(href.slice(service.url.length))).status]).toEqual([href, 200])
})

test.each(['/', '/apidoc', '/docs/problems'])('%s says in its head what it is, and has an icon', async path => {
  const { text } = await read(path)
  expect(text).toMatch(/<meta name="description" content="[^"]{20,}">/)
  expect(text).toContain('<link rel="icon" href="/favicon.ico">')
})

test('the description of the landing page is in the language of the visitor', async () => {
  const { text } = await service.as('anonymous').get('/', { 'Accept-Language': 'de' })
  expect(text).toMatch(/<meta name="description" content="Eine Plattform/)
})

describe('a module with the same address', () => {
  const own = defineModule({
    name: 'site',
    about: 'A site.',
    resources: [],
    routes: () => [
      {
        method: 'GET',
        path: '/robots.txt',
        handler: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow:\n' }),
      },
    ],
  })

  test('takes its place', async () => {
    const other = await startService('sqlite', { modules: [...modules, own] })
    try {
      expect((await other.as('anonymous').get('/robots.txt')).text).toBe('User-agent: *\nDisallow:\n')
      expect((await other.as('anonymous').get('/favicon.ico')).status).toBe(200)
    } finally {
      await other.stop()
    }
  })
})
