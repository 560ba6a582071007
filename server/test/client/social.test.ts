// Signing in at another service, as a person in a browser does.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { clientSettings, type IdentityProvider, startIdentityProvider } from '../accounts/identity-provider.ts'
import { arrive, patience, type Visitor } from './visitor.ts'

vi.setConfig(patience)

/** The provider must know the service's address before the service starts. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

const settingsOf = (name: string, issuer: string): Record<string, string> => ({
  [`app.oauth.providers.${name}.issuer`]: issuer,
  [`app.oauth.providers.${name}.clientId`]: clientSettings.clientId,
  [`app.oauth.providers.${name}.clientSecret`]: clientSettings.clientSecret,
})

let provider: IdentityProvider
let visitor: Visitor
beforeAll(async () => {
  const port = await freePort()
  provider = await startIdentityProvider(`http://127.0.0.1:${port}/api/auth/oauth/signin/real`)
  visitor = await arrive({
    settings: {
      'server.port': String(port),
      ...settingsOf('real', provider.issuer),
      'app.oauth.providers.real.label': 'The Real One',
      ...settingsOf('down', 'http://127.0.0.1:9'),
      'app.oauth.providers.down.label': 'The Broken One',
    },
  })
})
afterAll(async () => {
  await visitor.leave()
  await provider.stop()
})

test('who says no at the provider is back at the sign-in page, and told so', async () => {
  const { page } = visitor
  await visitor.visit('/sign-in')
  await page.getByRole('button', { name: 'Continue with The Real One' }).click()
  await page.getByRole('alert').getByText('You said no at the other service.').waitFor()
})

test('a provider that is down is explained in place', async () => {
  const { page } = visitor
  await visitor.visit('/sign-in')
  await page.getByRole('button', { name: 'Continue with The Broken One' }).click()
  await page.getByRole('alert').getByText('cannot be reached at the moment').waitFor()
})

test('who says yes is registered, signed in, and back at the page they wanted', async () => {
  const { page, service } = visitor
  provider.people.set('ida', {
    email: 'ida@example.org',
    email_verified: true,
    given_name: 'Ida',
    family_name: 'Ibsen',
  })
  // The provider's own pages are walked by the test; the browser waits for where they lead.
  await page.route(`${provider.issuer}/**`, async route => {
    const back = await provider.signIn(route.request().url(), 'ida')
    await route.fulfill({ status: 302, headers: { location: back.href } })
  })
  await visitor.visit('/resources/films')
  await page.waitForURL(/sign-in/)
  await page.getByRole('button', { name: 'Continue with The Real One' }).click()
  await page.waitForURL(`${service.url}/client/resources/films`)
  await page.getByRole('button', { name: 'Menu of Ida Ibsen' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Films')
})
