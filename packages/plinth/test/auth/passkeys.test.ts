// Passkeys: registered, named and removed; they open the account without a username, stand in for a code, and confirm who is there.
// What is forged, repeated, copied or made for another place opens nothing.

import { enrol } from '@plinth/test-kit/authenticator'
import { createClock, minutes } from '@plinth/test-kit/clock'
import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { createPasskeyDevice, type Deviation, type PasskeyDevice } from '@plinth/test-kit/passkey-device'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'
import { pks } from './api-key-service.ts'

const path = '/api/auth/passkeys'
const verification = '/api/auth/userDetails/verification'
const secondFactor = '/api/auth/userDetails/secondFactor/passkey'
const place = { domain: 'library.example', origin: 'https://app.library.example' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const clock = createClock()
  let service: TestService
  beforeAll(async () => {
    const settings = { 'app.auth.passkeys.domain': place.domain, 'app.auth.passkeys.origins': place.origin }
    service = await startAccounts(database, { clock: clock.now, settings })
  })
  afterAll(() => service.stop())
  beforeEach(() => clock.pass(20 * minutes))

  const visit = () => openBrowser(service.url)
  const signedIn = async (username: string) => {
    const browser = visit()
    expect((await browser.signIn(username)).status).toBe(201)
    return browser
  }
  const register = async (browser: Browser, device: PasskeyDevice, name = 'Telephone', deviation?: Deviation) => {
    const { status, body } = await browser.post(`${path}/options`)
    expect(status).toBe(200)
    return browser.post(path, { flow: body.flow, name, credential: device.register(body.options, deviation) })
  }
  const owner = async (username: string, options?: { readonly counts: boolean }) => {
    const browser = await signedIn(username)
    const device = createPasskeyDevice(place, options)
    const added = await register(browser, device)
    expect(added.status).toBe(201)
    return { browser, device, id: added.body.id as string }
  }
  const begin = async (browser: Browser, at = `${path}/signIn/options`) => (await browser.post(at)).body
  const enter = async (device: PasskeyDevice, deviation?: Deviation) => {
    const browser = visit()
    const { flow, options } = await begin(browser)
    const answer = await browser.post(`${path}/signIn`, { flow, credential: device.sign(options, deviation) })
    return { browser, ...answer }
  }
  const audited = async (type: string) =>
    (await service.as('admin').get(`/api/management/auditevents?type=${type}`)).body.events as { principal: string }[]

  test('one is registered, opens the account without a username, is named, and removed', async () => {
    const { browser, device, id } = await owner('client')
    const entered = await enter(device)
    expect(entered).toMatchObject({ status: 200, body: { username: 'client' } })
    expect((await entered.browser.get('/api/auth/userDetails')).body.username).toBe('client')
    expect((await browser.ask('PUT', `${path}/${id}`, { body: { name: 'Key ring' } })).status).toBe(200)
    const created = clock.now().toISOString()
    expect((await browser.get(path)).body).toEqual([
      { id, name: 'Key ring', synced: false, created, lastUsed: created },
    ])
    expect((await browser.ask('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await enter(device)).status).toBe(401)
    expect((await audited('PASSKEY_ADDED')).at(-1)?.principal).toBe('client')
  })

  test('several belong to one user, and one device is not registered twice', async () => {
    const { browser } = await owner('operator')
    const second = createPasskeyDevice(place)
    expect((await register(browser, second, 'Second')).status).toBe(201)
    expect((await browser.get(path)).body).toHaveLength(2)
    const { options } = (await browser.post(`${path}/options`)).body
    expect(options.excludeCredentials).toHaveLength(2)
    expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
  })

  test('those of others are neither seen nor changed', async () => {
    const { id } = await owner('client')
    const stranger = await signedIn('staff')
    expect((await stranger.get(path)).body).toEqual([])
    expect((await stranger.ask('PUT', `${path}/${id}`, { body: { name: 'Mine' } })).status).toBe(404)
    expect((await stranger.ask('DELETE', `${path}/${id}`)).status).toBe(404)
    expect((await visit().get(path)).status).toBe(401)
  })

  test('a session that was left open neither adds nor removes one', async () => {
    const { browser, id } = await owner('client')
    clock.pass(16 * minutes)
    await browser.post('/api/auth/jwt/refresh')
    expect((await browser.post(`${path}/options`)).body.code).toBe('recent_sign_in_required')
    expect((await browser.ask('DELETE', `${path}/${id}`)).body.code).toBe('recent_sign_in_required')
  })

  test.each<readonly [string, Deviation]>([
    ['another origin', { origin: 'https://app.library.example.evil.example' }],
    ['another domain', { domain: 'evil.example' }],
    ['a person who was not verified', { unverified: true }],
  ])('%s neither registers nor opens anything', async (_what, deviation) => {
    const { browser, device } = await owner('staff')
    expect((await register(browser, createPasskeyDevice(place), 'Forged', deviation)).status).toBe(422)
    expect((await enter(device, deviation)).status).toBe(401)
    expect((await enter(device)).status).toBe(200)
  })

  test('an answer opens the account once, also when it is sent many times at the same time', async () => {
    const { device } = await owner('simple')
    const browser = visit()
    const { flow, options } = await begin(browser)
    const body = { flow, credential: device.sign(options) }
    const answers = await Promise.all(Array.from({ length: 5 }, () => visit().post(`${path}/signIn`, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    expect((await visit().post(`${path}/signIn`, body)).status).toBe(401)
  })

  test('a challenge expires, and is worth nothing for another act', async () => {
    const { browser, device } = await owner('simple')
    const { flow, options } = await begin(browser)
    const other = await begin(browser, `${verification}/passkey`)
    const ask = (of: typeof other) =>
      visit().post(`${path}/signIn`, { flow: of.flow, credential: device.sign(of.options) })
    expect((await ask(other)).status).toBe(401)
    const passkey = { flow, credential: device.sign(options) }
    expect((await browser.post(verification, { passkey })).status).toBe(401)
    clock.pass(6 * minutes)
    expect((await ask({ flow, options })).status).toBe(401)
    expect((await visit().post(`${path}/signIn`, { flow: 'forged', credential: device.sign(options) })).status).toBe(
      401,
    )
    expect((await visit().post(`${path}/signIn`, { flow, credential: {} })).status).toBe(401)
  })

  test('a copy of the device is refused and noted', async () => {
    const { device } = await owner('client')
    expect((await enter(device)).status).toBe(200)
    expect((await enter(device)).status).toBe(200)
    expect((await enter(device, { counter: 1 })).status).toBe(401)
    expect((await audited('PASSKEY_CLONE_SUSPECTED')).map(({ principal }) => principal)).toEqual(['client'])
    expect((await enter(device)).status).toBe(200)
  })

  test('a device that does not count is no copy', async () => {
    const { device } = await owner('client', { counts: false })
    expect((await enter(device)).status).toBe(200)
    expect((await enter(device)).status).toBe(200)
  })

  test('it stands in for a code, opens the account without one, and confirms who is there', async () => {
    const { browser, device } = await owner('operator')
    await enrol(browser, 'operator', clock.now)
    expect((await enter(device)).status).toBe(200)
    const visitor = visit()
    expect((await visitor.signIn('operator')).body.code).toBe('second_factor_required')
    const { flow, options } = await begin(visitor, `${secondFactor}/options`)
    const answer = { flow, credential: device.sign(options) }
    expect((await visit().post(secondFactor, answer)).status).toBe(401)
    expect((await visitor.post(secondFactor, answer)).status).toBe(200)
    clock.pass(16 * minutes)
    await visitor.post('/api/auth/jwt/refresh')
    expect((await visitor.post(`${path}/options`)).status).toBe(403)
    expect((await visitor.get(verification)).body.ways).toEqual(['password', 'passkey', 'code'])
    const asked = await begin(visitor, `${verification}/passkey`)
    const passkey = { flow: asked.flow, credential: device.sign(asked.options) }
    expect((await visitor.post(verification, { passkey })).status).toBe(200)
    expect((await visitor.post(`${path}/options`)).status).toBe(200)
  })

  test('it ends with a new password from an administrator, and opens no deactivated account', async () => {
    const { device } = await owner('simple')
    const patch = (body: object) => service.as('admin').patch(`/api/rest/userCredentials/${pks.simple}`, body)
    expect((await patch({ active: false })).status).toBe(200)
    expect((await enter(device)).status).toBe(401)
    expect((await patch({ active: true })).status).toBe(200)
    expect((await enter(device)).status).toBe(200)
    expect((await patch({ password: 'a long sentence of words' })).status).toBe(200)
    expect((await enter(device)).status).toBe(401)
  })
})
