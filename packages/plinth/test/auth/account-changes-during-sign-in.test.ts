// Checking a password takes time, and the account may change in the meantime. A check against the old state gives no access.

import { hash } from '@node-rs/argon2'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases, featureTest, itemsOn } from '@plinth/test-kit/databases'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { productionHashMemory, setHashMemory } from '../../src/modules/people/passwords.ts'
import { startAccounts } from './accounts-service.ts'

const json = { Accept: 'application/json' }
const password = 'horse staple battery'

/** Shorter and longer than it takes to find the user, shorter than it takes to check the password. */
const delays = [5, 40]

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

// The moment between the look at the account and the end of the password check is what is tested: at test cost there is none.
beforeAll(() => setHashMemory(productionHashMemory))

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const tested = itemsOn(database, delays)
  let service: TestService
  let admin: Client
  let serial = 0
  beforeAll(async () => {
    service = await startAccounts(database)
    admin = service.as('admin')
    // So that later requests of theirs need not wait for a check of their own.
    expect((await admin.get('/api/rest/users', json)).status).toBe(200)
  })
  afterAll(() => service.stop())

  const makeUser = async (roles: readonly string[] = []): Promise<{ pk: string; username: string }> => {
    serial += 1
    const username = `hurried${serial}`
    const made = await admin.post('/api/rest/users', { username, password, roles }, json)
    expect(made).toHaveStatus(201)
    return { pk: made.body.pk, username }
  }
  const ways = {
    tokens: '/api/auth/jwt/access',
    'Basic cookie': '/api/auth/basic',
    'a remembered device': '/api/auth/userDetails',
  } as const

  describe.each(Object.entries(ways))('a sign-in by %s', (_, path) => {
    test.each(tested)('is over when the account is deactivated %i ms later', async delay => {
      const { pk, username } = await makeUser()
      const browser = openBrowser(service.url)
      const signingIn = browser.post(path, { username, password, rememberMe: true })
      await pause(delay)
      const patched = await admin.patch(`/api/rest/userCredentials/${pk}`, { active: false }, json)
      expect(patched.body.active).toBe(false)
      const { status } = await signingIn
      expect((await browser.get('/api/auth/userDetails')).status).toBe(401)
      expect((await browser.get('/api/rest/users')).status).toBe(401)
      const { body } = await admin.get(`/api/management/auditevents?principal=${username}`, json)
      const types = (body.events as { type: string }[]).map(({ type }) => type)
      expect(types).toEqual([status === 401 ? 'AUTHENTICATION_FAILURE' : 'AUTHENTICATION_SUCCESS'])
    })
  })

  test.each(tested)('a right that is taken away %i ms after a sign-in began is gone', async delay => {
    const roles = (await admin.get('/api/rest/roles', json)).body.content as { pk: string; name: string }[]
    const administrator = roles.find(({ name }) => name === 'ROLE_ADMIN')?.pk ?? ''
    const { pk, username } = await makeUser([administrator])
    const browser = openBrowser(service.url)
    const signingIn = browser.signIn(username, password)
    await pause(delay)
    expect((await admin.patch(`/api/rest/users/${pk}`, { roles: [] }, json)).status).toBe(200)
    expect((await signingIn).status).toBe(201)
    expect((await browser.get('/api/rest/mails', { headers: json })).status).toBe(403)
  })

  test.each(tested)('a name that is given %i ms after a sign-in began is the one of its session', async delay => {
    const { pk, username } = await makeUser()
    const browser = openBrowser(service.url)
    const signingIn = browser.signIn(username, password)
    await pause(delay)
    const renamed = `renamed${pk.slice(-12)}`
    expect((await admin.patch(`/api/rest/users/${pk}`, { username: renamed }, json)).status).toBe(200)
    // A sign-in that looked for the name after the change has not found it.
    const { status } = await signingIn
    expect([201, 401]).toContain(status)
    if (status === 401) expect((await browser.signIn(renamed, password)).status).toBe(201)
    const own = await browser.get('/api/auth/userDetails')
    expect(own.body.username).toBe(renamed)
    const again = await browser.post('/api/auth/userDetails/verification', { password })
    expect(again.status).toBe(200)
  })

  featureTest(import.meta.url, database)(
    'a password with an older hash works for concurrent sign-ins, and is hashed again',
    async () => {
      const { pk, username } = await makeUser()
      const { store } = service.app.platform
      const older = await hash(password, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 })
      await store.transaction(tx => tx.update(tx.resource('secrets'), pk, { passwordHash: older }))
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => openBrowser(service.url).signIn(username, password)),
      )
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
      const kept = (await store.get(store.resource('secrets'), pk))?.passwordHash
      expect(kept).not.toBe(older)
      expect((await openBrowser(service.url).signIn(username, password)).status).toBe(201)
      expect((await store.get(store.resource('secrets'), pk))?.passwordHash).toBe(kept)
    },
  )

  test.each(tested)('an old password opens nothing, %i ms before or after a new one was sent', async delay => {
    const { pk, username } = await makeUser()
    const browser = openBrowser(service.url)
    const headers = { Authorization: `Basic ${btoa(`${username}:${password}`)}` }
    const signingIn = [browser.signIn(username, password), openBrowser(service.url).get('/api/rest/users', { headers })]
    await pause(delay)
    const changed = { password: 'another long battery' }
    expect((await admin.patch(`/api/rest/userCredentials/${pk}`, changed)).status).toBe(200)
    await Promise.all(signingIn)
    expect((await browser.get('/api/rest/users')).status).toBe(401)
    expect((await openBrowser(service.url).get('/api/rest/users', { headers })).status).toBe(401)
    expect((await openBrowser(service.url).signIn(username, changed.password)).status).toBe(201)
  })
})
