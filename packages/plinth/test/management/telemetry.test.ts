// Traces and metrics reach a collector: a small one that speaks OTLP over HTTP, on this machine.

import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defineModule } from '../../src/core/module.ts'

interface Attribute {
  readonly key: string
  readonly value: Record<string, unknown>
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
}

let collector: Server
let endpoint: string
const received: { path: string; text: string }[] = []
const passedOn: string[] = []
beforeEach(async () => {
  received.length = 0
  passedOn.length = 0
  collector = createServer((request, response) => {
    let text = ''
    request.on('data', piece => {
      text += piece
    })
    request.on('end', () => {
      if (request.url === '/elsewhere') passedOn.push(String(request.headers.traceparent))
      else received.push({ path: request.url ?? '', text })
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
})
afterEach(() => new Promise(resolve => collector.close(resolve)))

const bodies = (path: string) => received.filter(one => one.path === path).map(({ text }) => JSON.parse(text))

const spans = (): Span[] =>
  bodies('/v1/traces').flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap(one => one.spans),
    ),
  )

const attributesOf = ({ attributes }: Span): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = '00f067aa0ba902b7'

/** A module that asks another service, as the membership nodes do. */
const asking = defineModule({
  name: 'asking',
  about: 'For the test.',
  resources: [],
  routes: () => [
    {
      method: 'GET',
      path: '/api/asking',
      handler: async () => {
        await new Promise(resolve => setTimeout(resolve, 1))
        const answer = await fetch(`${endpoint}/elsewhere`)
        return { status: answer.status }
      },
    },
    { method: 'GET', path: '/api/failing', handler: () => Promise.reject(new Error('broken')) },
  ],
})

const isLoaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some(path => path.includes('@opentelemetry/sdk-'))

// The first test: what is loaded stays loaded.
test('without a collector nothing of it is loaded', async () => {
  const service = await startService('sqlite', { settings: { 'app.modules': '' } })
  await service.as('anonymous').get('/api/rest/continents')
  await service.stop()
  expect(isLoaded()).toBe(false)
})

test('requests become spans that go on with the trace of the caller, and are counted', async () => {
  const service = await startService('sqlite', {
    modules: [...modules, asking],
    settings: { 'app.telemetry.endpoint': endpoint, 'app.log.level': 'silent' },
  })
  const traceparent = `00-${trace}-${parent}-01`
  const found = await service
    .as('admin')
    .get('/api/rest/continents/EU?name=query-canary', { traceparent, 'X-Secret': 'header-canary' })
  expect(found.headers.get('traceparent')).toBe(traceparent)
  await service.as('anonymous').get('/api/asking', { traceparent })
  await service.as('anonymous').get('/api/failing')
  await service.stop()
  expect(isLoaded()).toBe(true)

  const continued = spans().find(({ name }) => name === 'GET /api/rest/continents/{pk}')
  expect(continued).toMatchObject({ traceId: trace, parentSpanId: parent, kind: 2 })
  expect(continued && attributesOf(continued)).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/api/rest/continents/{pk}',
    'url.path': '/api/rest/continents/EU',
    'http.response.status_code': 200,
  })
  const span = spans().find(({ name }) => name === 'GET /api/asking')
  expect(passedOn).toEqual([`00-${trace}-${span?.spanId}-01`])
  const failed = spans().find(({ name }) => name === 'GET /api/failing')
  expect(failed?.status.code).toBe(2)
  expect(failed?.traceId).not.toBe(trace)

  const metrics = JSON.stringify(bodies('/v1/metrics'))
  for (const name of ['http.server.request.duration', 'process.memory.usage', 'service.name'])
    expect(metrics).toContain(`"${name}"`)
  expect(received.map(({ text }) => text).join('')).not.toMatch(/canary|Basic |authorization/i)
})

testAll('a collector that is down delays nothing, and is logged', async () => {
  const lines: string[] = []
  const service = await startService('sqlite', {
    logTo: { write: line => lines.push(line) },
    settings: { 'app.telemetry.endpoint': 'http://127.0.0.1:9', 'app.log.level': 'warn' },
  })
  expect((await service.as('anonymous').get('/api/rest/continents')).status).toBe(200)
  await service.stop()
  expect(lines.some(line => line.includes('"logger":"telemetry"'))).toBe(true)
})
