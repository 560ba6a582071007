// What a handler sees of a request.

import { request as nodeRequest } from 'node:http'
import { everyThird } from '@plinth/test-kit/extent'
import { describe, expect, test } from 'vitest'
import type { Method } from '../../src/core/http/exchange.ts'
import { bodyOf, exchange, mirror, open, start, statusOf } from './test-server.ts'

const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const echo = methods.flatMap(method => [
  { method, path: '/things', handler: mirror },
  { method, path: '/things/{pk}', handler: mirror },
  { method, path: '/things/{pk}/relationships/{name}', handler: mirror },
])

describe('paths', () => {
  test.each([
    ['/things/7', { pk: '7' }],
    ['/things/a%2Fb', { pk: 'a/b' }],
    ['/things/a%252Fb', { pk: 'a%2Fb' }],
    ['/things/caf%C3%A9', { pk: 'café' }],
    ['/things/a;b=c', { pk: 'a;b=c' }],
    ['/things/a+b', { pk: 'a+b' }],
    ['/things/..', { pk: '..' }],
    ['/things/%2e%2e', { pk: '..' }],
    ['/things/7/relationships/x%20y', { pk: '7', name: 'x y' }],
    ['/thin%67s/7', { pk: '7' }],
    [`/things/${'x'.repeat(1000)}`, { pk: 'x'.repeat(1000) }],
  ])('%s names its parts', async (path, params) => {
    const { port } = await start(echo)
    const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(JSON.parse(bodyOf(answer))).toMatchObject({ params, path })
  })

  test.each([
    '/things/',
    '//things',
    '/things//relationships/x',
    '/things/7/',
    '/Things',
    '/things/7/relationships',
    `/things/${'x'.repeat(1001)}`,
    '/',
  ])('%s is no path', async path => {
    const { port } = await start(echo)
    const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(statusOf(answer)).toBe(404)
  })

  test.each(['/things/%', '/things/%zz', '/things/%C3%28', '/%ff'])('%s is a bad request', async path => {
    const { port } = await start(echo)
    const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(statusOf(answer)).toBe(400)
    expect(JSON.parse(bodyOf(answer))).toMatchObject({ code: 'bad_request', status: 400 })
  })

  test('the root can be a route', async () => {
    const { url } = await start([{ method: 'GET', path: '/', handler: mirror }])
    expect((await fetch(`${url}/`)).status).toBe(200)
  })

  test.each(['/a*', '/{a}b', 'a', '/:a', '/a?b', '/{a b}'])('a route at %s stops the start', async path => {
    await expect(start([{ method: 'GET', path, handler: mirror }])).rejects.toThrow('cannot be read')
  })

  test('a route that is declared twice stops the start', async () => {
    const route = { method: 'GET' as const, path: '/a', handler: mirror }
    await expect(start([route, route])).rejects.toThrow('/a')
  })
})

