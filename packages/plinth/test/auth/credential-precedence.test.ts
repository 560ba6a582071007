// A request may carry the credentials of several people. The first that count decide, for callers who are known already
// just as for strangers: each is asked again and again.

import { type BrowserRequest, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  const tokens: Record<string, string> = {}
  const sealed: Record<string, string> = {}
  beforeAll(async () => {
    service = await startAccounts(database)
    for (const name of ['client', 'simple']) {
      tokens[name] = (await openBrowser(service.url).signIn(name)).cookies.get('access_token')?.value ?? ''
      const basic = await openBrowser(service.url).post('/api/auth/basic', { username: name, password: name })
      sealed[name] = basic.cookies.get('app-sso')?.value ?? ''
    }
    // Both are known from now on.
    for (const token of Object.values(tokens)) {
      const asking = { headers: { Authorization: `Bearer ${token}` } }
      expect((await openBrowser(service.url).get('/api/rest/users', asking)).status).toBe(200)
    }
  })
  afterAll(() => service.stop())

  /** Everybody sees their own contact details, and no others. */
  const whoReads = async (asking: BrowserRequest): Promise<string> => {
    const headers = { Accept: 'application/json', ...asking.headers }
    const reply = await openBrowser(service.url).get('/api/rest/contactDetails', { ...asking, headers })
    if (reply.status !== 200) return String(reply.status)
    return reply.body.content.map((one: { user: { username: string } }) => one.user.username).join()
  }

  test.each<[string, string, () => BrowserRequest]>([
    ['a token before cookies', 'client', () => bearer('client', { access_token: tokens.simple ?? '' })],
    ['a token before a login cookie', 'client', () => bearer('client', { 'app-sso': sealed.simple ?? '' })],
    ['a token cookie before a login cookie', 'client', () => cookies(tokens.client, sealed.simple)],
    ['a login cookie where the token cookie is not good', 'simple', () => cookies(`${tokens.client}x`, sealed.simple)],
    ['a scheme in small letters', 'client', () => header(`bearer ${tokens.client}`, tokens.simple)],
    ['several blanks', 'client', () => header(`Bearer   ${tokens.client}`, tokens.simple)],
    ['a password before a cookie', 'client', () => header(`Basic ${btoa('client:client')}`, tokens.simple)],
    ['a bad token, whatever the cookie', '401', () => header(`Bearer ${tokens.client}x`, tokens.simple)],
    ['an unknown scheme, whatever the cookie', '401', () => header(`Digest ${tokens.client}`, tokens.simple)],
    ['an API key that is none, whatever the cookie', '401', () => keyed(tokens.simple)],
    [
      'a token before an API key',
      'client',
      () => ({ headers: { ...header(`Bearer ${tokens.client}`).headers, 'X-API-Key': 'none' } }),
    ],
  ])('%s', async (_, expected, asking) => {
    for (let time = 0; time < 3; time++) expect(await whoReads(asking())).toBe(expected)
  })

  const header = (authorization: string, cookie?: string): BrowserRequest => ({
    headers: { Authorization: authorization },
    ...(cookie !== undefined && { cookies: { access_token: cookie } }),
  })
  const bearer = (name: string, cookies: Record<string, string>): BrowserRequest => ({
    ...header(`Bearer ${tokens[name]}`),
    cookies,
  })
  const cookies = (token = '', sso = ''): BrowserRequest => ({ cookies: { access_token: token, 'app-sso': sso } })
  const keyed = (token = ''): BrowserRequest => ({ headers: { 'X-API-Key': 'none' }, cookies: { access_token: token } })
})
