// The second factor: asked for on every way in, good once, kept sealed, and not to be guessed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askForReset, setScene, settle, signIn } from '../registration/people.ts'
import { databases, type TestService } from '../support/service.ts'
import { startAccounts } from './accounts-service.ts'
import { createAuthenticator, type Enrolled, enrol } from './authenticator.ts'
import { type Browser, openBrowser } from './browser.ts'
import { createClock, minutes, seconds } from './clock.ts'
import { plinth } from './command.ts'

const logins = [
  ['/api/auth/jwt/access', 201, ['access_token', 'refresh_token']],
  ['/api/auth/basic', 201, ['app-sso']],
  ['/api/auth/userDetails', 200, ['access_token', 'refresh_token']],
  ['/apiauth/userDetails', 200, ['access_token', 'refresh_token']],
] as const

const give = '/api/auth/userDetails/secondFactor'
const factor = '/api/auth/secondFactor'
const pks = {
  operator: '00000000-0000-7000-8000-000000000002',
  staff: '00000000-0000-7000-8000-000000000003',
} as const

describe.each(databases)('on %s', database => {
  const clock = createClock()
  let service: TestService
  let enrolled: Enrolled
  let owner: Browser
  const visit = (from?: string) => openBrowser(service.url, from)
  const login = (code?: string) => ({ username: 'staff', password: 'staff', ...(code && { code }) })
  const credentialsOf = async (pk: string) =>
    (await service.as('admin').get(`/api/rest/userCredentials/${pk}`, { Accept: 'application/json' })).body
  const audited = async (type: string) =>
    (await service.as('admin').get(`/api/management/auditevents?type=${type}`)).body.events

  beforeAll(async () => {
    const settings = { 'app.jwt.accessTokenMinutes': '1440' }
    service = await startAccounts(database, { clock: clock.now, settings })
    owner = visit()
    await owner.signIn('staff')
    enrolled = await enrol(owner, 'staff', clock.now)
  })
  afterAll(() => service.stop())
  // A code of its own for each test, and a clean slate for what was counted.
  beforeEach(() => clock.pass(16 * minutes))

  describe.each(logins)('POST %s', (path, status, cookies) => {
    test('asks for the second factor after a right password, and signs in with it', async () => {
      const browser = visit()
      const halfway = await browser.post(path, login())
      expect([halfway.status, halfway.headers['content-type']]).toEqual([401, 'application/problem+json'])
      expect(halfway.body).toMatchObject({ code: 'second_factor_required', status: 401 })
      expect([...halfway.given.keys()]).toEqual(['mfa_pending'])
      expect(Object.fromEntries(halfway.given.get('mfa_pending')?.attributes ?? [])).toMatchObject({
        httponly: '',
        samesite: 'Lax',
        'max-age': '300',
      })
      expect((await browser.get('/api/rest/users')).status).toBe(401)
      expect((await browser.get('/api/auth/userDetails')).status).toBe(401)
      const whole = await browser.post(give, { code: enrolled.telephone.code() })
      expect([whole.status, whole.body.username]).toEqual([200, 'staff'])
      expect([...whole.given.keys()].sort()).toEqual([...cookies, 'mfa_pending'].sort())
      expect([...browser.jar.keys()].sort()).toEqual([...cookies].sort())
      expect((await browser.get('/api/rest/users')).status).toBe(200)
    })

    test('takes the code together with the password', async () => {
      const browser = visit()
      const reply = await browser.post(path, login(enrolled.telephone.code()))
      expect([reply.status, [...reply.given.keys()].sort()]).toEqual([status, [...cookies].sort()])
      expect((await browser.get('/api/rest/users')).status).toBe(200)
    })

    test('lets nobody in with a wrong code, and leaves the way open for another', async () => {
      const browser = visit()
      const wrong = await browser.post(path, login('000000'))
      expect([wrong.status, wrong.body.code, [...wrong.given.keys()]]).toEqual([
        401,
        'second_factor_required',
        ['mfa_pending'],
      ])
      const again = await browser.post(give, { code: '000000' })
      expect([again.status, again.body.code]).toEqual([401, 'second_factor_required'])
      expect((await browser.post(give, { code: enrolled.telephone.code() })).status).toBe(200)
    })

    test('tells nobody of a second factor who does not know the password', async () => {
      for (const body of [
        { username: 'staff', password: 'wrong' },
        { username: 'staff', password: 'wrong', code: enrolled.telephone.code() },
      ]) {
        const reply = await visit().post(path, body)
        expect([reply.status, reply.text, reply.given.size]).toEqual([401, '', 0])
      }
    })
  })

  test('the alias of the second step is the same', async () => {
    const browser = visit()
    await browser.post('/apiauth/userDetails', login())
    expect((await browser.post(`/apiauth/userDetails/secondFactor`, { code: enrolled.telephone.code() })).status).toBe(
      200,
    )
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
    const shown = (await owner.get('/api/auth/sessions')).body.map((one: { created: string }) => one.created)
    expect(shown).not.toContain(clock.now().toISOString())
  })

  test('the wait is over after five minutes, after a new password, and once it was of use', async () => {
    const late = visit()
    await late.post('/api/auth/userDetails', login())
    clock.pass(5 * minutes)
    expect([await late.post(give, { code: enrolled.telephone.code() })].map(one => [one.status, one.text])).toEqual([
      [401, ''],
    ])
    const twice = visit()
    await twice.post('/api/auth/userDetails', login())
    const copy = twice.copy()
    expect((await twice.post(give, { code: enrolled.telephone.code() })).status).toBe(200)
    clock.pass(30 * seconds)
    expect((await copy.post(give, { code: enrolled.telephone.code() })).status).toBe(401)
    const outdated = visit()
    await outdated.post('/api/auth/userDetails', login())
    await service.as('admin').patch(`/api/rest/userCredentials/${pks.staff}`, { password: 'a meadow in spring' })
    clock.pass(30 * seconds)
    expect((await outdated.post(give, { code: enrolled.telephone.code() })).status).toBe(401)
    const { store } = service.app.platform
    const { hash } = await import('@node-rs/argon2')
    const passwordHash = await hash('staff', { memoryCost: 47104, timeCost: 1, parallelism: 1 })
    await store.transaction(tx => tx.update(store.resource('secrets'), pks.staff, { passwordHash }))
    owner = visit()
    await owner.post('/api/auth/jwt/access', login(enrolled.telephone.code(1)))
  })

  test.each([
    ['nothing', undefined],
    ['text that was made up', 'planted'],
    ['text of the right length', 'A'.repeat(160)],
  ])('%s in place of the cookie is refused', async (_, planted) => {
    const cookies: Record<string, string> = planted === undefined ? {} : { mfa_pending: planted }
    const reply = await visit().post(give, { code: enrolled.telephone.code() }, { cookies })
    expect([reply.status, reply.text]).toEqual([401, ''])
  })

  test('a code of the step before or after is taken, one further away is not', async () => {
    const enter = (steps: number) => visit().post('/api/auth/jwt/access', login(enrolled.telephone.code(steps)))
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 201],
      [1, 201],
    ] as const)
      expect([steps, (await enter(steps)).status]).toEqual([steps, status])
  })

  test('a code works once, and so do those before it', async () => {
    const [before, code] = [enrolled.telephone.code(-1), enrolled.telephone.code()]
    expect((await visit().post('/api/auth/jwt/access', login(code))).status).toBe(201)
    expect((await visit().post('/api/auth/jwt/access', login(code))).status).toBe(401)
    expect((await visit().post('/api/auth/jwt/access', login(before))).status).toBe(401)
  })

  test('of nine who come with one code at once, one gets in', async () => {
    const code = enrolled.telephone.code()
    const replies = await Promise.all(
      Array.from({ length: 9 }, () => visit('127.0.20.1').post('/api/auth/jwt/access', login(code))),
    )
    expect(replies.filter(reply => reply.status === 201)).toHaveLength(1)
  })

  test('guesses are refused after ten, whatever addresses they come from', async () => {
    const wrong = (at: number) => visit(`127.0.21.${at + 1}`).post('/api/auth/jwt/access', login('000000'))
    const replies = await Promise.all(Array.from({ length: 40 }, (_, at) => wrong(at)))
    const count = (status: number) => replies.filter(reply => reply.status === status).length
    expect([count(401), count(429)]).toEqual([10, 30])
    const right = await visit('127.0.21.200').post('/api/auth/jwt/access', login(enrolled.telephone.code()))
    expect(right.status).toBe(429)
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
    clock.pass(15 * minutes)
    expect((await visit().post('/api/auth/jwt/access', login(enrolled.telephone.code()))).status).toBe(201)
  })

  test('a recovery code works once, however it is typed, and is counted down', async () => {
    const [first = '', second = ''] = enrolled.recoveryCodes
    const left = async () => (await owner.get(factor)).body
    const before = (await left()).recoveryCodesLeft
    expect((await visit().post('/api/auth/jwt/access', login(first))).status).toBe(201)
    expect((await visit().post('/api/auth/jwt/access', login(first))).status).toBe(401)
    const halfway = visit()
    await halfway.post('/api/auth/userDetails', login())
    expect((await halfway.post(give, { code: second.replaceAll('-', ' ').toUpperCase() })).status).toBe(200)
    expect(await left()).toEqual({ enabled: true, recoveryCodesLeft: before - 2 })
    expect((await audited('RECOVERY_CODE_USED')).at(-1)).toMatchObject({ principal: 'staff' })
  })

  test('neither the secret nor a recovery code can be read afterwards, in any place', async () => {
    const { store } = service.app.platform
    const row = await store.get(store.resource('secondFactors'), pks.staff)
    const fresh = visit()
    await fresh.signIn('client')
    const { body } = await fresh.post(factor, { password: 'client' })
    const kept = await store.get(
      store.resource('secondFactors'),
      (await fresh.get('/api/auth/userDetails')).body.pk as string,
    )
    expect(JSON.stringify(kept)).not.toContain(body.secret)
    for (const code of enrolled.recoveryCodes) expect(JSON.stringify(row)).not.toContain(code)
    expect(Object.keys((await owner.get(factor)).body)).toEqual(['enabled', 'recoveryCodesLeft'])
    for (const name of ['secondFactors', 'secrets'])
      expect((await service.as('admin').get(`/api/rest/${name}`)).status).toBe(404)
  })

  test('the credentials show that it is on, and the audit shows when and by whom', async () => {
    expect((await credentialsOf(pks.staff)).mfa).toBe(true)
    expect((await credentialsOf(pks.operator)).mfa).toBe(false)
    expect(await audited('SECOND_FACTOR_ENABLED')).toMatchObject([{ principal: 'staff' }])
    await visit().post('/api/auth/jwt/access', login('000000'))
    expect((await audited('SECOND_FACTOR_FAILURE')).at(-1)).toMatchObject({ principal: 'staff' })
  })

  test('a Basic header is not enough, and is not told apart from a wrong one', async () => {
    const basic = (password: string) => ({ headers: { Authorization: `Basic ${btoa(`staff:${password}`)}` } })
    for (const password of ['staff', 'wrong']) {
      const reply = await visit('127.0.22.1').get('/api/rest/users', basic(password))
      expect([reply.status, reply.text]).toEqual([401, ''])
    }
  })

  test('sessions that have passed it are refreshed and remembered as ever', async () => {
    const browser = visit()
    const body = { ...login(enrolled.telephone.code()), rememberMe: true }
    expect((await browser.post('/api/auth/userDetails', body)).given.has('remember-me')).toBe(true)
    expect((await browser.post('/api/auth/jwt/refresh')).status).toBe(201)
    clock.pass(25 * seconds)
    const cookies = { 'remember-me': browser.jar.get('remember-me') ?? '' }
    const revived = await visit().get('/api/auth/userDetails', { cookies })
    expect([revived.status, revived.given.has('access_token')]).toEqual([200, true])
    const halfway = visit()
    await halfway.post('/api/auth/userDetails', { ...login(), rememberMe: true })
    const whole = await halfway.post(give, { code: enrolled.telephone.code(1) })
    expect([whole.status, whole.given.has('remember-me')]).toEqual([200, true])
  })

  test('a page of a foreign site cannot give it', async () => {
    const browser = visit()
    await browser.post('/api/auth/userDetails', login())
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await browser.post(give, { code: enrolled.telephone.code() }, { headers })).status).toBe(403)
  })

  test('new recovery codes take the place of the former, for a password and a code', async () => {
    const path = `${factor}/recoveryCodes`
    const ask = (password: string, code: string) => owner.post(path, { password, code })
    expect((await ask('wrong', enrolled.telephone.code())).status).toBe(401)
    const bad = await ask('staff', '000000')
    expect([bad.status, bad.body.errors[0].member]).toEqual([422, 'code'])
    const renewed = await ask('staff', enrolled.telephone.code())
    expect(new Set(renewed.body.recoveryCodes).size).toBe(10)
    const [, , former = ''] = enrolled.recoveryCodes
    expect((await visit().post('/api/auth/jwt/access', login(former))).status).toBe(401)
    expect((await visit().post('/api/auth/jwt/access', login(renewed.body.recoveryCodes[0]))).status).toBe(201)
  })

  describe('setting it up', () => {
    test('takes the password, ends at a wrong code, and ends all other sessions once it is on', async () => {
      const [here, elsewhere] = [visit(), visit()]
      await here.signIn('operator')
      await elsewhere.signIn('operator')
      expect((await here.post(factor, { password: 'wrong' })).status).toBe(401)
      expect((await here.ask('PUT', factor, { body: { code: '123456' } })).status).toBe(409)
      const { body } = await here.post(factor, { password: 'operator' })
      expect(body.uri).toBe(`otpauth://totp/plinth:operator?secret=${body.secret}&issuer=plinth`)
      expect((await visit().signIn('operator')).status).toBe(201)
      const telephone = createAuthenticator(body.secret, clock.now)
      expect((await here.ask('PUT', factor, { body: { code: '000000' } })).status).toBe(422)
      expect((await elsewhere.get('/api/rest/users')).status).toBe(200)
      const on = await here.ask('PUT', factor, { body: { code: telephone.code() } })
      expect([on.status, on.body.recoveryCodes.length]).toEqual([200, 10])
      expect((await here.get(factor)).body).toEqual({ enabled: true, recoveryCodesLeft: 10 })
      expect((await elsewhere.get('/api/rest/users')).status).toBe(401)
      expect((await here.post(factor, { password: 'operator' })).status).toBe(409)
      // The code that turned it on is used up.
      const code = telephone.code()
      expect((await visit().post('/api/auth/jwt/access', { ...operator, code })).status).toBe(401)
    })
    const operator = { username: 'operator', password: 'operator' }

    test('is over after a quarter of an hour', async () => {
      const browser = visit()
      await browser.signIn('simple')
      const { body } = await browser.post(factor, { password: 'simple' })
      clock.pass(16 * minutes)
      const code = createAuthenticator(body.secret, clock.now).code()
      expect((await browser.ask('PUT', factor, { body: { code } })).status).toBe(409)
    })

    test('is for those who are signed in', async () => {
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', { password: 'staff' }],
        ['PUT', { code: '123456' }],
        ['DELETE', { password: 'staff', code: '123456' }],
      ] as const)
        expect((await visit().ask(method, factor, { ...(body && { body }) })).status).toBe(401)
    })

    test('an administrator takes it away from others, and not from themselves', async () => {
      const path = (pk: string) => `/api/rest/userCredentials/${pk}/secondFactor`
      expect((await service.as('simple').delete(path(pks.operator))).status).toBe(403)
      expect((await service.as('nobody').delete(path(pks.operator))).status).toBe(401)
      const admin = (await service.as('admin').get('/api/auth/userDetails')).body.pk
      expect((await service.as('admin').delete(path(admin))).status).toBe(403)
      expect((await service.as('admin').delete(path(pks.operator))).status).toBe(204)
      expect((await service.as('admin').delete(path(pks.operator))).status).toBe(404)
      expect((await credentialsOf(pks.operator)).mfa).toBe(false)
      expect((await visit().signIn('operator')).status).toBe(201)
      expect(await audited('SECOND_FACTOR_REMOVED')).toMatchObject([
        { principal: 'admin', data: { user: pks.operator } },
      ])
    })
  })

  test('it is turned off by the password and a code together', async () => {
    const off = (body: object) => owner.ask('DELETE', factor, { body })
    expect((await off({ password: 'staff' })).status).toBe(400)
    expect((await off({ password: 'wrong', code: enrolled.telephone.code() })).status).toBe(401)
    expect((await off({ password: 'staff', code: '000000' })).status).toBe(422)
    expect((await off({ password: 'staff', code: enrolled.telephone.code() })).status).toBe(204)
    expect((await off({ password: 'staff', code: enrolled.telephone.code(1) })).status).toBe(409)
    expect((await owner.get(factor)).body).toEqual({ enabled: false, recoveryCodesLeft: 0 })
    expect((await visit().signIn('staff')).status).toBe(201)
    expect(await audited('SECOND_FACTOR_DISABLED')).toMatchObject([{ principal: 'staff' }])
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
  const reset = await scene.nobody.put('/api/auth/account', body)
  expect([reset.status, reset.headers.getSetCookie()]).toEqual([200, []])
  expect((await signIn(scene, { ...person, password })).body.code).toBe('second_factor_required')
  scene.now = new Date(scene.now.getTime() + 30 * seconds)
  const login = { username: person.username, password, code: telephone.code() }
  expect((await scene.nobody.post('/api/auth/jwt/access', login)).status).toBe(201)
  await scene.stop()
})

