// The heap dump: off unless switched on, one at a time, a true snapshot.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testAll } from '@plinth/test-kit/extent'
import { clientFor, startService } from '@plinth/test-kit/service'
import { launch, preparedFolder } from '@plinth/test-kit/service-process'
import { expect, test, vi } from 'vitest'
import { withoutSecrets } from '../../src/modules/management/process.ts'
import { until } from '../../src/testing/waiting.ts'
import { root } from './paths.ts'

// V8 needs its time to write down all that a process holds.
vi.setConfig({ testTimeout: 300_000 })

/** A small service has a small heap. */
const switchedOn = { 'app.management.heapdump': 'true', 'app.modules': '' }
const credentials = { Authorization: `Basic ${btoa('admin:admin')}` }

/** Starts a process of its own, which holds the service and nothing else. */
const start = async (settings: Readonly<Record<string, string>> = {}) => {
  const folder = await preparedFolder()
  const { url, admin } = await launch({ folder, settings: { ...switchedOn, ...settings } })
  return { folder, url, admin, take: (query = '') => fetch(`${url}${root}/heapdump${query}`, { headers: credentials }) }
}

test('is not there unless it is switched on', async () => {
  const other = await startService('sqlite', { settings: { 'app.modules': '' } })
  expect((await other.as('admin').get(`${root}/heapdump`)).status).toBe(404)
  await other.stop()
})

test('a session that was left open is not enough', async () => {
  let now = new Date('2031-01-01T10:00:00Z')
  const other = await startService('sqlite', {
    clock: () => now,
    settings: { 'app.modules': '', 'app.management.heapdump': 'true', 'app.jwt.accessTokenMinutes': '60' },
  })
  const { headers } = await other.as('anonymous').post('/api/auth/jwt/access', { username: 'admin', password: 'admin' })
  const cookie = headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const look = async () =>
    (await other.as('anonymous')(`${root}/heapdump`, { method: 'HEAD', headers: { Cookie: cookie } })).status
  expect(await look()).toBe(200)
  now = new Date('2031-01-01T10:20:00Z')
  expect(await look()).toBe(403)
  await other.stop()
})

testAll(
  'only one is taken at a time, the secrets of the configuration are struck out, and it is written down',
  async () => {
    const signingKey = 'canary-signing-key-0123456789abcdefghijklmnopqrstuvwxyz-XYZ'
    const { admin, take } = await start({ 'app.jwt.tokenSigningKey': signingKey })
    const first = await take('?live=true')
    const second = await take()
    expect([first.status, second.status]).toEqual([200, 429])
    expect(second.headers.get('retry-after')).toBe('10')
    expect(first.headers.get('content-type')).toBe('application/octet-stream')
    expect(first.headers.get('content-disposition')).toMatch(/^attachment; filename="heapdump-.+\.heapsnapshot"$/)
    const text = await first.text()
    expect(text).not.toContain(signingKey)
    const snapshot = JSON.parse(text)
    expect(snapshot.snapshot.node_count).toBeGreaterThan(10_000)
    expect(snapshot.strings.length).toBeGreaterThan(1000)
    const { body } = await admin.get(`${root}/auditevents?type=HEAP_DUMPED`)
    expect(body.events.length).toBeGreaterThan(0)
  },
)

testAll('neither a key that was made at the first start nor credentials of callers are in it', async () => {
  const { folder, url, take } = await start()
  const anonymous = clientFor(url, {})
  const login = { username: 'client', password: 'client' }
  const cookies = (await anonymous.post('/api/auth/jwt/access', login)).headers
    .getSetCookie()
    .concat((await anonymous.post('/api/auth/basic', login)).headers.getSetCookie())
    .map(cookie => (cookie.split(';')[0] ?? '').split(/=(.*)/s)[1] ?? '')
  expect(cookies).toHaveLength(3)
  const [access = '', refresh = ''] = cookies
  expect((await anonymous.get('/api/rest/users', { Authorization: `Bearer ${access}` })).status).toBe(200)
  const key = (await readFile(join(folder, 'token-signing.key'), 'utf8')).trim()
  expect(key.length).toBeGreaterThan(40)
  const text = await (await take()).text()
  expect(JSON.parse(text).strings.length).toBeGreaterThan(1000)
  for (const secret of [key, access, refresh, btoa('admin:admin')])
    expect([secret, text.includes(secret)]).toEqual([secret, false])
})

testAll('a look at the head takes no snapshot, and a caller who leaves makes room for the next', async () => {
  const { url, take } = await start()
  const head = await fetch(`${url}${root}/heapdump`, { method: 'HEAD', headers: credentials })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
  const first = await take()
  expect(first.status).toBe(200)
  await first.body?.cancel()
  const next = await until('the first snapshot to end', async () => {
    const response = await take()
    return response.status === 429 ? null : response
  })
  expect(next.status).toBe(200)
  await next.body?.cancel()
})

test('credentials are struck out by their looks, wherever they are cut in two', async () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'s'.repeat(43)}`
  const hidden = [token, 'Basic YWRtaW46YWRtaW4=', 'app-sso=sealed-value-1', 'Bearer opaque-token-1']
  const text = `"${hidden.join('","')}","-----BEGIN PRIVATE KEY-----\\nMC4CAQAwBQYDK2VwBCIEIA==\\n-----END","kept"`
  for (let cut = 0; cut <= text.length; cut++) {
    const pieces = async function* () {
      yield text.slice(0, cut)
      yield text.slice(cut)
    }
    let seen = ''
    for await (const piece of withoutSecrets(pieces(), [])) seen += piece
    expect(seen.replace(/\*+/g, '*')).toBe('"*","*","*","*","-----BEGIN *-----END","kept"')
    expect(seen).toHaveLength(text.length)
  }
})

test('secrets are struck out also where they lie across two pieces, and nothing else is changed', async () => {
  const text = `start s3cret-value middle s3cret\\"quote end`
  const secrets = ['s3cret-value', 's3cret"quote']
  for (let cut = 0; cut <= text.length; cut++) {
    const pieces = async function* () {
      yield text.slice(0, cut)
      yield text.slice(cut)
    }
    let seen = ''
    for await (const piece of withoutSecrets(pieces(), secrets)) seen += piece
    expect(seen).toBe(`start ${'*'.repeat(12)} middle ${'*'.repeat(13)} end`)
  }
})
