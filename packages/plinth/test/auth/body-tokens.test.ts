// Tokens in the body, for mobile apps and pages of other sites: never together with cookies, never in exchange for cookies.

import { minutes } from '@plinth/test-kit/clock'
import { featureDatabases } from '@plinth/test-kit/databases'
import { beforeEach, describe, expect, test } from 'vitest'
import { give, openSecondFactor } from './second-factor-service.ts'

const refreshPath = '/api/auth/jwt/refresh'
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

describe.each(featureDatabases(import.meta.url))('tokens in the body on %s', database => {
  const { clock, service, enrolled, visit, login } = openSecondFactor(database)
  const simple = { username: 'simple', password: 'simple', tokens: 'body' }

  beforeEach(() => clock.pass(minutes))

  test.each(['/api/auth/jwt/access', '/api/auth/userDetails', '/apiauth/userDetails'])(
    'a sign-in at %s returns them and sets no cookie',
    async path => {
      const app = visit()
      const reply = await app.post(path, { ...simple, rememberMe: true })
      expect(reply.body).toMatchObject({ username: 'simple', expiresIn: 1440 * 60 })
      expect(reply.cookies.size).toBe(0)
      expect(reply.headers['set-cookie']).toBeUndefined()
      expect(reply.headers['cache-control']).toContain('no-store')
      const { status, body } = await visit().get('/api/auth/userDetails', bearer(reply.body.accessToken))
      expect([status, body.username]).toEqual([200, 'simple'])
    },
  )

  test('a sign-in with cookies has no tokens in its body', async () => {
    const reply = await visit().signIn('simple')
    expect(reply.cookies.has('access_token')).toBe(true)
    expect(Object.keys(reply.body)).not.toContain('accessToken')
    expect(Object.keys(reply.body)).not.toContain('refreshToken')
  })

  test('another value of `tokens` is refused', async () => {
    const reply = await visit().post('/api/auth/jwt/access', { ...simple, tokens: 'both' })
    expect([reply.status, reply.body.errors[0].member]).toEqual([400, 'tokens'])
  })

  test('a refresh token is exchanged once; used again later, the session ends', async () => {
    const { body: first } = await visit().post('/api/auth/jwt/access', simple)
    const exchange = (token: string) => visit().post(refreshPath, { tokens: 'body' }, bearer(token))
    const second = await exchange(first.refreshToken)
    expect(second.status).toBe(201)
    expect(second.cookies.size).toBe(0)
    expect(second.body.refreshToken).not.toBe(first.refreshToken)
    // The response was lost: within the grace the same tokens come again.
    expect((await exchange(first.refreshToken)).body.refreshToken).toBe(second.body.refreshToken)
    clock.pass(minutes)
    expect((await exchange(first.refreshToken)).status).toBe(401)
    expect((await exchange(second.body.refreshToken)).status).toBe(401)
    expect((await visit().get('/api/auth/userDetails', bearer(second.body.accessToken))).status).toBe(401)
  })

  test('cookies are never exchanged for tokens that scripts can read', async () => {
    const page = visit()
    await page.signIn('simple')
    const jar = new Map(page.jar)
    const stolen = await page.post(refreshPath, { tokens: 'body' })
    expect([stolen.status, stolen.text]).toEqual([401, ''])
    const asAccess = await page.post(refreshPath, { tokens: 'body' }, bearer(jar.get('access_token') ?? ''))
    expect(asAccess.status).toBe(401)
    const read = await page.get('/api/auth/userDetails?tokens=body')
    expect(read.text).not.toContain('Token')
    // The session of the page is as it was.
    expect((await page.post(refreshPath)).status).toBe(201)
  })

  test('an application signs in beside the session of a browser, which stays', async () => {
    const page = visit()
    await page.signIn('simple')
    const jar = new Map(page.jar)
    const reply = await page.post('/api/auth/jwt/access', { ...simple, username: 'client', password: 'client' })
    expect([reply.status, reply.cookies.size]).toEqual([201, 0])
    expect(page.jar).toEqual(jar)
    expect((await page.get('/api/auth/userDetails')).body.username).toBe('simple')
  })

  test('a page of a foreign site cannot sign in, with or without cookies', async () => {
    const foreign = { headers: { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' } }
    expect((await visit().post('/api/auth/jwt/access', simple, foreign)).status).toBe(403)
    expect((await visit().post(refreshPath, { tokens: 'body' }, foreign)).status).toBe(401)
    const page = visit()
    await page.signIn('simple')
    expect((await page.post(refreshPath, { tokens: 'body' }, foreign)).status).toBe(403)
  })

  test('the second factor is asked for by a token, which is of no other use', async () => {
    const app = visit()
    const response = await app.post('/api/auth/jwt/access', { ...login(), tokens: 'body' })
    expect([response.status, response.body.code, response.cookies.size]).toEqual([401, 'second_factor_required', 0])
    const { pending } = response.body
    expect((await app.get('/api/auth/userDetails', bearer(pending))).status).toBe(401)
    expect((await app.post(refreshPath, { tokens: 'body' }, bearer(pending))).status).toBe(401)
    expect(
      (await app.post(give, { code: enrolled().telephone.code() }, { cookies: { mfa_pending: pending } })).status,
    ).toBe(401)
    const wrong = await app.post(give, { code: '000000', pending })
    expect([wrong.status, wrong.body.pending]).toEqual([401, pending])
    const done = await app.post(give, { code: enrolled().telephone.code(), pending })
    expect([done.status, done.body.username, done.cookies.size]).toEqual([200, 'staff', 0])
    expect((await app.get('/api/auth/userDetails', bearer(done.body.accessToken))).body.username).toBe('staff')
    expect((await app.post(give, { code: enrolled().telephone.code(1), pending })).status).toBe(401)
  })

  test('a sign-in that a cookie names does not return tokens in the body', async () => {
    const page = visit()
    const response = await page.post('/api/auth/jwt/access', login())
    expect(response.body.pending).toBeUndefined()
    const cookie = page.jar.get('mfa_pending') ?? ''
    const moved = await visit().post(give, { code: enrolled().telephone.code(), pending: cookie, tokens: 'body' })
    expect(moved.status).toBe(401)
    const done = await page.post(give, { code: enrolled().telephone.code(), tokens: 'body' })
    expect([done.status, done.body.accessToken, done.cookies.has('access_token')]).toEqual([200, undefined, true])
  })

  test('signing out and changing the name work with the token alone', async () => {
    const { body } = await visit().post('/api/auth/jwt/access', { ...simple, username: 'client', password: 'client' })
    const renamed = await visit().ask('PUT', '/api/auth/account/username', {
      ...bearer(body.accessToken),
      body: { username: 'client', password: 'client' },
    })
    expect([renamed.status, renamed.cookies.size]).toEqual([200, 0])
    clock.pass(minutes)
    const refreshed = await visit().post(refreshPath, { tokens: 'body' }, bearer(body.refreshToken))
    expect(refreshed.status).toBe(201)
    const { accessToken, refreshToken } = refreshed.body
    expect((await visit().ask('DELETE', '/api/auth/userDetails', bearer(accessToken))).status).toBe(204)
    expect((await visit().get('/api/auth/userDetails', bearer(accessToken))).status).toBe(401)
    expect((await visit().post(refreshPath, { tokens: 'body' }, bearer(refreshToken))).status).toBe(401)
  })

  test('no token is in the audit or in the trace of requests', async () => {
    const { body } = await visit().post('/api/auth/jwt/access', simple)
    const admin = service().as('admin')
    const records =
      (await admin.get('/api/management/trace')).text + (await admin.get('/api/management/auditevents')).text
    expect(records).not.toContain(body.refreshToken)
    expect(records).not.toContain(body.accessToken)
  })
})
