// When more requests are in hand than the service can answer in time, further ones are refused. What is under way goes on.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { type Answer, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defineModule } from '../../src/core/module.ts'
import { startStopwatch } from '../../src/core/thread-clock.ts'
import { until, waitingFor } from '../../src/testing/waiting.ts'

const json = { Accept: 'application/json' }
const page = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

/** The service runs in this process. */
const block = (ms: number): void => {
  const worked = startStopwatch()
  while (worked() < ms);
}

interface Overload {
  /** Ends all but so many of the requests that wait. */
  readonly leave: (count: number) => void
  readonly end: () => Promise<void>
}

/** `/waiting` has no answer until it is released; `/busy/300` takes 300 ms of processor time. */
const createBusy = () => {
  const waiting: (() => void)[] = []
  const module = defineModule({
    name: 'busy',
    about: 'Takes time.',
    resources: [],
    routes: () => [
      {
        method: 'GET',
        path: '/waiting',
        handler: async () => {
          await new Promise<void>(resolve => waiting.push(resolve))
          return { status: 204 }
        },
      },
      {
        method: 'GET',
        path: '/busy/{ms}',
        handler: ({ params }) => {
          block(Number(params.ms))
          return { status: 200, body: 'done' }
        },
      },
    ],
  })
  /** Keeps the event loop busy while so many requests wait. Someone without credentials asks all the time. */
  const overload = async (url: string, count: number): Promise<Overload> => {
    let isOver = false
    const work = (): void => {
      block(2)
      if (!isOver) setImmediate(work)
    }
    const asking = Array.from({ length: count }, () => fetch(`${url}/waiting`))
    await until('the requests to wait', () => waiting.length === count)
    work()
    const status = async () => (await fetch(`${url}/api/rest/continents/EU`)).status
    await until('requests to be refused', async () => (await status()) === 503)
    const asksOn = (async () => {
      while (!isOver) await status()
    })()
    const leave = (left: number): void => {
      for (const release of waiting.splice(left)) release()
    }
    return {
      leave,
      end: async () => {
        isOver = true
        leave(0)
        await Promise.all([...asking, asksOn])
      },
    }
  }
  return { module, overload }
}

const settings = { 'app.api.maxEventLoopLag': '100', 'app.cors.allowedOrigins': 'https://fixed.example' }

