// Every class of answer carries the headers that keep browsers safe.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, get, json, start } from './test-server.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-headers-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const serve = (baseUrl?: string) =>
  start([get('/a', () => json(1)), get('/broken', () => Promise.reject(new Error('x')))], {
    staticFiles: [{ prefix: '/client', folder, fallback: 'index.html' }],
    ...(baseUrl && { baseUrl }),
  })

const headersOf = (answer: string): Map<string, string> =>
  new Map(
    (answer.split('\r\n\r\n', 1)[0] ?? '')
      .split('\r\n')
      .slice(1)
      .map(line => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
      }),
  )

const answers: [string, string][] = [
  ['an answer', 'GET /a'],
  ['HEAD', 'HEAD /a'],
  ['not found', 'GET /b'],
  ['a fault', 'GET /broken'],
  ['a method that is not allowed', 'PUT /a'],
  ['OPTIONS', 'OPTIONS /a'],
  ['a malformed path', 'GET /%zz'],
  ['an unknown method', 'BREW /a'],
  ['no HTTP', 'what is this'],
]
const pages: [string, string][] = [
  ['the page', 'GET /client/'],
  ['a deep link', 'GET /client/films'],
]

const ask = async (request: string, baseUrl?: string) => {
  const { port } = await serve(baseUrl)
  return headersOf(await exchange(port, `${request} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))
}

describe.each([...answers, ...pages])('%s', (_, request) => {
  test('has them all, and tells nothing of the server', async () => {
    const headers = await ask(request)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'; base-uri 'none'/,
    )
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.has('server')).toBe(false)
    expect(headers.has('x-powered-by')).toBe(false)
  })

  test('asks for encryption for two years where the service is reached by https', async () => {
    const headers = await ask(request, 'https://films.example')
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
  })
})

test.each(answers)('%s allows a browser nothing', async (_, request) => {
  const headers = await ask(request)
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test.each(pages)('%s allows only its own origin, and no inline script', async (_, request) => {
  const headers = await ask(request)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).toContain("object-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('x-request-id')).toMatch(/./)
})
