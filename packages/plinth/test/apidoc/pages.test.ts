// The pages in a real browser: they work without any other host, and a person can sign in and try an operation.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { seriousFaults } from '../client/axe.ts'
import { openBrowser, type TestBrowser } from '../support/browser.ts'
import { testAll } from '../support/extent.ts'
import { fetchRaw } from '../support/fetch-raw.ts'
import { startService, type TestService } from '../support/service.ts'

// Swagger UI starts slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startService('sqlite')
  browser = await openBrowser(service.url)
  browser.page.setDefaultTimeout(120_000)
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

describe('the landing page', () => {
  test('leads to the client, the documentation and the reference, and names the demo users', async () => {
    const { page } = browser
    await page.goto(`${service.url}/`)
    expect(await page.title()).toBe('Plinth')
    const links = await page.locator('a').evaluateAll(all => all.map(one => one.getAttribute('href')))
    expect(links).toEqual(['/client/sign-in', '/client/', '/docs/', '/apidoc', '/api/openapi.json'])
    expect(await page.getByRole('row').count()).toBe(6)
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.waitForURL(`${service.url}/apidoc`)
  })

  test.each(['light', 'dark'] as const)('is accessible when %s', async colorScheme => {
    const { page } = browser
    await page.emulateMedia({ colorScheme })
    await page.goto(`${service.url}/`)
    expect(await seriousFaults(page)).toEqual([])
    await page.emulateMedia({ colorScheme: null })
  })

  test('speaks the language of the visitor', async () => {
    const read = (language: string) => service.as('anonymous').get('/', { 'Accept-Language': language })
    const [german, french] = await Promise.all([read('de-AT, en;q=0.5'), read('fr')])
    expect(german.headers.get('content-language')).toBe('de')
    expect(german.text).toContain('Anmelden')
    expect(french.headers.get('content-language')).toBe('en')
    expect(french.text).toContain('<html lang="en">')
  })
})

