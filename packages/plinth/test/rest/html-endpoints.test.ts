// Endpoints that answer with pages and other texts: browsers get them, with a policy under which they work.

import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'
import { defineModule } from '../../src/core/module.ts'
import { defineEndpoint } from '../../src/core/rest/endpoint.ts'

const ofBrowsers = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const text = { type: 'string' } as const

/** The endpoint as the documentation shows it. */
const receipt = defineEndpoint({
  method: 'GET',
  path: '/receipt',
  id: 'getReceipt',
  summary: 'Print a receipt',
  access: 'true',
  answers: { 200: { about: 'The receipt.', content: { 'text/html': text } } },
  run: () => '<style>h1 { color: teal }</style><h1>Receipt</h1>',
})

const described = defineEndpoint({
  method: 'GET',
  path: '/described',
  id: 'getDescribed',
  summary: 'Read a page that is only described',
  access: 'true',
  answers: { 200: 'The page.' },
  answer: () => ({ kind: 'text', mediaType: 'text/html; charset=utf-8', body: '<h1>Page</h1>' }),
})

const strict = defineEndpoint({
  method: 'GET',
  path: '/strict',
  access: 'true',
  summary: 'Read a page with a policy of its own',
  answer: () => ({
    kind: 'text',
    mediaType: 'text/html; charset=utf-8',
    body: '<h1>Strict</h1>',
    headers: { 'Content-Security-Policy': "default-src 'none'" },
  }),
})

const calendar = defineEndpoint({
  method: 'GET',
  path: '/calendar',
  id: 'getCalendar',
  summary: 'Read the calendar',
  access: 'true',
  answers: { 200: { about: 'The calendar.', content: { 'text/calendar': text } } },
  run: async () => 'BEGIN:VCALENDAR',
})

test('a page of an endpoint is answered to browsers, with inline styles, and refused to callers that want JSON', async () => {
  const pages = defineModule({
    name: 'pages',
    about: 'Pages.',
    resources: [],
    endpoints: [receipt, described, strict, calendar],
  })
  const service = await startService('sqlite', { modules: [...modules, pages] })
  onTestFinished(service.stop)
  const get = (path: string, accept: string) => service.as('anonymous').get(path, { Accept: accept })

  const page = await get('/receipt', ofBrowsers)
  expect([page.status, page.headers.get('content-type'), page.text]).toEqual([
    200,
    'text/html; charset=utf-8',
    '<style>h1 { color: teal }</style><h1>Receipt</h1>',
  ])
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("style-src 'self' 'unsafe-inline'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect((await get('/receipt', 'application/json')).status).toBe(406)

  for (const accept of [ofBrowsers, 'text/html']) {
    const answer = await get('/described', accept)
    expect([answer.status, answer.text]).toEqual([200, '<h1>Page</h1>'])
  }
  expect((await get('/strict', ofBrowsers)).headers.get('content-security-policy')).toBe("default-src 'none'")

  const events = await get('/calendar', 'text/calendar')
  expect([events.status, events.headers.get('content-type'), events.text]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'BEGIN:VCALENDAR',
  ])
  expect(events.headers.get('content-security-policy')).toContain("default-src 'none'")
})
