// Whom a request is taken to come from, behind proxies and without.

import { describe, expect, test } from 'vitest'
import { exchange, get, mirror, start } from './test-server.ts'

const seen = async (headers: string, trustedProxies: readonly string[]) => {
  const started = await start([get('/things', mirror)], { trustedProxies })
  const ask = async () => {
    const answer = await exchange(
      started.port,
      `GET /things HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`,
    )
    return JSON.parse(answer.slice(answer.indexOf('{'))).remoteAddress as string
  }
  return { ...started, ask }
}

const loopback = '127.0.0.1'

describe('X-Forwarded-For', () => {
  test.each([
    ['no proxy is trusted', [], '192.0.2.1', loopback],
    ['another proxy is trusted', ['10.0.0.1', '::1'], '192.0.2.1', loopback],
    ['the proxy is trusted', [loopback], '192.0.2.1', '192.0.2.1'],
    ['its network is trusted', ['127.0.0.0/8'], '192.0.2.1', '192.0.2.1'],
    ['the caller made something up', [loopback], '203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['the caller claims to be the proxy', [loopback], `${loopback}, 192.0.2.1`, '192.0.2.1'],
    ['there are two proxies', [loopback, '10.0.0.0/8'], '203.0.113.9, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['a proxy asks by itself', [loopback, '10.0.0.0/8'], '10.1.2.3', '10.1.2.3'],
    ['the address is of IPv6', [loopback], '2001:db8::7', '2001:db8::7'],
    ['the address is of IPv4, mapped', [loopback], '::ffff:192.0.2.1', '192.0.2.1'],
    ['the proxy names the port', [loopback], '192.0.2.1:51234', '192.0.2.1'],
    ['the proxy names the port behind IPv6', [loopback], '[2001:db8::7]:51234', '2001:db8::7'],
    ['the proxy does not know', [loopback], 'unknown', loopback],
    ['the last entry is no address', [loopback], '192.0.2.1, <script>', loopback],
    ['it is empty', [loopback], '', loopback],
    ['it ends in a comma', [loopback], '192.0.2.1,', loopback],
  ])('when %s', async (_, trusted, forwarded, caller) => {
    expect(await (await seen(`X-Forwarded-For: ${forwarded}\r\n`, trusted)).ask()).toBe(caller)
  })

  test('of several headers the last one is nearest', async () => {
    const headers = 'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 192.0.2.1\r\n'
    expect(await (await seen(headers, [loopback])).ask()).toBe('192.0.2.1')
  })

  test('other headers of proxies are never read', async () => {
    const headers = 'Forwarded: for=192.0.2.1\r\nX-Real-IP: 192.0.2.2\r\nX-Client-IP: 192.0.2.3\r\n'
    expect(await (await seen(headers, [loopback])).ask()).toBe(loopback)
  })

  test('from an unlisted proxy is logged once, and nothing is logged without the header', async () => {
    const { ask, logged } = await seen('X-Forwarded-For: 192.0.2.1\r\n', [])
    await ask()
    await ask()
    expect(logged).toEqual([
      {
        level: 'warn',
        fields: { peer: loopback },
        message: expect.stringContaining('server.trustedProxies'),
      },
    ])
    const silent = await seen('', [])
    await silent.ask()
    expect(silent.logged).toEqual([])
  })
})
