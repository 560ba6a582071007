// Sessions of the client: tokens in a storage of the application, refreshed before they expire and once for all requests.

import { enrol } from '@plinth/test-kit/authenticator'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, type PlinthClient, type SessionTokens, storeTokensIn, type TokenStorage } from '../src/index.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite', { settings: { 'app.modules': '' } })
})
afterAll(() => service.stop())

const createStorage = (): TokenStorage & { tokens: SessionTokens | null } => ({
  tokens: null,
  get() {
    return this.tokens
  },
  set(tokens) {
    this.tokens = tokens
  },
})

interface CountedClient {
  readonly client: PlinthClient
  readonly storage: ReturnType<typeof createStorage>
  /** Paths of the requests so far. */
  readonly sent: string[]
}

const openClient = (storage = createStorage()): CountedClient => {
  const sent: string[] = []
  const counting: typeof fetch = (address, init) => {
    sent.push(new URL(String(address)).pathname)
    return fetch(address, init)
  }
  return { client: createClient({ url: service.url, session: 'tokens', storage, fetch: counting }), storage, sent }
}

const refreshes = ({ sent }: CountedClient): number => sent.filter(path => path.endsWith('/jwt/refresh')).length

/** Expires the tokens, as if the time had come. */
const expire = ({ storage }: CountedClient): CountedClient => {
  const copy = openClient(storage)
  if (storage.tokens) storage.tokens = { ...storage.tokens, expiresAt: Date.now() + 1000 }
  return copy
}

const signIn = (client: PlinthClient, name = 'simple') => client.session.signIn({ username: name, password: name })

describe('tokens', () => {
  test('a sign-in stores them, requests carry them, and a sign-out removes them', async () => {
    const { client, storage } = openClient()
    const events: string[] = []
    client.session.on('signedIn', user => events.push(`in ${user.username}`))
    client.session.on('signedOut', reason => events.push(`out ${reason}`))
    expect(await client.session.load()).toBeNull()
    expect((await signIn(client)).username).toBe('simple')
    expect(Object.keys(client.session.user ?? {})).not.toContain('refreshToken')
    expect((await client.resource('users').find({ fields: ['username'] })).total).toBeGreaterThan(1)
    // A restart of the application finds its session again.
    expect((await openClient(storage).client.session.load())?.username).toBe('simple')
    const { accessToken } = storage.tokens ?? { accessToken: '' }
    await client.session.signOut()
    expect([storage.tokens, client.session.user, events]).toEqual([null, null, ['in simple', 'out signOut']])
    const late = await fetch(`${service.url}/api/rest/users`, { headers: { Authorization: `Bearer ${accessToken}` } })
    expect(late.status).toBe(401)
  })

  test('an access token is refreshed before it expires, once for parallel requests', async () => {
    const first = openClient()
    await signIn(first.client)
    const later = expire(first)
    const reads = Array.from({ length: 20 }, () => later.client.resource('users').find({ limit: 1 }).then())
    expect((await Promise.all(reads)).every(({ items }) => items.length === 1)).toBe(true)
    expect(refreshes(later)).toBe(1)
    expect(later.storage.tokens?.expiresAt).toBeGreaterThan(Date.now() + 60_000)
  })

  test('clients that share a storage take over what another one has refreshed', async () => {
    const first = openClient()
    await signIn(first.client)
    const tabs = [expire(first), openClient(first.storage), openClient(first.storage)]
    // All have read the tokens that expire.
    await Promise.all(tabs.map(tab => tab.storage.get()))
    for (const tab of tabs) expect((await tab.client.session.load())?.username).toBe('simple')
    expect(tabs.map(refreshes)).toEqual([1, 0, 0])
  })

  test('a refused token is refreshed, and a session that has ended is reported', async () => {
    const first = openClient()
    await signIn(first.client)
    const { storage } = first
    if (storage.tokens) storage.tokens = { ...storage.tokens, accessToken: 'expired by another clock' }
    const later = openClient(storage)
    expect((await later.client.resource('users').find({ limit: 1 })).items).toHaveLength(1)
    expect(refreshes(later)).toBe(1)
    const reasons: string[] = []
    later.client.session.on('signedOut', reason => reasons.push(reason))
    await fetch(`${service.url}/api/auth/userDetails`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${storage.tokens?.accessToken}` },
    })
    await expect(later.client.resource('users').find().then()).rejects.toMatchObject({ code: 'unauthorized' })
    expect([reasons, storage.tokens]).toEqual([['expired'], null])
  })

  test('a service that cannot be reached ends no session', async () => {
    const first = openClient()
    await signIn(first.client)
    expire(first)
    const offline = createClient({
      url: 'http://127.0.0.1:1',
      session: 'tokens',
      storage: first.storage,
      retries: 0,
    })
    await expect(offline.resource('users').find().then()).rejects.toMatchObject({ code: 'unreachable' })
    expect(first.storage.tokens).not.toBeNull()
  })

  test('they can be kept in any storage of texts', async () => {
    const texts = new Map<string, string>()
    const storage = storeTokensIn({
      getItem: key => Promise.resolve(texts.get(key) ?? null),
      setItem: (key, value) => texts.set(key, value),
      removeItem: key => texts.delete(key),
    })
    const client = createClient({ url: service.url, session: 'tokens', storage })
    await signIn(client)
    expect(JSON.parse(texts.get('plinth.tokens') ?? '')).toMatchObject({ accessToken: expect.any(String) })
    await client.session.signOut()
    expect(texts.size).toBe(0)
  })

  test('the second factor follows the password', async () => {
    const owner = openBrowser(service.url)
    await owner.signIn('staff')
    const { recoveryCodes } = await enrol(owner, 'staff', () => new Date())
    const { client } = openClient()
    await expect(signIn(client, 'staff')).rejects.toMatchObject({ code: 'second_factor_required' })
    await expect(client.session.sendCode('000000')).rejects.toMatchObject({ code: 'second_factor_required' })
    expect((await client.session.sendCode(recoveryCodes[0] ?? '')).username).toBe('staff')
    expect((await client.session.load())?.username).toBe('staff')
  })
})

test('programs use an API key', async () => {
  const made = await service
    .as('simple')
    .post(
      '/api/rest/apiKeys',
      { name: 'sdk', scopes: ['read'], expirationDate: new Date(Date.now() + 86_400_000).toISOString() },
      { Accept: 'application/json' },
    )
  expect(made).toHaveStatus(201)
  const client = createClient({ url: service.url, apiKey: made.body.key })
  expect((await client.resource('users').find({ where: { username: 'simple' } })).total).toBe(1)
  const wrong = createClient({ url: service.url, apiKey: `${made.body.key}x` })
  await expect(wrong.resource('users').find().then()).rejects.toMatchObject({ code: 'unauthorized' })
})