test('the documentation is below /docs/, and the page of problems stays', async () => {
  const anonymous = service.as('anonymous')
  const redirect = await anonymous.get('/docs')
  expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/docs/'])
  for (const path of ['/docs/', '/docs/problems']) {
    const answer = await anonymous.get(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  }
})

test('a slash at the end leads to the reference all the same', async () => {
  const answer = await service.as('anonymous').get('/apidoc/')
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/apidoc'])
})

describe('the reference', () => {
  const operation = '#operations-users-listUsers'
  const linkTo = (address: string) => browser.page.locator(`nav a[href="#/${address}"]`)

  /** The status of the answer, once the page shows it. */
  const tryIt = async (path: string): Promise<number> => {
    const { page } = browser
    const answered = page.waitForResponse(response => new URL(response.url()).pathname === path)
    await page.locator('.opblock .execute').click()
    const status = (await answered).status()
    const shown = page.locator('.opblock .live-responses-table .response-col_status')
    await shown
      .filter({ hasText: String(status) })
      .first()
      .waitFor()
    return status
  }

  test('lists every operation when it opens, and draws none of them', async () => {
    const { page } = browser
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    await page.goto(`${service.url}/apidoc`)
    const { paths } = service.app.openapi() as { paths: Record<string, Record<string, { operationId?: string }>> }
    const ids = Object.values(paths).flatMap(item =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    )
    const listed = await page.locator('nav details a').evaluateAll(all => all.map(one => one.getAttribute('href')))
    expect(listed.map(address => address?.split('/')[2]).sort()).toEqual(ids.sort())
    expect(await page.locator('nav details[open]').count()).toBe(0)
    await page.locator('#operation .swagger-ui').waitFor({ state: 'attached' })
    // Swagger UI would take many seconds to draw the whole document.
    expect(requested.filter(path => path.endsWith('openapi.json'))).toEqual([])
    await browser.settle()
    expect(await page.locator('.opblock').count()).toBe(0)
  })

  test('finds operations by words of their summary and path', async () => {
    const { page } = browser
    await page.locator('#filter').fill('search users')
    await linkTo('users/listUsers').waitFor()
    expect(await linkTo('users/createUser').isVisible()).toBe(false)
    await page.locator('#filter').fill('no such operation')
    await page.getByText('No operation matches.').waitFor()
    await page.locator('#filter').fill('users')
    await linkTo('users/createUser').waitFor()
  })

  test('sends an operation as the person who signed in, and as nobody before', async () => {
    const { page } = browser
    await linkTo('users/listUsers').click()
    await page.locator(`${operation} .try-out__btn`).click()
    expect(await tryIt('/api/rest/users')).toBe(401)
    await page.locator('.auth-wrapper .authorize').first().click()
    await page.locator('#auth-basic-username').fill('admin')
    await page.locator('#auth-basic-password').fill('admin')
    await page
      .locator('form', { has: page.locator('#auth-basic-username') })
      .locator('[type="submit"]')
      .click()
    await page.locator('.btn-done').first().click()
    expect(await tryIt('/api/rest/users')).toBe(200)
    expect(await page.locator(`${operation} .live-responses-table .highlight-code`).first().textContent()).toContain(
      'admin',
    )
  })

  test('keeps the credentials for the next operation, which takes the place of the first', async () => {
    const { page } = browser
    await page.locator('#filter').fill('roles')
    await linkTo('roles/listRoles').click()
    await page.locator('#operations-roles-listRoles .try-out__btn').click()
    expect(await page.locator('.opblock').count()).toBe(1)
    expect(await tryIt('/api/rest/roles')).toBe(200)
  })

  test('an address leads to its operation, and the way back to the list', async () => {
    const { page } = browser
    await page.goto('about:blank')
    await page.goto(`${service.url}/apidoc#/countries/getCountry`)
    await page.locator('#operations-countries-getCountry .try-out__btn').waitFor()
    expect(await linkTo('countries/getCountry').getAttribute('aria-current')).toBe('true')
    await page.goto(`${service.url}/apidoc#`)
    await page.getByRole('heading', { name: 'API reference' }).waitFor()
  })

  testAll('has no serious fault of accessibility before an operation is opened', async () => {
    expect(await seriousFaults(browser.page)).toEqual([])
  })

  test('travels compressed, and once', async () => {
    const sizes: Record<string, number> = {}
    for (const path of ['/apidoc', '/apidoc/page.css', '/apidoc/start.js', '/apidoc/operations/listUsers']) {
      const { headers, bytes } = await fetchRaw(service.url + path, { 'Accept-Encoding': 'br' })
      expect([path, headers['content-encoding']]).toEqual([path, 'br'])
      sizes[path] = bytes.length
      const again = await fetchRaw(service.url + path, { 'If-None-Match': String(headers.etag) })
      expect([path, again.status]).toEqual([path, 304])
    }
    // The whole document has more than a million bytes.
    expect(Object.values(sizes).reduce((sum, size) => sum + size)).toBeLessThan(60_000)
    const swagger = await fetchRaw(`${service.url}/apidoc/assets/swagger-ui-bundle.js`, { 'Accept-Encoding': 'br' })
    expect(swagger.bytes.length).toBeLessThan(500_000)
  })

  test('knows no operation of another name', async () => {
    expect((await service.as('anonymous').get('/apidoc/operations/none')).status).toBe(404)
  })

  test('asks nobody else for anything, and breaks no policy', () => {
    expect(browser.foreign).toEqual([])
    expect(browser.complaints.filter(text => !text.includes('401'))).toEqual([])
  })

  test('its policy names no other origin and allows no script or style inside the page', async () => {
    for (const path of ['/', '/apidoc', '/apidoc/assets/swagger-ui-bundle.js']) {
      const policy = (await service.as('anonymous').get(path)).headers.get('content-security-policy') ?? ''
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("connect-src 'self';")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    }
  })
})
