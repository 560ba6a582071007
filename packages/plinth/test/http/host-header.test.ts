// The Host header: one of them; in demo mode one that names this machine, and in production one that names the service.

import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, loadConfig } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { waitingFor } from '../../src/testing/waiting.ts'
import { exchange, get, mirror, start } from './test-server.ts'

const request = (headers: string, target = '/things'): string =>
  `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`

describe('a server', () => {
  test.each(['Host: a\r\nHost: b\r\n', 'Host: a\r\nHost: a\r\n', 'hOsT: a\r\nX: y\r\nHOST:\r\n'])(
    'refuses a request with %j',
    async headers => {
      const { port } = await start([get('/things', mirror)])
      expect(await exchange(port, request(headers))).toContain('HTTP/1.1 400')
    },
  )

  test.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.1.2.3:1', '[::1]:8080', 'plinth.example:444'])(
    'for loopback hosts takes %s',
    async host => {
      const options = { loopbackHostsOnly: true, baseUrl: 'https://plinth.example/x' }
      const { port } = await start([get('/things', mirror)], options)
      expect(await exchange(port, request(`Host: ${host}\r\n`))).toContain('HTTP/1.1 200')
    },
  )

  test.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost:80@evil.example',
    '10.0.0.1',
    '[::2]',
    'xlocalhost',
    '',
  ])('for loopback hosts refuses %j', async host => {
    const { port } = await start([get('/things', mirror)], { loopbackHostsOnly: true })
    expect(await exchange(port, request(`Host: ${host}\r\n`))).toContain('HTTP/1.1 421')
  })

  test('for loopback hosts refuses another host in the target', async () => {
    const { port } = await start([get('/things', mirror)], { loopbackHostsOnly: true })
    const target = 'http://evil.example/things'
    expect(await exchange(port, request('Host: localhost\r\n', target))).toContain('HTTP/1.1 421')
  })
})

describe('a server with known hosts', () => {
  const options = {
    baseUrl: 'https://plinth.example/x',
    hosts: ['inside.example', '10.0.0.7', 'fd00::7'],
    probes: ['/alive'],
  }

  test.each(['plinth.example', 'PLINTH.example:443', 'inside.example:8080', '10.0.0.7', '[fd00::7]:80', 'localhost'])(
    'takes %s',
    async host => {
      const { port } = await start([get('/things', mirror)], options)
      expect(await exchange(port, request(`Host: ${host}\r\n`))).toContain('HTTP/1.1 200')
    },
  )

  test('refuses others, except for probes', async () => {
    const { port } = await start([get('/things', mirror), { ...get('/alive', mirror), anyHost: true }], options)
    for (const host of ['evil.example', 'plinth.example.evil.example', '10.0.0.8', '']) {
      const refused = await exchange(port, request(`Host: ${host}\r\n`))
      expect(refused).toContain('HTTP/1.1 421')
    }
    expect(await exchange(port, request('Host: 10.0.0.8\r\n', '/alive'))).toContain('HTTP/1.1 200')
    const target = 'http://evil.example/things'
    expect(await exchange(port, request('Host: plinth.example\r\n', target))).toContain('HTTP/1.1 421')
  })
})

test('with NODE_ENV=production and a public URL, the service answers under its own names only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-host-'))
  const overrides = {
    ...{ 'app.dataDir': folder, 'server.port': '0', 'app.modules': '', 'app.log.level': 'silent' },
    ...{ 'app.baseUrl': 'https://plinth.example', 'server.hosts': 'inside.example' },
  }
  const app = await createApp(loadConfig({ env: { NODE_ENV: 'production' }, cwd: folder, overrides }))
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })
  const port = Number(new URL(await app.listen()).port)
  const statusFor = async (host: string, path = '/api/rest/countries') =>
    (await exchange(port, request(`Host: ${host}\r\n`, path))).slice(9, 12)
  expect(await statusFor('plinth.example')).toBe('200')
  expect(await statusFor('inside.example')).toBe('200')
  for (const path of ['/api/rest/countries', '/client/', '/'])
    expect([path, await statusFor('evil.example', path)]).toEqual([path, '421'])
  expect(await statusFor('10.1.2.3', '/api/management/health/liveness')).toBe('200')
})

const handshake =
  'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nConnection: Upgrade\r\n'

/** The status of the first answer on a connection of its own. */
const statusOf = (url: string, message: string): Promise<string> => {
  const answered = new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(message))
    socket.once('data', (data: Buffer) => {
      resolve(data.toString('latin1').slice(9, 12))
      socket.destroy()
    })
    socket.once('error', reject)
  })
  return waitingFor('an answer', answered)
}

const statusesAt = (url: string, host: string): Promise<string[]> =>
  Promise.all([
    statusOf(url, request(`Host: ${host}\r\n`, '/api/rest/countries')),
    statusOf(url, request(`Host: ${host}\r\n`, '/client/')),
    statusOf(url, request(`Host: ${host}\r\n`, '/nowhere')),
    statusOf(url, `GET /ws HTTP/1.1\r\nHost: ${host}\r\n${handshake}\r\n`),
  ])

describe('a service', () => {
  test.each([
    ['in demo mode', {}, ['421', '421', '421', '421']],
    ['in demo mode, whose address it is', { 'app.baseUrl': 'http://evil.example' }, ['200', '200', '404', '401']],
    ['otherwise', { 'app.demo': 'false' }, ['200', '200', '404', '401']],
  ])('%s, asked by another name', async (_, settings, statuses) => {
    const service = await startService('sqlite', { settings: { 'app.modules': '', ...settings } })
    onTestFinished(service.stop)
    expect(await statusesAt(service.url, 'evil.example')).toEqual(statuses)
    expect(await statusesAt(service.url, 'localhost')).toEqual(['200', '200', '404', '401'])
  })
})
