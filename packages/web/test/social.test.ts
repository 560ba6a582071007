// Signing in at another service, as a person in a browser does.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extent, testAll } from '@plinth/test-kit/extent'
import { clientSettings, type IdentityProvider, startIdentityProvider } from '@plinth/test-kit/identity-provider'
import { arrive, faultsIn, patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

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

/** The provider's own pages are walked by the test; the browser waits for where they lead. */
const beAtProvider = async (subject: string): Promise<void> => {
  await visitor.page.unroute(`${provider.issuer}/**`)
  await visitor.page.route(`${provider.issuer}/**`, async route => {
    const back = await provider.signIn(route.request().url(), subject)
    await route.fulfill({ status: 302, headers: { location: back.href } })
  })
}

const services = (title: string) =>
  visitor.page.locator('section', { has: visitor.page.getByRole('heading', { name: title }) })

testAll('a cancelled sign-in at the provider leads back to the sign-in page with a message', async () => {
  const { page } = visitor
  await visitor.load('/sign-in')
  await page.getByRole('button', { name: 'Continue with The Real One' }).click()
  await page.getByRole('alert').getByText('You cancelled at the other service.').waitFor()
})

testAll('a provider that is down is explained in place', async () => {
  const { page } = visitor
  await visitor.visit('/sign-in')
  await page.getByRole('button', { name: 'Continue with The Broken One' }).click()
  await page.getByRole('alert').getByText('is not available right now').waitFor()
})

test('who says yes is registered, signed in, and back at the page they wanted', async () => {
  const { page, service } = visitor
  provider.people.set('ida', {
    email: 'ida@example.org',
    email_verified: true,
    given_name: 'Ida',
    family_name: 'Ibsen',
  })
  await beAtProvider('ida')
  await visitor.visit('/resources/films')
  await page.waitForURL(/sign-in/)
  await page.getByRole('button', { name: 'Continue with The Real One' }).click()
  await page.waitForURL(`${service.url}/client/resources/films`)
  await page.getByRole('button', { name: 'Account menu of Ida Ibsen' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Films')
})

testAll('the only way in is shown, and stays', async () => {
  const { page } = visitor
  await visitor.visit('/account/security')
  const section = services('Connected accounts')
  await section.getByText('Sign-in with The Real One').waitFor()
  await section.getByText('ida@example.org').waitFor()
  const open = section.getByRole('button', { name: 'Remove sign-in with The Real One' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Remove sign-in with The Real One?' })
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('alert').getByText('This is the only way you can sign in.').waitFor()
  for (const colours of extent(['dark'] as const, ['light', 'dark'] as const))
    expect(await faultsIn(colours, visitor)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Remove')
  expect(await section.getByRole('listitem').count()).toBe(1)
})

testAll('who has a password removes the other way in, in their own language, and the focus stays there', async () => {
  const { page, service } = visitor
  provider.people.set('stella', { email: 'staff@plinth.example', email_verified: true })
  await beAtProvider('stella')
  await visitor.forget()
  await visitor.load('/sign-in')
  await page.getByRole('button', { name: 'Continue with The Real One' }).click()
  await page.waitForURL(`${service.url}/client/`)
  await page.evaluate('localStorage.setItem("plinth.language", "de")')
  await visitor.load('/account/security')
  const section = services('Verknüpfte Konten')
  await section.getByRole('button', { name: 'Anmeldung mit The Real One entfernen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click()
  await section.getByText('Keine verknüpften Konten').waitFor()
  await page.getByText('Anmeldung mit The Real One entfernt.').waitFor()
  const focused = page.locator(':focus')
  await expect.poll(() => focused.getAttribute('aria-label')).toBe('Verknüpfte Konten')
  await visitor.load('/account/security')
  await page.getByRole('heading', { name: 'Zwei-Faktor-Authentifizierung' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await section.count()).toBe(0)
})