test('a second factor outlives the process, is read with its own key only, and goes by the command line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-second-factor-'))
  const clock = createClock()
  const startWith = (sealingKey: string) =>
    startAccounts('sqlite', {
      clock: clock.now,
      settings: { 'app.dataDir': folder, 'app.auth.sealingKey': sealingKey },
    })
  const key = 'Kq0vJ8yTn3xWc5Rb7ZpLd2Hs9FgMa4Ue'
  let service = await startWith(key)
  const browser = openBrowser(service.url)
  await browser.signIn('staff')
  const { telephone } = await enrol(browser, 'staff', clock.now)
  await service.stop()
  const enter = () => {
    clock.pass(30 * seconds)
    const login = { username: 'staff', password: 'staff', code: telephone.code() }
    return openBrowser(service.url).post('/api/auth/jwt/access', login)
  }
  service = await startWith(key)
  expect((await enter()).status).toBe(201)
  await service.stop()
  // Closed rather than open: a code that cannot be checked lets nobody in.
  service = await startWith('')
  expect((await enter()).status).toBe(500)
  await service.stop()
  const settings = [`--app.dataDir=${folder}`, '--app.modules=']
  const gone = await plinth(['admin', 'reset-second-factor', 'staff', ...settings], '')
  expect([gone.code, gone.out]).toEqual([0, 'staff signs in with the password alone, and is signed out everywhere.\n'])
  const none = await plinth(['admin', 'reset-second-factor', 'staff', ...settings], '')
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('has no second factor')])
  service = await startWith(key)
  expect((await openBrowser(service.url).signIn('staff')).status).toBe(201)
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}, 120_000)
