// Guesses that come from many addresses.

import { minutes } from '@plinth/test-kit/clock'
import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { askForReset, type RegistrationScene, setScene } from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const proxy = '127.0.13.1'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database, {
      'server.trustedProxies': proxy,
      'app.auth.throttle.perAddress': '3',
      'app.auth.throttle.perAccountEverywhere': '10',
    })
  })
  afterAll(() => scene.stop())
  const passWindow = () => {
    scene.now = new Date(scene.now.getTime() + 15 * minutes)
  }

  const signIn = (from: string, username: string, password: string) =>
    openBrowser(scene.service.url, proxy).post(
      '/api/auth/jwt/access',
      { username, password },
      { headers: { 'X-Forwarded-For': from } },
    )
  const statusOf = async (from: string, username: string, password = 'wrong guess') =>
    (await signIn(from, username, password)).status
  /** Guesses once from each of so many addresses. */
  const guessAround = async (username: string, network: string, count: number) => {
    const statuses: number[] = []
    for (let at = 1; at <= count; at++) statuses.push(await statusOf(`${network}.${at}`, username))
    return statuses
  }
  const times = (count: number, status: number) => Array.from({ length: count }, () => status)

  test('are refused beyond a limit for the account, except where its owner has signed in before', async () => {
    expect(await statusOf('198.51.100.1', 'client', 'client')).toBe(201)
    expect(await statusOf('2001:db8:aaaa:1::1', 'client', 'client')).toBe(201)
    expect(await guessAround('client', '203.0.113', 15)).toEqual([...times(10, 401), ...times(5, 429)])
    const refused = await signIn('203.0.113.99', 'client', 'client')
    expect([refused.status, refused.headers['ratelimit-limit']]).toEqual([429, '10'])
    expect(await statusOf('198.51.100.1', 'client', 'client')).toBe(201)
    expect(await statusOf('2001:db8:aaaa:1::2', 'client', 'client')).toBe(201)
    // A known network has a few guesses, like any other on an account under attack.
    for (const status of [401, 401, 401, 429]) expect(await statusOf('198.51.100.1', 'client')).toBe(status)
    passWindow()
    expect(await statusOf('203.0.113.99', 'client', 'client')).toBe(201)
  })

  test('do not lock out a device on which the owner is remembered, wherever it is, nor one of others', async () => {
    passWindow()
    const path = '/api/auth/userDetails'
    const at = (from: string) => ({ headers: { 'X-Forwarded-For': from } })
    const remember = async (username: string) => {
      const device = openBrowser(scene.service.url, proxy)
      const body = { username, password: username, rememberMe: true }
      expect((await device.post(path, body, at('198.51.100.40'))).status).toBe(200)
      // Its session has ended since then.
      return openBrowser(scene.service.url, proxy, new Map([['known-device', device.jar.get('known-device') ?? '']]))
    }
    const [own, foreign] = [await remember('staff'), await remember('simple')]
    expect(await guessAround('staff', '203.0.113', 11)).toEqual([...times(10, 401), 429])
    const enter = async (device: Browser, from: string, password = 'staff') =>
      (await device.copy().post(path, { username: 'staff', password }, at(from))).status
    expect(await enter(foreign, '203.0.113.50')).toBe(429)
    expect(await enter(own, '203.0.113.51')).toBe(200)
    // A stolen cookie is good for a few guesses, from however many networks they come.
    const guesses = [52, 53, 54, 55].map(last => () => enter(own, `203.0.113.${last}`, 'wrong guess'))
    const statuses: number[] = []
    for (const guess of guesses) statuses.push(await guess())
    expect(statuses).toEqual([401, 401, 401, 429])
  })

  test('are refused in the same way when there is no such account', async () => {
    passWindow()
    expect(await guessAround('unknown-user', '203.0.113', 15)).toEqual([...times(10, 401), ...times(5, 429)])
  })

  test('never lock an owner out who resets the password by mail', async () => {
    passWindow()
    const from = '198.51.100.7'
    await guessAround('simple', '203.0.113', 15)
    expect(await statusOf(from, 'simple', 'simple')).toBe(429)
    const resetPasswordToken = await askForReset(scene, { username: 'simple' }, 'simple@plinth.example')
    const password = 'a much longer passphrase'
    const reset = await openBrowser(scene.service.url, proxy).ask('PUT', '/api/auth/account', {
      body: { resetPasswordToken, password, passwordConfirmation: password },
      headers: { 'X-Forwarded-For': from },
    })
    expect(reset.status).toBe(200)
    expect(await statusOf(from, 'simple', password)).toBe(201)
  })

  testAll('of IPv6 count for wider networks too, with higher limits', async () => {
    passWindow()
    /** Sprays from a new /64 each time, at a new name each time. */
    const spray = async (addressOf: (at: number) => string, count: number) => {
      const statuses: number[] = []
      for (let at = 0; at < count; at++) statuses.push(await statusOf(addressOf(at), `nobody ${addressOf(at)}`))
      return statuses
    }
    const within56 = await spray(at => `2001:db8:1:${(0x100 + at).toString(16)}::1`, 14)
    expect(within56).toEqual([...times(12, 401), ...times(2, 429)])
    // A /48 has room for several /56.
    const within48 = await spray(at => `2001:db8:1:${(0x1000 + 0x100 * at).toString(16)}::1`, 38)
    expect(within48).toEqual([...times(48 - 12, 401), ...times(2, 429)])
    expect(await statusOf('2001:db8:2::1', 'nobody else')).toBe(401)
  })

  test('in any spelling of one IPv4 address count together', async () => {
    passWindow()
    const spellings = ['::ffff:908:705', '::FFFF:0908:0705', '9.8.7.5', '::ffff:9.8.7.5', '0:0:0:0:0:ffff:908:705']
    const statuses: number[] = []
    for (const spelling of spellings) statuses.push(await statusOf(spelling, `nobody ${spelling}`))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect(await statusOf('::ffff:908:706', 'nobody')).toBe(401)
  })
})
