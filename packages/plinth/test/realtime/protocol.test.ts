import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { testAll } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf, socketUrl } from '@plinth/test-kit/stomp-subscriber'
import { Versions } from '@stomp/stompjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { until, waitingFor } from '../../src/testing/waiting.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite', {
    settings: { 'app.modules': '', 'app.cors.allowedOrigins': 'https://friend.example' },
  })
})
afterAll(() => service.stop())

interface Said {
  readonly text: string
  readonly code: number
}

/** Sends the frames on a bare socket. Returns everything that is received until the socket is closed. */
const say = (...frames: (string | Buffer)[]): Promise<Said> => {
  const closed = new Promise<Said>((resolve, reject) => {
    const socket = new WebSocket(socketUrl(service.url), ['v12.stomp'], { headers: credentialsOf('client') })
    let text = ''
    socket.on('message', data => {
      text += data
    })
    socket.on('open', () => {
      for (const frame of frames) socket.send(frame)
    })
    socket.on('close', code => resolve({ text, code }))
    socket.on('error', reject)
  })
  return waitingFor('the service to close the WebSocket', closed)
}

const connectFrame = 'CONNECT\naccept-version:1.2\nhost:x\n\n\0'

describe('the handshake', () => {
  const statusOf = (headers: Record<string, string>, path = '/ws'): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(service.url + path, {
        headers: {
          Connection: 'Upgrade',
          Upgrade: 'websocket',
          'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
          'Sec-WebSocket-Version': '13',
          ...headers,
        },
      })
      request.on('upgrade', (_response, socket) => {
        socket.destroy()
        resolve(101)
      })
      request.on('response', response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', reject)
      request.end()
    })

  test.each<[string, () => Record<string, string>, number]>([
    ['anonymous', () => ({}), 401],
    ['wrong credentials', () => ({ Authorization: `Basic ${btoa('client:wrong')}` }), 401],
    ['a made-up token', () => ({ Authorization: 'Bearer abc' }), 401],
    ['good credentials without a page', () => credentialsOf('client'), 101],
    ['a page of our own', () => ({ ...credentialsOf('client'), Origin: service.url }), 101],
    [
      'a page of a foreign site that claims our origin',
      () => ({ ...credentialsOf('client'), Origin: service.url, 'Sec-Fetch-Site': 'cross-site' }),
      403,
    ],
    ['a page of an allowed origin', () => ({ ...credentialsOf('client'), Origin: 'https://friend.example' }), 101],
    ['a page of a foreign origin', () => ({ ...credentialsOf('client'), Origin: 'https://evil.example' }), 403],
    ['a page without an origin to speak of', () => ({ ...credentialsOf('client'), Origin: 'null' }), 403],
    [
      'an origin that begins as ours does',
      () => ({ ...credentialsOf('client'), Origin: `${service.url}.evil.example` }),
      403,
    ],
    [
      'an origin with our name as its user',
      () => ({ ...credentialsOf('client'), Origin: `http://${new URL(service.url).host}@evil.example` }),
      403,
    ],
  ])('%s', async (_, headers, status) => {
    expect(await statusOf(headers())).toBe(status)
  })

  test('a request without an upgrade is answered with the required one', async () => {
    const answer = await service.as('client').get('/ws')
    expect([answer.status, answer.headers.get('upgrade'), answer.body.code]).toEqual([
      426,
      'websocket',
      'upgrade_required',
    ])
    expect(await statusOf({ ...credentialsOf('client'), Upgrade: 'h2c' })).toBe(426)
  })

  test('other paths take no sockets', async () => {
    expect(await statusOf(credentialsOf('client'), '/api/rest/hosts')).toBe(404)
  })

  test('a request that asks for another protocol is answered as if it had not', async () => {
    expect(await statusOf({ Upgrade: 'h2c' }, '/api/rest/countries')).toBe(200)
  })

  test('the sub-protocol is one of STOMP', async () => {
    const socket = new WebSocket(socketUrl(service.url), ['chat', 'v11.stomp', 'v10.stomp'], {
      headers: credentialsOf('client'),
    })
    await waitingFor('the WebSocket to open', once(socket, 'open'))
    expect(socket.protocol).toBe('v11.stomp')
    socket.terminate()
  })
})