const beginPost = (url: string, headers: readonly string[], sent: string): Socket => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const head = ['POST /api/rest/hosts HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers]
  socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`)
  return socket
}

const answerOn = async (socket: Socket): Promise<string> => {
  const [answer] = await waitingFor('an answer', once(socket.setEncoding('utf8'), 'data'))
  socket.destroy()
  return String(answer)
}

const hostBody = JSON.stringify({ name: 'slow.example' })
const asAdmin = [
  `Authorization: Basic ${btoa('admin:admin')}`,
  `Content-Length: ${hostBody.length}`,
  'Connection: close',
]

describe.each(featureDatabases(import.meta.url))('on %s, while there are too many requests', database => {
  let service: TestService
  let overload: Overload
  let underWay: Socket

  beforeAll(async () => {
    const busy = createBusy()
    service = await startService(database, { settings, modules: [...modules, busy.module] })
    expect((await service.as('admin').post('/api/rest/hosts', { name: 'page.example' })).status).toBe(201)
    // The origin of a host is known from earlier requests.
    await service.as('anonymous').get('/api/rest/continents/EU', { Origin: 'https://page.example' })
    underWay = beginPost(service.url, asAdmin, hostBody.slice(0, 5))
    overload = await busy.overload(service.url, 60)
  })
  afterAll(async () => {
    await overload.end()
    await service.stop()
  })

  const refusal = (path: string, headers: Record<string, string>): Promise<Answer> =>
    until('a request to be refused', async () => {
      const answer = await service.as('anonymous').get(path, headers)
      return answer.status === 503 && answer
    })

  test('a request that is under way is answered', async () => {
    underWay.write(hostBody.slice(5))
    expect(await answerOn(underWay)).toMatch(/^HTTP\/1.1 201 /)
  })

  test('those without credentials are refused with 503 and Retry-After', async () => {
    const { body, headers } = await refusal('/api/rest/continents/EU', json)
    expect(body.code).toBe('overloaded')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('those with credentials are served as long as there are places for them', async () => {
    const statuses = async () => {
      const requests = Array.from({ length: 3 }, () => service.as('admin').get('/api/rest/continents/EU', json))
      return (await Promise.all(requests)).map(({ status }) => status)
    }
    expect(await statuses()).toEqual([503, 503, 503])
    overload.leave(30)
    expect(await statuses()).toEqual([200, 200, 200])
  })

  test.each([
    '/api/management/health',
    '/api/management/health.json',
    '/client/',
    '/client/users',
    '/docs/problems',
    '/apidoc',
    '/apidoc/page.css',
    '/',
  ])('%s is served', async path => {
    expect((await service.as('anonymous').get(path, page)).status).toBe(200)
  })

  test('page loads get a page that says so and tries again', async () => {
    const { headers, text } = await refusal('/api/rest/continents/EU', { ...page, 'Accept-Language': 'de-AT' })
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-language')).toBe('de')
    expect(text).toMatch(/<meta http-equiv="refresh" content="\d+">/)
    expect(text).toContain('Ausgelastet')
  })

  test('pages of allowed origins can read the refusal, and of others not', async () => {
    const granted = async (origin: string) => {
      const refused = await refusal('/api/rest/continents/EU', { Origin: origin, ...json })
      const preflight = { Origin: origin, 'Access-Control-Request-Method': 'PATCH' }
      const options = await service.as('anonymous')('/api/rest/continents/EU', {
        method: 'OPTIONS',
        headers: preflight,
      })
      return [refused, options].map(answer => answer.headers.get('access-control-allow-origin'))
    }
    for (const origin of ['https://fixed.example', 'https://page.example'])
      expect(await granted(origin)).toEqual([origin, origin])
    expect(await granted('https://other.example')).toEqual([null, null])
  })

  test('the body of a refused request is not waited for', async () => {
    await until('a request to be refused', async () => {
      const answer = await answerOn(beginPost(service.url, ['Content-Length: 500000'], '{'))
      return answer.startsWith('HTTP/1.1 503 ')
    })
  })

  test('everyone is served again afterwards', async () => {
    await overload.end()
    const anonymous = service.as('anonymous')
    const ask = () => Promise.all(Array.from({ length: 20 }, () => anonymous.get('/api/rest/continents/EU', json)))
    expect((await ask()).map(({ status }) => status)).toEqual(Array(20).fill(200))
  })
})

test('requests that take long are served as long as they are few', async () => {
  const service = await startService('sqlite', { settings, modules: [...modules, createBusy().module] })
  onTestFinished(() => service.stop())
  const ask = async () => (await service.as('anonymous').get('/busy/300')).status
  const statuses: number[] = []
  for (let count = 0; count < 5; count++) statuses.push(...(await Promise.all([ask(), ask(), ask()])))
  expect(statuses).toEqual(Array(15).fill(200))
})

test('of more busy connections than can be answered in time, some are refused, and those that are left are answered', async () => {
  const service = await startService('sqlite', { settings, modules: [...modules, createBusy().module] })
  onTestFinished(() => service.stop())
  const answers = { 200: 0, 503: 0 }
  let isOver = false
  // Each asks again as soon as it has its answer: 300 requests of 5 ms are under way, and 100 ms of work may be.
  const askOn = async (): Promise<void> => {
    while (!isOver) {
      const { status } = await service.as('anonymous').get('/busy/5')
      answers[status === 200 ? 200 : 503] += 1
    }
  }
  const asking = Array.from({ length: 300 }, askOn)
  await until('requests to be refused', () => answers[503] > 0)
  const before = answers[200]
  await until('others to be answered', () => answers[200] > before + 20)
  isOver = true
  await Promise.all(asking)
})
