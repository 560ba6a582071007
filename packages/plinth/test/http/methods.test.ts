// What a path allows.

import { describe, expect, test } from 'vitest'
import type { Method } from '../../src/core/http/exchange.ts'
import { bodyOf, exchange, mirror, start, statusOf } from './test-server.ts'

const routes = (
  [
    ['GET', '/things'],
    ['POST', '/things'],
    ['GET', '/things/schema'],
    ['GET', '/things/{pk}'],
    ['PUT', '/things/{pk}'],
    ['DELETE', '/things/{pk}'],
    ['POST', '/act'],
    ['OPTIONS', '/own'],
  ] as [Method, string][]
).map(([method, path]) => ({ method, path, handler: mirror }))

const ask = async (method: string, path: string) => {
  const { port } = await start(routes)
  return exchange(port, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

const allowOf = (answer: string) => /^allow: (.*)\r$/im.exec(answer)?.[1]

describe('a method that the path has not', () => {
  test.each([
    ['PUT', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['TRACE', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['PROPFIND', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['QUERY', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/things/7', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['PATCH', '/things/a%2Fb', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['POST', '/things/schema', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['GET', '/act', 'POST, OPTIONS'],
    ['DELETE', '/%61ct?a=b', 'POST, OPTIONS'],
    ['GET', '/own', 'OPTIONS'],
    ['BREW', '/things', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ])('%s %s is answered with 405 and what it has', async (method, path, allow) => {
    const answer = await ask(method, path)
    expect(statusOf(answer)).toBe(405)
    expect(allowOf(answer)).toBe(allow)
    expect(JSON.parse(bodyOf(answer))).toMatchObject({ code: 'method_not_allowed', status: 405 })
  })

  test('HEAD of a path without GET is answered without a body', async () => {
    const answer = await ask('HEAD', '/act')
    expect(statusOf(answer)).toBe(405)
    expect(bodyOf(answer)).toBe('')
  })

  test('TRACE never shows the request', async () => {
    const { port } = await start(routes)
    const answer = await exchange(
      port,
      'TRACE /things HTTP/1.1\r\nHost: a\r\nCookie: canary\r\nConnection: close\r\n\r\n',
    )
    expect(answer).not.toContain('canary')
  })
})

describe('an unknown path', () => {
  test.each(['GET', 'POST', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('%s is not found', async method => {
    const answer = await ask(method, '/nothing')
    expect(statusOf(answer)).toBe(404)
    expect(allowOf(answer)).toBeUndefined()
  })
})

describe('OPTIONS', () => {
  test.each([
    ['/things', 'GET, HEAD, POST, OPTIONS'],
    ['/things/7', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['*', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ])('of %s tells what is allowed', async (path, allow) => {
    const answer = await ask('OPTIONS', path)
    expect(statusOf(answer)).toBe(204)
    expect(allowOf(answer)).toBe(allow)
  })

  test('with a route of its own goes there', async () => {
    expect(statusOf(await ask('OPTIONS', '/own'))).toBe(200)
  })
})

test('the routes can be read', async () => {
  const { server } = await start(routes)
  expect(server.routes).toEqual(routes)
})
