// The second factor on every way in: asked for after the password, and nothing opens without it.

import { enrol } from '@plinth/test-kit/authenticator'
import { minutes, seconds } from '@plinth/test-kit/clock'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { askForReset, setScene, settle, signIn } from '@plinth/test-kit/registering'
import { describe, expect, test } from 'vitest'
import { give, openSecondFactor, pks } from './second-factor-service.ts'

const logins = [
  ['/api/auth/jwt/access', 201, ['access_token', 'refresh_token']],
  ['/api/auth/basic', 201, ['app-sso']],
  ['/api/auth/userDetails', 200, ['access_token', 'refresh_token']],
  ['/apiauth/userDetails', 200, ['access_token', 'refresh_token']],
] as const

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { clock, service, owner, enrolled, visit, login } = openSecondFactor(database)

  describe.each(logins)('POST %s', (path, status, cookies) => {
    test('asks for the second factor after a right password, and signs in with it', async () => {
      const browser = visit()
      const halfway = await browser.post(path, login())
      expect([halfway.status, halfway.headers['content-type']]).toEqual([401, 'application/problem+json'])
      expect(halfway.body).toMatchObject({ code: 'second_factor_required', status: 401 })
      expect([...halfway.cookies.keys()]).toEqual(['mfa_pending'])
      expect(Object.fromEntries(halfway.cookies.get('mfa_pending')?.attributes ?? [])).toMatchObject({
        httponly: '',
        samesite: 'Lax',
        'max-age': '300',
      })
      expect((await browser.get('/api/rest/users')).status).toBe(401)
      expect((await browser.get('/api/auth/userDetails')).status).toBe(401)
      const whole = await browser.post(give, { code: enrolled().telephone.code() })
      expect([whole.status, whole.body.username]).toEqual([200, 'staff'])
      expect([...whole.cookies.keys()].sort()).toEqual([...cookies, 'mfa_pending'].sort())
      expect([...browser.jar.keys()].sort()).toEqual([...cookies].sort())
      expect((await browser.get('/api/rest/users')).status).toBe(200)
    })

    test('takes the code together with the password', async () => {
      const browser = visit()
      const reply = await browser.post(path, login(enrolled().telephone.code()))
      expect([reply.status, [...reply.cookies.keys()].sort()]).toEqual([status, [...cookies].sort()])
      expect((await browser.get('/api/rest/users')).status).toBe(200)
    })

    test('refuses a wrong code, and accepts another one afterwards', async () => {
      const browser = visit()
      const wrong = await browser.post(path, login('000000'))
      expect([wrong.status, wrong.body.code, [...wrong.cookies.keys()]]).toEqual([
        401,
        'second_factor_required',
        ['mfa_pending'],
      ])
      const again = await browser.post(give, { code: '000000' })
      expect([again.status, again.body.code]).toEqual([401, 'second_factor_required'])
      expect((await browser.post(give, { code: enrolled().telephone.code() })).status).toBe(200)
    })

    test('does not reveal a second factor without the password', async () => {
      for (const body of [
        { username: 'staff', password: 'wrong' },
        { username: 'staff', password: 'wrong', code: enrolled().telephone.code() },
      ]) {
        const reply = await visit().post(path, body)
        expect([reply.status, reply.text, reply.cookies.size]).toEqual([401, '', 0])
      }
    })
  })

  test('the alias of the second step is the same', async () => {
    const browser = visit()
    await browser.post('/apiauth/userDetails', login())
    expect(
      (await browser.post(`/apiauth/userDetails/secondFactor`, { code: enrolled().telephone.code() })).status,
    ).toBe(200)
    expect((await browser.get('/apiauth/secondFactor')).body).toMatchObject({ enabled: true })
  })

  test('what waits for the second factor is good for giving it and for nothing else', async () => {
    const browser = visit()
    await browser.post('/api/auth/userDetails', { ...login(), rememberMe: true })
    const pending = browser.jar.get('mfa_pending') ?? ''
    const disguises = ['access_token', 'refresh_token', 'app-sso', 'remember-me']
    for (const name of disguises) {
      for (const [method, path] of [
        ['GET', '/api/rest/users'],
        ['GET', '/api/auth/userDetails'],
        ['POST', '/api/auth/jwt/refresh'],
        ['GET', '/api/auth/sessions'],
      ] as const)
        expect((await visit().ask(method, path, { cookies: { [name]: pending } })).status).toBe(401)
    }
    const headers = { Authorization: `Bearer ${pending}` }
    expect((await visit().get('/api/rest/users', { headers })).status).toBe(401)
    const created = (await owner().get('/api/auth/sessions')).body.map((one: { created: string }) => one.created)
    expect(created).not.toContain(clock.now().toISOString())
  })

  test('the wait is over after five minutes, after a new password, and once it was of use', async () => {
    const late = visit()
    await late.post('/api/auth/userDetails', login())
    clock.pass(5 * minutes)
    expect([await late.post(give, { code: enrolled().telephone.code() })].map(one => [one.status, one.text])).toEqual([
      [401, ''],
    ])
    const twice = visit()
    await twice.post('/api/auth/userDetails', login())
    const copy = twice.copy()
    expect((await twice.post(give, { code: enrolled().telephone.code() })).status).toBe(200)
    clock.pass(30 * seconds)
    expect((await copy.post(give, { code: enrolled().telephone.code() })).status).toBe(401)
    const outdated = visit()
    await outdated.post('/api/auth/userDetails', login())
    await service().as('admin').patch(`/api/rest/userCredentials/${pks.staff}`, { password: 'a meadow in spring' })
    clock.pass(30 * seconds)
    expect((await outdated.post(give, { code: enrolled().telephone.code() })).status).toBe(401)
    const { store } = service().app.platform
    const { hash } = await import('@node-rs/argon2')
    const passwordHash = await hash('staff', { memoryCost: 47104, timeCost: 1, parallelism: 1 })
    await store.transaction(tx => tx.update(store.resource('secrets'), pks.staff, { passwordHash }))
    await owner().post('/api/auth/jwt/access', login(enrolled().telephone.code(1)))
  })

  test.each([
    ['nothing', undefined],
    ['text that was made up', 'planted'],
    ['text of the right length', 'A'.repeat(160)],
  ])('%s in place of the cookie is refused', async (_, planted) => {
    const cookies: Record<string, string> = planted === undefined ? {} : { mfa_pending: planted }
    const reply = await visit().post(give, { code: enrolled().telephone.code() }, { cookies })
    expect([reply.status, reply.text]).toEqual([401, ''])
  })

  test('a Basic header is not enough, and gets the same response as a wrong one', async () => {
    const basic = (password: string) => ({ headers: { Authorization: `Basic ${btoa(`staff:${password}`)}` } })
    for (const password of ['staff', 'wrong']) {
      const reply = await visit('127.0.22.1').get('/api/rest/users', basic(password))
      expect([reply.status, reply.text]).toEqual([401, ''])
    }
  })

  test('sessions that have passed it are refreshed and remembered as ever', async () => {
    const browser = visit()
    const body = { ...login(enrolled().telephone.code()), rememberMe: true }
    expect((await browser.post('/api/auth/userDetails', body)).cookies.has('remember-me')).toBe(true)
    expect((await browser.post('/api/auth/jwt/refresh')).status).toBe(201)
    clock.pass(25 * seconds)
    const cookies = { 'remember-me': browser.jar.get('remember-me') ?? '' }
    const revived = await visit().get('/api/auth/userDetails', { cookies })
    expect([revived.status, revived.cookies.has('access_token')]).toEqual([200, true])
    const halfway = visit()
    await halfway.post('/api/auth/userDetails', { ...login(), rememberMe: true })
    const whole = await halfway.post(give, { code: enrolled().telephone.code(1) })
    expect([whole.status, whole.cookies.has('remember-me')]).toEqual([200, true])
  })

  test('a page of a foreign site cannot give it', async () => {
    const browser = visit()
    await browser.post('/api/auth/userDetails', login())
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await browser.post(give, { code: enrolled().telephone.code() }, { headers })).status).toBe(403)
  })
})

test('a new password by mail leaves the second factor on', async () => {
  const scene = await setScene('sqlite')
  const person = await settle(scene)
  const browser = openBrowser(scene.service.url)
  await browser.signIn(person.username, person.password)
  const { telephone } = await enrol(browser, person.password, () => scene.now)
  const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
  const password = 'quite another passphrase'
  const body = { email: person.email, resetPasswordToken, password, passwordConfirmation: password }
  const reset = await scene.anonymous.put('/api/auth/account', body)
  expect([reset.status, reset.headers.getSetCookie()]).toEqual([200, []])
  expect((await signIn(scene, { ...person, password })).body.code).toBe('second_factor_required')
  scene.now = new Date(scene.now.getTime() + 30 * seconds)
  const login = { username: person.username, password, code: telephone.code() }
  expect((await scene.anonymous.post('/api/auth/jwt/access', login)).status).toBe(201)
  await scene.stop()
})
