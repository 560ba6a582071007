import { describe, expect, test } from 'vitest'
import { corsHeaders, originsOfHost, readOrigin } from './cors.ts'

const everyone = () => true
const noOrigin = () => false
const only = (origin: string) => (candidate: string) => candidate === origin

describe('readOrigin', () => {
  test.each([
    ['https://films.example', 'https://films.example'],
    ['HTTPS://Films.Example', 'https://films.example'],
    ['https://films.example:443', 'https://films.example'],
    ['http://films.example:80', 'http://films.example'],
    ['http://films.example:443', 'http://films.example:443'],
    ['https://films.example:8443', 'https://films.example:8443'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ])('reads %s as %s', (text, origin) => {
    expect(readOrigin(text)).toBe(origin)
  })

  test.each([
    '',
    'null',
    '*',
    'films.example',
    '//films.example',
    'https://',
    'https://films.example/',
    'https://films.example/path',
    'https://films.example?a',
    'https://films.example#a',
    'https://films.example.',
    'https://.films.example',
    'https://films..example',
    'https://user@films.example',
    'https://user:word@films.example',
    'https://films.example@evil.example',
    'https://films.example\\@evil.example',
    'https://films.example:',
    'https://films.example:0',
    'https://films.example:99999',
    'https://films.example:80a',
    'https://films.example, https://evil.example',
    'https://films.example https://evil.example',
    ' https://films.example',
    'https://films.example\n',
    'https://films.example%2eevil',
    'https://fılms.example',
    'ftp://films.example',
    'file://',
    'data:text/html,x',
    'javascript:alert(1)',
    'https://*.example',
    'https://[::1',
    'https://[zz]',
    `https://${'a'.repeat(400)}.example`,
  ])('refuses %j', text => {
    expect(readOrigin(text)).toBeNull()
  })
})

describe('originsOfHost', () => {
  test.each([
    ['films.example', ['https://films.example']],
    ['Films.Example', ['https://films.example']],
    ['films.example:8443', ['https://films.example:8443']],
    ['films.example:443', ['https://films.example']],
    ['localhost', ['https://localhost', 'http://localhost']],
    ['localhost:5173', ['https://localhost:5173', 'http://localhost:5173']],
    ['app.localhost:5173', ['https://app.localhost:5173', 'http://app.localhost:5173']],
    ['127.0.0.1:3000', ['https://127.0.0.1:3000', 'http://127.0.0.1:3000']],
    ['[::1]:3000', ['https://[::1]:3000', 'http://[::1]:3000']],
    ['localhost.evil.example', ['https://localhost.evil.example']],
    ['notlocalhost', ['https://notlocalhost']],
    ['127.0.0.1.evil.example', ['https://127.0.0.1.evil.example']],
    ['', []],
    ['*', []],
    ['*.films.example', []],
    ['films.example/path', []],
    ['user@films.example', []],
    ['https://films.example', []],
    ['films.example.', []],
  ])('of %j are %j', (name, origins) => {
    expect(originsOfHost(name)).toEqual(origins)
  })
})

describe('corsHeaders', () => {
  const allow = ['GET', 'HEAD', 'POST', 'OPTIONS']

  test.each([
    ['no origin', undefined, everyone],
    ['the origin null', 'null', everyone],
    ['an empty origin', '', everyone],
    ['a star', '*', everyone],
    ['what is no origin', 'https://films.example@evil.example', everyone],
    ['an origin that is not allowed', 'https://evil.example', noOrigin],
    ['a longer name', 'https://films.example.evil.example', only('https://films.example')],
    ['a longer beginning', 'https://evilfilms.example', only('https://films.example')],
    ['another scheme', 'http://films.example', only('https://films.example')],
    ['another port', 'https://films.example:444', only('https://films.example')],
  ])('grants nothing to %s, and says that it depends', (_, origin, allowed) => {
    expect(corsHeaders({ origin, allowed, allow })).toEqual({ vary: 'Origin' })
    expect(Object.keys(corsHeaders({ origin, allowed, allow, preflight: { method: 'GET' } }))).toEqual(['vary'])
  })

  test('lets an allowed origin read with credentials', () => {
    const headers = corsHeaders({ origin: 'https://Films.example', allowed: only('https://films.example'), allow })
    expect(headers).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': 'https://films.example',
      'access-control-allow-credentials': 'true',
    })
    expect(headers).not.toHaveProperty('access-control-allow-methods')
    const exposed = headers['access-control-expose-headers']?.split(', ')
    for (const name of ['ETag', 'Location', 'X-Total-Count', 'Link', 'RateLimit-Remaining', 'Retry-After'])
      expect(exposed).toContain(name)
    expect(JSON.stringify(headers)).not.toContain('*')
  })

  const preflight = (headers: string | undefined) =>
    corsHeaders({ origin: 'https://a.example', allowed: everyone, allow, preflight: { method: 'PUT', headers } })

  test('answers a preflight with the methods of the path', () => {
    expect(preflight(undefined)).toMatchObject({
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-max-age': '600',
    })
  })

  test.each([
    ['content-type,if-match', 'content-type, if-match'],
    ['Content-Type , X-Request-Id,traceparent', 'content-type, x-request-id, traceparent'],
    [
      'authorization, idempotency-key, prefer, x-node, if-none-match',
      'authorization, idempotency-key, prefer, x-node, if-none-match',
    ],
    ['content-type, x-evil', 'content-type'],
    ['x-evil', undefined],
    ['*', undefined],
    ['content-type\r\nset-cookie: a', undefined],
    ['', undefined],
    [undefined, undefined],
    [`content-type,${'x'.repeat(100_000)}`, 'content-type'],
  ])('grants of the headers %j: %j', (requested, granted) => {
    expect(preflight(requested)['access-control-allow-headers']).toBe(granted)
  })
})