describe('credentials at the handshake', () => {
  const cookiesOf = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await service.as('anonymous').post(path, body)
    expect([200, 201]).toContain(answer.status)
    return Object.fromEntries(
      answer.headers.getSetCookie().map(cookie => (cookie.split(';')[0] ?? '').split(/=(.*)/s).slice(0, 2)),
    )
  }
  const client = { username: 'client', password: 'client' }
  test.each<[string, () => Promise<Record<string, string>>]>([
    ['an access token in its cookie', async () => cookie(await cookiesOf('/api/auth/jwt/access', client))],
    [
      'an access token in the header',
      async () => ({ Authorization: `Bearer ${(await cookiesOf('/api/auth/jwt/access', client)).access_token}` }),
    ],
    ['a password in the header', async () => credentialsOf('client')],
    ['the cookie of the basic sign-in', async () => cookie(await cookiesOf('/api/auth/basic', client))],
    ['the cookies of a session', async () => cookie(await cookiesOf('/api/auth/userDetails', client))],
  ])('%s are taken, and belong to their user', async (_, headersOf) => {
    const connected = await connect(service.url, await headersOf())
    const { body } = await service.as('admin').get(`/api/rest/stompSessions/${connected.session}`, {
      Accept: 'application/json',
    })
    expect(body.user.username).toBe('client')
    await connected.disconnect()
  })

  test('a refresh token is no access token', async () => {
    const { refresh_token } = await cookiesOf('/api/auth/jwt/access', client)
    await expect(connect(service.url, { Authorization: `Bearer ${refresh_token}` })).rejects.toThrow('refused with 401')
  })
})

const cookie = (cookies: Record<string, string>) => ({
  Cookie: Object.entries(cookies)
    .map(pair => pair.join('='))
    .join('; '),
})

test('however many handshakes of one user come at once, no more than allowed stay', { timeout: 120_000 }, async () => {
  const own = await startService('sqlite', {
    settings: { 'app.modules': '', 'app.realtime.maxConnectionsPerUser': '3' },
  })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, () => connect(own.url, credentialsOf('client'), { connectionTimeout: 0 })),
  )
  const sessions = (await own.as('admin').get('/api/rest/stompSessions', { Accept: 'application/json' })).body
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(sessions.page.totalElements).toBe(3)
  expect((await own.as('client').get('/api/rest/events?topic=hosts')).status).toBe(429)
  await own.stop()
})

describe('versions', () => {
  test.each([
    [Versions.V1_0, 'plain'],
    [Versions.V1_1, 'plain'],
    // The client escapes headers in this version alone.
    [Versions.V1_2, 'a:b'],
  ])('%s is spoken', async (version, id) => {
    const connected = await connect(service.url, credentialsOf('client'), { stompVersions: new Versions([version]) })
    expect(connected.stomp.connectedVersion).toBe(version)
    const inbox = await connected.listen('/topic/hosts', { id })
    await service.as('admin').post('/api/rest/hosts', { name: `v${version}.example` })
    expect((await inbox.until(1))[0]?.type).toBe('created')
    await connected.disconnect()
  })

  test('others are refused with those that are', async () => {
    const { text } = await say('CONNECT\naccept-version:2.0\n\n\0')
    expect(text).toContain('ERROR\nmessage:unsupported version')
    expect(text).toContain('1.0, 1.1 and 1.2')
  })
})

test.each<[string, (string | Buffer)[], string]>([
  ['what is no frame', ['hello\n\n\0'], 'malformed frame'],
  ['a frame before CONNECT', ['SUBSCRIBE\nid:1\ndestination:/topic/hosts\n\n\0'], 'not connected'],
  ['a second CONNECT', [connectFrame, connectFrame], 'already connected'],
  ['SEND', [connectFrame, 'SEND\ndestination:/topic/hosts\n\nx\0'], 'forbidden'],
  ['BEGIN', [connectFrame, 'BEGIN\ntransaction:1\n\n\0'], 'unsupported command'],
  ['a subscription without an id', [connectFrame, 'SUBSCRIBE\ndestination:/topic/hosts\n\n\0'], 'no id'],
  ['a destination that is none', [connectFrame, 'SUBSCRIBE\nid:1\ndestination:/queue/x\n\n\0'], 'not_found'],
  ['a resource that is none', [connectFrame, 'SUBSCRIBE\nid:1\ndestination:/topic/nothing\n\n\0'], 'not_found'],
  ['an internal table', [connectFrame, 'SUBSCRIBE\nid:1\ndestination:/topic/sessions\n\n\0'], 'not_found'],
  ['a prototype', [connectFrame, 'SUBSCRIBE\nid:1\ndestination:/topic/constructor\n\n\0'], 'not_found'],
  ['what is not theirs to read', [connectFrame, 'SUBSCRIBE\nid:1\ndestination:/topic/errorLogs\n\n\0'], 'forbidden'],
  [
    'an id that is in use',
    [connectFrame, 'SUBSCRIBE\nid:1\ndestination:/topic/hosts\n\n\0SUBSCRIBE\nid:1\ndestination:/topic/hosts\n\n\0'],
    'id in use',
  ],
  [
    'a header too many',
    [connectFrame, `ACK\n${'a:b\n'.repeat(60).replace(/a/g, () => `h${Math.random()}`)}\n\0`],
    'malformed frame',
  ],
  [
    'too large a frame',
    [connectFrame, Buffer.concat([Buffer.from('ACK\n\n'), Buffer.alloc(70_000, 'x')])],
    'malformed frame',
  ],
  [
    'too many subscriptions',
    [
      connectFrame,
      ...Array.from({ length: 101 }, (_, at) => `SUBSCRIBE\nid:${at}\ndestination:/topic/hosts/${randomUUID()}\n\n\0`),
    ],
    'too many subscriptions',
  ],
  ['a flood of frames in one message', [connectFrame, 'ACK\nid:1\n\n\0'.repeat(1000)], 'too many frames'],
  ['a flood of frames', Array.from({ length: 400 }, (_, at) => (at === 0 ? connectFrame : '\n')), 'too many frames'],
])('%s is answered by ERROR, and the end', async (_, words, message) => {
  const { text, code } = await say(...words)
  expect(text).toContain(`ERROR\nmessage:${message}\n`)
  expect(code).toBe(1008)
})

