// Callers who use up resources: responses that are never read, bodies that never end. None of them signs in.

import { connect } from 'node:net'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

const mebibyte = 1_048_576

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      settings: { 'server.maxRequestBytes': String(4 * mebibyte), 'server.maxResponseBytes': String(8 * mebibyte) },
    })
  })
  afterAll(() => service.stop())

  /** Sends, and reads nothing. */
  const send = (text: string): void => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.write(text)
    onTestFinished(() => {
      socket.destroy()
    })
  }
  const metric = async (name: string): Promise<number> =>
    (await service.as('admin').get('/api/management/metrics')).body[name] ?? 0

  const signIn = async () =>
    (await service.as('anonymous').post('/api/auth/jwt/access', { username: 'simple', password: 'simple' })).status

  test('unread responses stay within the limit, and others are answered', { timeout: 120_000 }, async () => {
    const request = 'GET /api/rest/countries?_ps=250 HTTP/1.1\r\nHost: localhost\r\n\r\n'
    for (let count = 0; count < 5; count++) send(request.repeat(700))
    const answered = () => metric('counter.status.200.countries')
    await until('the requests to wait', async () => {
      const before = await answered()
      expect(await signIn()).toBe(201)
      return (await metric('http.requests.waiting')) > 0 && (await answered()) === before
    })
    expect(await answered()).toBeGreaterThan(5)
    expect(await answered()).toBeLessThan(5 * 700)
    // A sweep closes connections above the limit; until it comes, responses that are under way may exceed it.
    await expect.poll(() => metric('http.response.bytes')).toBeLessThanOrEqual(8 * mebibyte)
    const { text } = await service.as('admin').get('/api/management/prometheus')
    expect(text).toMatch(/^plinth_http_response_bytes [1-9]/m)
    expect(text).toMatch(/^plinth_http_waiting_requests [1-9]/m)
  })

  testAll('bodies whose last bytes are held back stay within the limit, and others are answered', async () => {
    const head = 'POST /api/rest/clientErrors HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    const body = 'x'.repeat(mebibyte - 10)
    for (let count = 0; count < 12; count++) send(`${head}Content-Length: ${mebibyte}\r\n\r\n${body}`)
    await until('bodies to be refused', async () => (await metric('counter.status.503.unmapped')) > 0)
    expect(await metric('http.request.bytes')).toBeLessThanOrEqual(4 * mebibyte)
    expect(await signIn()).toBe(201)
    const reported = await service.as('anonymous').post('/api/rest/clientErrors', { message: 'y'.repeat(400) })
    expect(reported.status).toBe(201)
  })
})
