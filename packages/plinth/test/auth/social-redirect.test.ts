// The redirect to another service, and on to the requested page: users are not redirected anywhere else.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'
import { metadataOf } from './nonconforming-provider.ts'
import { baseUrl, errorPage, openSocialScene, providerSettings, signInPath } from './social-sign-in.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { real, somebody, visit, signIn } = openSocialScene(database)

  test('the providers are listed by name and label, and nothing else', async () => {
    expect((await visit().get('/api/auth/oauth/providers')).body).toEqual([
      { name: 'real', label: 'The Real One' },
      { name: 'crooked', label: 'crooked' },
      { name: 'down', label: 'down' },
    ])
  })

  test('the way there carries a challenge, and the cookie tells nothing', async () => {
    const browser = visit()
    const reply = await browser.post(signInPath)
    const location = new URL(String(reply.headers.location))
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      client_id: 'plinth',
      redirect_uri: baseUrl + signInPath,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      max_age: '0',
    })
    const cookie = reply.cookies.get('oauth_pending')
    expect(Object.fromEntries(cookie?.attributes ?? [])).toMatchObject({
      httponly: '',
      samesite: 'Lax',
      'max-age': '600',
    })
    const content = Buffer.from(cookie?.value ?? '', 'base64url').toString('latin1')
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(content).not.toContain(location.searchParams.get(name))
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('a script gets the address to go to', async () => {
    const reply = await visit().post(signInPath, undefined, { headers: { Accept: 'application/json' } })
    expect([reply.status, reply.body.location.startsWith(real().issuer)]).toEqual([200, true])
  })

  test.each([
    ['/', '/client/'],
    ['/films?sort=title#top', '/client/films?sort=title#top'],
    ['/a/../b', '/client/b'],
    ['/@evil.example', '/client/@evil.example'],
  ])('who wanted to go to %s gets to %s', async (to, page) => {
    const reply = await signIn(somebody().subject, visit(), `?to=${encodeURIComponent(to)}`)
    expect(reply.headers.location).toBe(page)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\evil.example',
    'https://evil.example',
    'https://plinth.example@evil.example',
    '//plinth.example@evil.example',
    'https:evil.example',
    'evil.example',
    'javascript:alert(1)',
    '/../api/rest',
    '/..//evil.example',
    '/%2e%2e/api/rest',
    '/x\r\nSet-Cookie: a=b',
    '',
  ])('users are not redirected to %j', async to => {
    const reply = await visit().post(`${signInPath}?to=${encodeURIComponent(to)}`)
    expect([reply.status, reply.cookies.size]).toEqual([400, 0])
  })

  test('a provider that is down leads back to the sign-in page, and is a 503 for a script', async () => {
    const at = '/api/auth/oauth/signin/down'
    const browser = visit()
    const reply = await browser.post(at)
    expect([reply.status, reply.headers.location, browser.jar.size]).toEqual([302, errorPage('unavailable'), 0])
    const script = await visit().post(at, undefined, { headers: { Accept: 'application/json' } })
    expect([script.status, script.body.code]).toEqual([503, 'unavailable'])
  })

  test('an unknown provider is not found, and a foreign page cannot begin', async () => {
    expect((await visit().post('/api/auth/oauth/signin/unknown')).status).toBe(404)
    expect((await visit().get('/api/auth/oauth/signin/unknown?code=a&state=b')).status).toBe(404)
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await visit().post(signInPath, undefined, { headers })).status).toBe(403)
  })
})

/** A server that answers each request with the given function. */
const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a provider is known by what it tells at its own address', () => {
  const sendMetadata = (response: ServerResponse, metadata: object) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(metadata))
  }
  const beginAt = async (issuer: string) => {
    const service = await startAccounts('sqlite', { settings: providerSettings('one', issuer) })
    onTestFinished(() => service.stop())
    const browser = openBrowser(service.url)
    const { status, headers } = await browser.post('/api/auth/oauth/signin/one')
    return { status, location: headers.location, cookies: browser.jar.size }
  }
  const refused = { status: 302, location: errorPage('unavailable'), cookies: 0 }

  test('and in its own name', async () => {
    const issuer: string = await serve((_, response) => sendMetadata(response, metadataOf(issuer)))
    expect((await beginAt(issuer)).location).toContain(`${issuer}/authorize?`)
  })

  test('and nowhere else, however good that is', async () => {
    const hosts: (string | undefined)[] = []
    const elsewhere = await serve((request, response) => {
      hosts.push(request.url)
      sendMetadata(response, metadataOf(issuer))
    })
    const issuer: string = await serve((_, response) => {
      response.statusCode = 302
      response.setHeader('Location', `${elsewhere}/latest/meta-data`)
      response.end()
    })
    expect(await beginAt(issuer)).toEqual(refused)
    expect(hosts).toEqual([])
  })

  test('and not in the name of another', async () => {
    const issuer = await serve((_, response) => sendMetadata(response, metadataOf('https://accounts.example')))
    expect(await beginAt(issuer)).toEqual(refused)
  })
})

test.each<[string, Record<string, string>, string]>([
  ['no issuer', { clientId: 'a' }, 'issuer'],
  ['no client', { issuer: 'https://accounts.example' }, 'clientId'],
  ['plain http elsewhere', { issuer: 'http://accounts.example', clientId: 'a' }, 'issuer'],
  ['no address', { issuer: 'accounts.example', clientId: 'a' }, 'issuer'],
  [
    'the address of its description',
    { issuer: 'https://accounts.example/.well-known/openid-configuration', clientId: 'a' },
    'issuer',
  ],
  ['an address with a password', { issuer: 'https://a:b@accounts.example', clientId: 'a' }, 'issuer'],
])('a provider with %s stops the start', async (_, metadata, property) => {
  const settings = Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [`app.oauth.providers.one.${name}`, value]),
  )
  const failure = await startAccounts('sqlite', { settings }).catch(thrown => thrown)
  expect(failure.message).toContain(`app.oauth.providers.one.${property}`)
})