test('a message beyond all limits is cut off without a word', async () => {
  expect((await say(connectFrame, 'x'.repeat(200_000))).code).toBe(1009)
})

test('DISCONNECT is answered by its receipt and a proper end', async () => {
  const { text, code } = await say(connectFrame, 'DISCONNECT\nreceipt:bye\n\n\0')
  expect(text).toMatch(/^CONNECTED\n/)
  expect(text).toContain('RECEIPT\nreceipt-id:bye\n')
  expect(code).toBe(1000)
})

test('acknowledgements are taken in every mode', async () => {
  const connected = await connect(service.url, credentialsOf('client'))
  const inbox = await connected.listen('/topic/hosts', { ack: 'client-individual' })
  await service.as('admin').post('/api/rest/hosts', { name: 'acked.example' })
  await inbox.until(1)
  expect(inbox.messages[0]?.headers.ack).toBeTruthy()
  inbox.messages[0]?.ack()
  inbox.messages[0]?.nack()
  const again = await connected.listen('/topic/roles')
  expect(again.since).toBeGreaterThan(0)
  await connected.disconnect()
})

test('after UNSUBSCRIBE nothing comes any more', async () => {
  const connected = await connect(service.url, credentialsOf('client'))
  const inbox = await connected.listen('/topic/hosts', { id: 'first' })
  connected.stomp.unsubscribe('first')
  const other = await connected.listen('/topic/hosts', { id: 'second' })
  await service.as('admin').post('/api/rest/hosts', { name: 'unheard.example' })
  await other.until(1)
  expect(inbox.messages).toHaveLength(0)
  await connected.disconnect()
})

test('one record can be listened to', async () => {
  const admin = service.as('admin')
  const [one, two] = [
    (await admin.post('/api/rest/hosts', { name: 'this.example' })).body.pk,
    (await admin.post('/api/rest/hosts', { name: 'that.example' })).body.pk,
  ]
  const connected = await connect(service.url, credentialsOf('client'))
  const inbox = await connected.listen(`/topic/hosts/${one}`)
  await admin.patch(`/api/rest/hosts/${two}`, { description: 'other' })
  await admin.patch(`/api/rest/hosts/${one}`, { description: 'mine' })
  await admin.delete(`/api/rest/hosts/${one}`)
  expect((await inbox.until(2)).map(({ type, pk }) => [type, pk])).toEqual([
    ['updated', one],
    ['deleted', one],
  ])
  await connected.disconnect()
})

testAll('who does not read is cut off, and the others are not held up', async () => {
  const admin = service.as('admin')
  const slow = new WebSocket(socketUrl(service.url), ['v12.stomp'], { headers: credentialsOf('client') })
  await waitingFor('the WebSocket to open', once(slow, 'open'))
  slow.send(`${connectFrame}SUBSCRIBE\nid:1\ndestination:/topic/hosts\nrecord:true\n\n\0`)
  await waitingFor('the CONNECTED frame', once(slow, 'message'))
  // biome-ignore lint/complexity/useLiteralKeys: the socket below the library's own is what stops reading
  ;(slow as unknown as Record<string, { pause(): void }>)['_socket']?.pause()
  const brisk = await connect(service.url, credentialsOf('client'))
  const inbox = await brisk.listen('/topic/hosts', { record: 'true' })
  const sessions = async () => (await admin.get('/api/rest/stompSessions?_ps=100')).body.content.length
  const before = await sessions()
  const description = 'x'.repeat(500)
  for (let round = 0; round < 20 && (await sessions()) === before; round++) {
    const hosts = Array.from({ length: 500 }, (_, at) => ({ name: `slow-${round}-${at}.example`, description }))
    await admin.post('/api/rest/hosts', hosts, { Prefer: 'return=minimal' })
    await inbox.until((round + 1) * 500)
  }
  await until('the session to end', async () => (await sessions()) === before - 1)
  slow.terminate()
  await brisk.disconnect()
})
