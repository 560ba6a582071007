// Rate limits on ordinary use, and the headers that describe them.

import { featureDatabases } from '@plinth/test-kit/databases'
import { type Answer, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const json = { Accept: 'application/json' }
const path = '/api/rest/continents/EU'
const page = 'https://page.example'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let now = new Date('2030-01-01T00:00:00Z')
  let service: TestService
  beforeAll(async () => {
    const settings = {
      'app.api.rateLimit.anonymousRequests': '5',
      'app.api.rateLimit.requests': '8',
      'app.api.rateLimit.cost': '100',
      'app.cors.allowedOrigins': page,
      'server.trustedProxies': '127.0.0.1',
      'app.log.level': 'silent',
    }
    service = await startService(database, { settings, clock: () => now })
  })
  afterAll(() => service.stop())

  const from = (address: string) => clientFor(service.url, { 'X-Forwarded-For': address })
  const repeat = async (times: number, ask: () => Promise<Answer>): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (let time = 0; time < times; time++) answers.push(await ask())
    return answers
  }
  const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)

  test('callers without credentials are limited by address, and served again after a minute', async () => {
    const answers = await repeat(6, () => from('192.0.2.1').get(path, json))
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"requests";q=5;w=60')
    expect(answers[0]?.headers.get('ratelimit')).toBe('"requests";r=4;t=60')
    expect(answers[4]?.headers.get('ratelimit')).toBe('"requests";r=0;t=60')
    const refused = answers[5]
    expect(refused?.body.code).toBe('too_many_requests')
    expect(refused?.headers.get('retry-after')).toBe('60')
    expect(refused?.headers.get('ratelimit')).toBe('"requests";r=0;t=60')
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0')
    expect((await from('192.0.2.2').get(path, json)).status).toBe(200)
    now = new Date(now.getTime() + 60_000)
    expect((await from('192.0.2.1').get(path, json)).status).toBe(200)
  })

  test('one /64 of IPv6 is one caller', async () => {
    let host = 0
    const answers = await repeat(6, () => from(`2001:db8:1:2::${++host}`).get(path, json))
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 429])
    expect((await from('2001:db8:1:3::1').get(path, json)).status).toBe(200)
  })

  test('a /56 and a /48 of IPv6 have limits too, for those who call from many of their networks', async () => {
    let subnet = 0
    const ofOne56 = () => from(`2001:db8:2:${(0x100 + subnet++).toString(16)}::1`).get(path, json)
    const answers = await repeat(4 * 5 + 1, ofOne56)
    expect(statusesOf(answers)).toEqual([...Array(20).fill(200), 429])
    expect(answers[20]?.headers.get('retry-after')).toBe('60')
    expect((await from('2001:db8:2:200::1').get(path, json)).status).toBe(200)
    const ofOne48 = () => from(`2001:db8:3:${(0x100 * ++subnet).toString(16)}::1`).get(path, json)
    subnet = 0
    expect(statusesOf(await repeat(16 * 5 + 1, ofOne48))).toEqual([...Array(80).fill(200), 429])
  })

  test('wrong credentials are counted like none', async () => {
    const wrong = { Authorization: 'Bearer wrong' }
    const answers = await repeat(6, () => from('192.0.2.3').get(path, wrong))
    expect(statusesOf(answers)).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('a user has limits of their own, wherever they call from', async () => {
    const basic = { Authorization: `Basic ${btoa('staff:staff')}` }
    let host = 0
    const answers = await repeat(9, () => from(`198.51.100.${++host}`).get(path, basic))
    expect(statusesOf(answers)).toEqual([...Array(8).fill(200), 429])
    expect(answers[0]?.headers.get('ratelimit-policy')).toContain('"requests";q=8;w=60')
    const other = { Authorization: `Basic ${btoa('client:client')}` }
    expect((await from('198.51.100.1').get(path, other)).status).toBe(200)
  })

  test('each API key of a user has limits of its own, and so does the user', async () => {
    const user = service.as('simple')
    const expirationDate = new Date(now.getTime() + 24 * 3600_000).toISOString()
    const [first, second] = await repeat(2, () =>
      user.post('/api/rest/apiKeys', { name: 'a program', scopes: ['read'], expirationDate }, json),
    )
    const by = (made: Answer | undefined) => clientFor(service.url, { 'X-API-Key': made?.body.key, Origin: page })
    const answers = await repeat(9, () => by(first).get(path, json))
    expect(statusesOf(answers)).toEqual([...Array(8).fill(200), 429])
    expect(answers[8]?.headers.get('ratelimit')).toBe('"requests";r=0;t=60')
    // Pages of allowed origins can read the refusal.
    expect(answers[8]?.headers.get('access-control-allow-origin')).toBe(page)
    expect((await by(second).get(path, json)).status).toBe(200)
    expect((await user.get(path, json)).status).toBe(200)
  })

  test('what queries cost is limited too: one may exceed what is left, and the next is refused', async () => {
    const staff = clientFor(service.url, { Authorization: `Basic ${btoa('operator:operator')}` })
    const [first, second] = await repeat(2, () => staff.get('/api/rest/countries?filter=name==*a*', json))
    expect([first?.status, second?.status, second?.body.code]).toEqual([200, 429, 'too_many_requests'])
    expect(first?.headers.get('ratelimit-policy')).toBe('"requests";q=8;w=60, "cost";q=100;qu="cost";w=60')
    expect(first?.headers.get('ratelimit')).toBe('"requests";r=7;t=60, "cost";r=0;t=60')
    expect(second?.headers.get('ratelimit')).toMatch(/"cost";r=0/)
  })

  test('unless configured otherwise, only the cost of callers with credentials is limited, to more than they need', async () => {
    const own = await startService(database, { settings: { 'app.modules': '' } })
    onTestFinished(() => own.stop())
    const { headers } = await own.as('simple').get(path, json)
    expect(headers.get('ratelimit-policy')).toBe('"cost";q=200000000;qu="cost";w=60')
    expect(headers.get('ratelimit')).toMatch(/^"cost";r=199999999;t=\d+$/)
  })

  test('health is never refused', async () => {
    await repeat(6, () => from('192.0.2.4').get(path, json))
    const answers = await repeat(6, () => from('192.0.2.4').get('/api/management/health', json))
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 200])
  })
})
