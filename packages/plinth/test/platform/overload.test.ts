// When the event loop lags, new requests are refused at once, and what is under way goes on.

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until, waitingFor } from '../../src/testing/waiting.ts'
import { featureDatabases } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const json = { Accept: 'application/json' }

const maxLag = 100

/** The service runs in this process. */
const block = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      settings: { 'app.api.maxEventLoopLag': String(maxLag), 'app.cors.allowedOrigins': 'https://fixed.example' },
    })
  })
  afterAll(() => service.stop())

  const overload = async (): Promise<void> => {
    // A pause counts at most one and a half times the limit, so two pauses begin the overload. The third one keeps it up.
    for (let round = 0; round < 3; round++) {
      block(2.2 * maxLag)
      await sleep(1)
    }
  }
  const recovered = () =>
    until(
      'the service to recover',
      async () => (await service.as('anonymous').get('/api/rest/continents/EU')).status === 200,
    )

  test('requests are refused with 503 before credentials are looked at, health is answered, and all recovers', async () => {
    const anonymous = service.as('anonymous')
    const ask = () =>
      Promise.all([
        anonymous.get('/api/rest/continents/EU', { Authorization: 'Basic wrong', ...json }),
        anonymous.get('/client/'),
        anonymous.get('/api/management/health', json),
        anonymous.get('/api/management/health.json'),
      ])
    // Opens the connections first: new ones are read one by one, some of them after the overload.
    await ask()
    await overload()
    const answers = await ask()
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200, 200])
    expect(answers[0].body.code).toBe('overloaded')
    expect(Number(answers[0].headers.get('retry-after'))).toBeGreaterThan(0)
    await recovered()
  })

  test('pages of allowed origins can read the refusal, and of others not', async () => {
    const anonymous = service.as('anonymous')
    expect((await service.as('admin').post('/api/rest/hosts', { name: 'page.example' })).status).toBe(201)
    const granted = async (origin: string) => {
      const headers = { Origin: origin, ...json }
      const preflight = { ...headers, 'Access-Control-Request-Method': 'PATCH' }
      const answers = await Promise.all([
        anonymous.get('/api/rest/continents/EU', headers),
        anonymous('/api/rest/continents/EU', { method: 'OPTIONS', headers: preflight }),
      ])
      return answers.map(answer => [answer.status, answer.headers.get('access-control-allow-origin')])
    }
    const origins = ['https://fixed.example', 'https://page.example', 'https://other.example'] as const
    // The origin of a host is known from earlier requests.
    await Promise.all(origins.map(granted))
    await overload()
    const [fixed, page, other] = await Promise.all(origins.map(granted))
    expect(fixed).toEqual([503, 204].map(status => [status, 'https://fixed.example']))
    expect(page).toEqual([503, 204].map(status => [status, 'https://page.example']))
    expect(other).toEqual([503, 503].map(status => [status, null]))
    await recovered()
  })

  test('a request that is under way is answered', async () => {
    const body = JSON.stringify({ name: 'slow.example' })
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    const head = [
      'POST /api/rest/hosts HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Authorization: Basic ${btoa('admin:admin')}`,
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
    await until('the request to arrive', () => socket.bytesWritten > 100 && !socket.connecting)
    expect((await service.as('anonymous').get('/api/rest/continents/EU')).status).toBe(200)
    await overload()
    socket.write(body.slice(5))
    const [answer] = await waitingFor('an answer', once(socket.setEncoding('utf8'), 'data'))
    expect(answer).toMatch(/^HTTP\/1.1 201 /)
    await recovered()
  })

  test('the body of a refused request is not waited for', async () => {
    await overload()
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write('POST /api/rest/hosts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n{')
    const [answer] = await waitingFor('an answer', once(socket.setEncoding('utf8'), 'data'))
    expect(answer).toMatch(/^HTTP\/1.1 503 /)
    socket.destroy()
    await recovered()
  })

  test('one long pause is not overload', async () => {
    block(5 * maxLag)
    await sleep(1)
    expect((await service.as('anonymous').get('/api/rest/continents/EU')).status).toBe(200)
  })
})