describe('queries', () => {
  test.each([
    ['/things?a=1&a=2', 'a=1&a=2'],
    ['/things?filter=title==%27x%27;y>2?z', 'filter=title==%27x%27;y>2?z'],
    ['/things?', ''],
    ['/things?%zz', '%zz'],
    ['http://elsewhere:99/things?a=1', 'a=1'],
  ])('%s is passed on as sent', async (target, search) => {
    const { port } = await start(echo)
    const answer = await exchange(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(JSON.parse(bodyOf(answer))).toMatchObject({ search, path: '/things' })
  })
})

describe('bodies', () => {
  const types = [
    undefined,
    'application/json',
    'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ]
  const cases = ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap(method => types.map(type => [method, type] as const))

  test.each(everyThird(cases))('%s with the type %s arrives as it was sent', async (method, type) => {
    const { url } = await start(echo)
    const sent = Buffer.from('{"a":\u0001 not json \xff', 'latin1')
    const response = await fetch(`${url}/things/1`, {
      method,
      body: sent,
      headers: type ? { 'content-type': type } : {},
    })
    expect(await response.json()).toMatchObject({ method, body: sent.toString('latin1') })
  })

  test.each(everyThird(cases))('%s with the type %s and nothing in it has no body', async (method, type) => {
    const { port } = await start(echo)
    const header = type ? `Content-Type: ${type}\r\n` : ''
    const answer = await exchange(
      port,
      `${method} /things HTTP/1.1\r\nHost: a\r\n${header}Content-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    expect(JSON.parse(bodyOf(answer))).toMatchObject({ body: null })
  })

  test('DELETE without any body has none', async () => {
    const { url } = await start(echo)
    expect(await (await fetch(`${url}/things/1`, { method: 'DELETE' })).json()).toMatchObject({ body: null })
  })

  test('a chunked body is put together', async () => {
    const { port } = await start(echo)
    const answer = await exchange(
      port,
      'POST /things HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    )
    expect(JSON.parse(bodyOf(answer))).toMatchObject({ body: 'abcde' })
  })

  test('a malformed content type is refused', async () => {
    const { url } = await start(echo)
    const response = await fetch(`${url}/things`, { method: 'POST', body: 'x', headers: { 'content-type': 'json' } })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' })
  })

  test('a body at the limit passes, one byte more does not', async () => {
    const { url } = await start(echo)
    const send = (length: number) => fetch(`${url}/things`, { method: 'POST', body: 'x'.repeat(length) })
    expect((await send(1000)).status).toBe(200)
    const refused = await send(1001)
    expect(refused.status).toBe(413)
    expect(await refused.json()).toMatchObject({ code: 'too_large' })
  })

  test('a chunked body beyond the limit is refused while it is still sent', async () => {
    const { port } = await start(echo)
    const connection = open(port)
    connection.send('POST /things HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`
    connection.send(chunk)
    const answer = await connection.until('too_large')
    expect(statusOf(answer)).toBe(413)
    expect(answer).toMatch(/connection: close/i)
    connection.send(`${chunk}${chunk}0\r\n\r\n`)
    expect(bodyOf(await connection.ended())).toMatch(/^\{.*\}$/)
  })

  test('a caller who sends far too much can still read why it was refused', async () => {
    const { url } = await start(echo)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = nodeRequest(`${url}/things`, { method: 'POST', headers: { 'content-length': 20_000_000 } })
      sending.on('response', response => {
        response.resume()
        resolve(response.statusCode)
      })
      sending.on('error', reject)
      sending.end(Buffer.alloc(20_000_000))
    })
    expect(status).toBe(413)
  })
})

describe('where a request comes from and goes to', () => {
  const seen = async (headers: string, options = {}) => {
    const started = await start(echo, options)
    const answer = await exchange(started.port, `GET /things HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
    return { ...started, answer, body: JSON.parse(bodyOf(answer)) }
  }

  test.each([
    ['films.example', 'http://films.example'],
    ['Films.Example:8443', 'http://films.example:8443'],
    ['127.0.0.1:80', 'http://127.0.0.1:80'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['my_service', 'http://my_service'],
  ])('the Host %s gives the base %s', async (host, base) => {
    expect((await seen(`Host: ${host}\r\n`)).body.base).toBe(base)
  })

  test.each(['evil/path', 'a@b', 'a b', 'a:b', 'a:123456', '"><script>', '-a', 'a.', '', `${'a'.repeat(300)}`])(
    'the Host %j is not believed',
    async host => {
      const { body, url } = await seen(`Host: ${host}\r\n`)
      expect(body.base).toBe(url)
    },
  )

  test('a configured base is kept whatever the Host, without the slash at its end', async () => {
    const { body } = await seen('Host: other.example\r\n', { baseUrl: 'https://films.example/' })
    expect(body.base).toBe('https://films.example')
  })

  test('headers of proxies change neither the address of the caller nor the base', async () => {
    const { body } = await seen(
      'Host: a\r\nX-Forwarded-For: 10.0.0.1\r\nForwarded: for=10.0.0.2;host=evil\r\nX-Forwarded-Host: evil\r\nX-Forwarded-Proto: https\r\nX-Real-IP: 10.0.0.3\r\n',
    )
    expect(body).toMatchObject({ remoteAddress: '127.0.0.1', base: 'http://a' })
  })

  test('headers of method override are not heeded', async () => {
    const { body } = await seen('Host: a\r\nX-HTTP-Method-Override: DELETE\r\n')
    expect(body.method).toBe('GET')
  })

  test.each(['abc-123', 'a'.repeat(64), '0190a5b0.7_x'])('the request id %s is taken and echoed', async id => {
    const { body, answer } = await seen(`Host: a\r\nX-Request-Id: ${id}\r\n`)
    expect(body.id).toBe(id)
    expect(answer).toContain(`x-request-id: ${id}\r\n`)
  })

  test.each(['a b', 'a'.repeat(65), '<script>', 'a\tb', ''])('the request id %j is replaced', async id => {
    const { body, answer } = await seen(`Host: a\r\nX-Request-Id: ${id}\r\n`)
    expect(body.id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
    expect(answer).toContain(`x-request-id: ${body.id}\r\n`)
  })

  test('request ids that the server makes differ', async () => {
    const { url } = await start(echo)
    const ids = await Promise.all([1, 2, 3].map(async () => (await fetch(`${url}/things`)).headers.get('x-request-id')))
    expect(new Set(ids).size).toBe(3)
  })

  test.each([
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
    ['00-zzf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
    ['nonsense', false],
  ])('the traceparent %s is echoed: %s', async (trace, echoed) => {
    const { answer } = await seen(`Host: a\r\ntraceparent: ${trace}\r\n`)
    expect(answer.includes(`traceparent: ${trace}`)).toBe(echoed)
  })
})
