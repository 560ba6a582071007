import { get, type IncomingMessage } from 'node:http'
import { queryObjects } from 'node:v8'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { text } from '../../src/core/model/fields.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import { defineModule } from '../../src/core/module.ts'
import { EventStream } from '../../src/modules/realtime/event-stream.ts'
import { until, waitingFor } from '../../src/testing/waiting.ts'

const json = { Accept: 'application/json' }

/** A module whose identifiers may hold any character, so that a topic can be any text. */
const notebook = defineModule({
  name: 'notebook',
  about: 'Notes.',
  resources: [
    defineResource('notes', {
      about: 'Notes.',
      identifier: assigned(/^.+$/, 255),
      fields: { text: text() },
      access: { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" },
    }),
  ],
})

const aUuid = '00000000-0000-7000-8000-000000000001'

interface SentEvent {
  readonly id: number
  readonly event: string
  readonly data: string
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      settings: { 'app.cors.allowedOrigins': 'https://friend.example' },
      modules: [...modules, notebook],
    })
  })
  afterAll(() => service.stop())

  const open = async (user: DemoUser, query: string, headers: Record<string, string> = {}) => {
    const leaving = new AbortController()
    const response = await fetch(`${service.url}/api/rest/events?${query}`, {
      headers: { ...credentialsOf(user), ...headers },
      signal: leaving.signal,
    })
    let received = ''
    let over = false
    void (async () => {
      for await (const piece of response.body ?? []) received += Buffer.from(piece).toString()
    })()
      .catch(() => {})
      .finally(() => {
        over = true
      })
    const blocks = (): SentEvent[] =>
      received
        .split('\n\n')
        .slice(0, -1)
        .map(block => ({
          id: Number(/^id: (.*)$/m.exec(block)?.[1]),
          event: /^event: (.*)$/m.exec(block)?.[1] ?? 'message',
          data: /^data: (.*)$/m.exec(block)?.[1] ?? '',
        }))
    const events = () => blocks().filter(block => block.data !== '')
    await until('the stream to open', () => response.status !== 200 || blocks().length > 0)
    return {
      response,
      blocks,
      events,
      until: async (count: number) => {
        await until(`${count} events`, () => events().length >= count)
        return events().map(({ id, data }) => ({ id, ...JSON.parse(data) }))
      },
      isOver: () => over,
      leave: () => leaving.abort(),
    }
  }
  const makeHost = async (name: string) =>
    (await service.as('admin').post('/api/rest/hosts', { name })).body.pk as string

  test('tells the same changes with their sequence as identifier, and can be resumed', async () => {
    const stream = await open('client', 'topic=hosts&record=true')
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    const pk = await makeHost('sse-one.example')
    const [change] = await stream.until(1)
    const record = (await service.as('client').get(`/api/rest/hosts/${pk}`, { Accept: 'application/json' })).body
    expect(change).toEqual({
      id: change?.sequence,
      sequence: change?.sequence,
      type: 'created',
      resource: 'hosts',
      pk,
      record,
    })
    stream.leave()
    const missed = [await makeHost('sse-two.example'), await makeHost('sse-three.example')]
    const again = await open('client', 'topic=hosts', { 'Last-Event-ID': String(change?.id) })
    expect((await again.until(2)).map(one => one.pk)).toEqual(missed)
    again.leave()
  })

  test('gives a place to come back to before anything has happened', async () => {
    const first = await open('client', 'topic=hosts')
    const [welcome] = first.blocks()
    first.leave()
    const pk = await makeHost('sse-early.example')
    const second = await open('client', 'topic=hosts', { 'Last-Event-ID': String(welcome?.id) })
    expect((await second.until(1)).map(one => one.pk)).toEqual([pk])
    second.leave()
  })

  test('several topics come in one order', async () => {
    const stream = await open('client', 'topic=hosts&topic=/topic/roles')
    const host = await makeHost('sse-order.example')
    const role = (
      await service.as('admin').post('/api/rest/roles', { name: 'ROLE_ORDER' }, { Accept: 'application/json' })
    ).body.pk
    const last = await makeHost('sse-last.example')
    expect((await stream.until(3)).map(one => one.pk)).toEqual([host, role, last])
    stream.leave()
  })

  test('a topic that looks like the key of another audience hears nothing of it', async () => {
    const privileged = await open('operator', 'topic=notes/one&topic=errorLogs')
    const imitator = await open('client', `topic=${encodeURIComponent('/topic/notes/one,/topic/errorLogs   |')}`)
    const honest = await open('client', 'topic=notes/one')
    expect(imitator.response.status).toBe(200)
    await service.as('admin').post('/api/rest/errorLogs', { stacktrace: `at secret (${database})` })
    expect((await service.as('admin').post('/api/rest/notes', { pk: 'one' })).status).toBe(201)
    expect((await privileged.until(2)).map(one => one.resource)).toEqual(['errorLogs', 'notes'])
    expect((await honest.until(1)).map(one => one.resource)).toEqual(['notes'])
    expect(imitator.events()).toEqual([])
    for (const stream of [privileged, imitator, honest]) stream.leave()
  })

  test('what is not kept any more: reload, and the end', async () => {
    const stream = await open('client', 'topic=hosts', { 'Last-Event-ID': '999999999' })
    await until('the stream to end', () => stream.isOver())
    expect(stream.events().map(one => one.event)).toEqual(['reload'])
  })

  test.each<[string, DemoUser | 'anonymous', string, number]>([
    ['anonymous', 'anonymous', 'topic=countries', 401],
    ['what is not theirs to read', 'client', 'topic=errorLogs', 403],
    ['no topic', 'client', '', 400],
    ['an internal table', 'client', 'topic=sessions', 404],
    ['an unknown one', 'client', 'topic=nothing', 404],
    ['a record that cannot exist', 'client', 'topic=hosts/not%20a%20uuid', 400],
    ['a list of topics in one', 'client', `topic=/topic/hosts/${aUuid},/topic/roles`, 400],
    ['part of a composite identifier', 'client', `topic=friendships/${aUuid}%20`, 400],
  ])('%s is refused', async (_, user, query, status) => {
    expect((await service.as(user).get(`/api/rest/events?${query}`)).status).toBe(status)
  })

  test('no other form can be had', async () => {
    const client = service.as('client')
    expect((await client.get('/api/rest/events?topic=hosts', { Accept: 'application/json' })).status).toBe(406)
    const stream = await open('client', 'topic=hosts', { Accept: 'text/event-stream' })
    expect(stream.response.status).toBe(200)
    stream.leave()
  })

  testAll('who does not read is cut off, and finds all of it on coming back', { timeout: 120_000 }, async () => {
    const ended: Record<string, unknown>[] = []
    const own = await startService(database, {
      logTo: { write: line => ended.push(JSON.parse(line)) },
      settings: { 'app.modules': '', 'app.log.level': 'info' },
    })
    const request = get(`${own.url}/api/rest/events?topic=errorLogs&record=true`, {
      headers: { ...credentialsOf('operator'), 'X-Request-Id': 'slow' },
    })
    const answered = new Promise<IncomingMessage>(resolve => request.once('response', resolve))
    const response = await waitingFor('a response', answered)
    const greeted = new Promise<string>(resolve => response.once('data', piece => resolve(String(piece))))
    const welcome = await waitingFor('the first event', greeted)
    response.socket.pause()
    const isCut = () => ended.some(line => line.requestId === 'slow' && line.completed === false)
    let made = 0
    while (made < 1000 && !isCut()) {
      const logs = Array.from({ length: 20 }, (_, at) => ({ stacktrace: `${made + at} ${'x'.repeat(39_000)}` }))
      expect((await own.as('admin').post('/api/rest/errorLogs', logs, { Prefer: 'return=minimal' })).status).toBe(201)
      made += 20
    }
    await until('the connection to be cut', isCut)
    response.destroy()
    const since = /id: (\d+)/.exec(welcome)?.[1] ?? ''
    const again = await fetch(`${own.url}/api/rest/events?topic=errorLogs`, {
      headers: { ...credentialsOf('operator'), 'Last-Event-ID': since },
    })
    let text = ''
    for await (const piece of again.body ?? []) {
      text += Buffer.from(piece).toString()
      if (text.split('"type":"created"').length > made) break
    }
    await own.stop()
  })

  test('pages of other origins read it only where CORS allows', async () => {
    const allowed = await open('client', 'topic=hosts', { Origin: 'https://friend.example' })
    expect(allowed.response.headers.get('access-control-allow-origin')).toBe('https://friend.example')
    allowed.leave()
    const foreign = await open('client', 'topic=hosts', { Origin: 'https://evil.example' })
    expect(foreign.response.headers.get('access-control-allow-origin')).toBeNull()
    foreign.leave()
  })

  test('who signs out or loses the right hears no more', async () => {
    const admin = service.as('admin')
    const made = await admin.post('/api/rest/users', { username: 'hearer', password: 'a long enough secret 7' }, json)
    const response = await fetch(`${service.url}/api/rest/events?topic=hosts`, {
      headers: { Authorization: `Basic ${btoa('hearer:a long enough secret 7')}` },
    })
    expect(response.status).toBe(200)
    expect((await admin.delete(`/api/rest/users/${made.body.pk}`)).status).toBe(204)
    for await (const _ of response.body ?? []);
  })

  testAll('nothing is kept of streams that are over', async () => {
    // Test files share a process, and an earlier one may have left some.
    const before = queryObjects(EventStream, { format: 'count' })
    const { body } = await service
      .as('admin')
      .post('/api/rest/users', { username: `passing-${database}`, password: 'a long enough secret 7' }, json)
    const listen = async (headers: Record<string, string>) => {
      const leaving = new AbortController()
      const response = await fetch(`${service.url}/api/rest/events?topic=hosts`, { headers, signal: leaving.signal })
      expect(response.status).toBe(200)
      return { leave: () => leaving.abort(), ended: response.text() }
    }
    const listenFiveTimes = (headers: Record<string, string>) =>
      Promise.all(Array.from({ length: 5 }, () => listen(headers)))
    // Some are left by their callers, the others are ended by the service.
    for (const stream of await listenFiveTimes(credentialsOf('client'))) {
      stream.leave()
      await expect(stream.ended).rejects.toThrow()
    }
    const ending = await listenFiveTimes({
      Authorization: `Basic ${btoa(`passing-${database}:a long enough secret 7`)}`,
    })
    expect((await service.as('admin').delete(`/api/rest/users/${body.pk}`)).status).toBe(204)
    for (const stream of ending) expect(await stream.ended).toContain('welcome')
    await expect
      .poll(() => queryObjects(EventStream, { format: 'count' }), { interval: 250, timeout: 60_000 })
      .toBeLessThanOrEqual(before)
  })

  test('when the service ends, so do the streams', { timeout: 120_000 }, async () => {
    const own = await startService(database, { settings: { 'app.modules': '' } })
    const response = await fetch(`${own.url}/api/rest/events?topic=hosts`, { headers: credentialsOf('client') })
    const ended = (async () => {
      for await (const _ of response.body ?? []);
    })()
    await own.stop()
    await ended
  })
})
