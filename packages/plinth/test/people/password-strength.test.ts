// New passwords where settings ask for strong ones: by registration, by change, and by administrators.

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json' }
const strong = 'seven lamps by the river'
const leaked = 'an unlucky choice of words'

/** A service that knows one leaked password, and records what it is asked for. */
const startPeer = async () => {
  const asked: string[] = []
  const digest = createHash('sha1').update(leaked).digest('hex').toUpperCase()
  const state = { hangs: false }
  const server = createServer(({ url }, response) => {
    asked.push(url ?? '')
    if (state.hangs) return
    response.end(`${'0'.repeat(35)}:3\r\n${digest.slice(5)}:1234\r\n${'1'.repeat(35)}:0`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    state,
    address: `http://127.0.0.1:${port}/range/`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let peer: Awaited<ReturnType<typeof startPeer>>
  const lines: string[] = []
  beforeAll(async () => {
    peer = await startPeer()
    service = await startService(database, {
      settings: {
        'app.modules': '',
        'app.passwords.minScore': '3',
        'app.passwords.words': 'plinth,lampworks',
        'app.passwords.leaks': peer.address,
        'app.log.level': 'warn',
      },
      logTo: { write: line => void lines.push(line) },
    })
  })
  afterAll(async () => {
    await service.stop()
    peer.stop()
  })

  const register = (password: string, language = 'en') =>
    service.anonymous.post(
      '/api/auth/account',
      { email: `${Math.random()}@example.org`, password, passwordConfirmation: password },
      { ...json, 'Accept-Language': language },
    )

  test.each([
    'Summer2024!',
    'monkey123456',
    'plinthplinth',
    'Plinth2026!',
    'correcthorse',
    'Sommer2024!',
    'Lampworks77',
  ])('%s is refused', async password => {
    const answer = await register(password)
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/password'])
    expect(['guessable_password', 'common_password']).toContain(answer.body.errors[0].code)
  })

  test('a refusal helps, in the language of the person', async () => {
    expect((await register('Summer2024!')).text).toContain('several words that do not belong together')
    expect((await register('Summer2024!', 'de')).text).toContain('leicht zu erraten')
    expect((await register(leaked, 'de')).text).toContain('Datenleck')
  })

  test('a password that has leaked is refused, and the other service gets five digits of its digest', async () => {
    const answer = await register(leaked)
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'leaked_password'])
    expect(peer.asked.at(-1)).toMatch(/^\/range\/[0-9A-F]{5}$/)
    expect(await register(strong)).toHaveStatus(201)
  })

  test('without an answer in time a password is accepted, and the log says so without it', async () => {
    peer.state.hangs = true
    expect(await register(leaked)).toHaveStatus(201)
    peer.state.hangs = false
    expect(lines.join('')).toContain('could not be compared with leaked ones')
    expect(lines.join('')).not.toContain(leaked)
  })

  test('administrators set strong passwords too', async () => {
    const admin = service.as('admin')
    const made = await admin.post('/api/rest/users', { username: 'lamplighter', password: 'lamplighter2026!' }, json)
    expect(made.status).toBe(400)
    const user = await admin.post('/api/rest/users', { username: 'lamplighter', password: strong }, json)
    expect(user).toHaveStatus(201)
    const change = (password: string) => admin.patch(`/api/rest/userCredentials/${user.body.pk}`, { password }, json)
    expect((await change('correcthorse')).text).toContain('guessable_password')
    expect(await change('eleven kettles on the roof')).toHaveStatus(200)
  })
})
