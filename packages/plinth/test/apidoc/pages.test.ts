// The pages in a real browser: they work without any other host, and a person can sign in and try an operation.

import { seriousFaults } from '@plinth/test-kit/axe'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { extent, testAll } from '@plinth/test-kit/extent'
import { fetchRaw } from '@plinth/test-kit/fetch-raw'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startService('sqlite', { settings: { 'app.security.contact': 'security@example.org' } })
  browser = await openBrowser(service.url)
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

  test.each(extent(['dark'] as const, ['light', 'dark'] as const))('is accessible when %s', async colorScheme => {
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
  for (const [from, to] of [
    ['/docs', '/docs/'],
    // The guide to errors has another name than the list of this service.
    ['/docs/problems.html', '/docs/problems'],
  ] as const) {
    const redirect = await anonymous.get(from)
    expect([from, redirect.status, redirect.headers.get('location')]).toEqual([from, 308, to])
  }
  for (const path of ['/docs/', '/docs/problems']) {
    const answer = await anonymous.get(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  }
  const problems = await anonymous.get('/docs/problems')
  for (const way of ['/', '/docs/', '/apidoc']) expect(problems.text).toContain(`href="${way}"`)
})

test('security.txt names the contact of the settings, and when it expires', async () => {
  const { status, headers, text } = await service.as('anonymous').get('/.well-known/security.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const [, expires = ''] = /^Contact: mailto:security@example\.org\nExpires: (\S+)\n$/.exec(text) ?? []
  const days = (Date.parse(expires) - Date.now()) / (24 * 3600_000)
  expect(days).toBeGreaterThan(90)
  // RFC 9116, 2.5.5: less than a year.
  expect(days).toBeLessThan(365)
})

test('a slash at the end leads to the reference all the same', async () => {
  const answer = await service.as('anonymous').get('/apidoc/')
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/apidoc'])
})

describe('the reference', () => {
  const linkTo = (address: string) => browser.page.locator(`nav a[href="#/${address}"]`)
  const operation = (id: string) => browser.page.locator(`article[data-operation="${id}"]`)

  /** The status of the answer, once the page shows it. */
  const tryIt = async (): Promise<string | null> => {
    const { page } = browser
    await page.locator('.result').evaluate(result => result.replaceChildren())
    await page.getByRole('button', { name: 'Send request' }).click()
    return page.locator('.result strong').textContent()
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
    await browser.settle()
    // The whole document has more than a million bytes.
    expect(requested.filter(path => /openapi|operations/.test(path))).toEqual([])
    expect(await page.locator('article').count()).toBe(0)
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

  testAll('filters by what was typed before its script ran', async () => {
    const { page } = browser
    let runScript = () => {}
    const typed = new Promise<void>(resolve => {
      runScript = resolve
    })
    await page.route('**/apidoc/start.js', route => typed.then(() => route.continue()))
    await page.goto(`${service.url}/apidoc`, { waitUntil: 'commit' })
    await page.locator('#filter').fill('create user')
    runScript()
    await linkTo('users/createUser').waitFor()
    expect(await linkTo('users/listUsers').isVisible()).toBe(false)
    await page.unroute('**/apidoc/start.js')
    await page.locator('#filter').fill('users')
  })

  test('shows examples for curl and TypeScript, parameters and responses', async () => {
    const { page } = browser
    await linkTo('users/createUser').click()
    await operation('createUser').waitFor()
    const curl = await page.getByLabel('Example for curl').textContent()
    expect(curl).toContain(`curl -X POST '${service.url}/api/rest/users'`)
    expect(curl).toContain("-H 'Content-Type: application/json'")
    expect(await page.getByLabel('Example for TypeScript').textContent()).toContain('client.users.create({')
    await page.getByRole('heading', { name: 'Request body' }).waitFor()
    await page.getByRole('heading', { name: '201' }).waitFor()
    await page.getByRole('rowheader', { name: 'username required' }).first().waitFor()
  })

  testAll('names the fields of the records in a page', async () => {
    const { page } = browser
    await page.locator('#filter').fill('countries')
    await linkTo('countries/listCountries').click()
    await operation('listCountries').waitFor()
    await page.getByRole('rowheader', { name: 'content[].capital' }).waitFor()
    expect(await page.getByText('any[]').count()).toBe(0)
  })

  test('sends an operation with the credentials, and without before', async () => {
    const { page } = browser
    await page.locator('#filter').fill('users')
    await linkTo('users/listUsers').click()
    await operation('listUsers').waitFor()
    expect(await tryIt()).toBe('401')
    await page.getByText('Credentials for “Try it”').click()
    await page.locator('#username').fill('admin')
    await page.locator('#password').fill('admin')
    expect(await tryIt()).toBe('200')
    expect(await page.locator('.result pre').textContent()).toContain('admin')
  })

  testAll('keeps the credentials for the next operation, which takes the place of the first', async () => {
    const { page } = browser
    await page.locator('#filter').fill('roles')
    await linkTo('roles/listRoles').click()
    await operation('listRoles').waitFor()
    expect(await page.locator('article').count()).toBe(1)
    expect(await tryIt()).toBe('200')
  })

  testAll('offers examples that work as they are: they refer to records that there are', async () => {
    const { page } = browser
    await page.locator('#filter').fill('a film')
    await linkTo('films/createFilm').click()
    await operation('createFilm').waitFor()
    expect([await tryIt(), await tryIt()]).toEqual(['201', '201'])
    await linkTo('films/getFilm').click()
    await operation('getFilm').waitFor()
    expect(await tryIt()).toBe('200')
  })

  testAll('an address leads to its operation, and the way back to the list', async () => {
    const { page } = browser
    await page.goto('about:blank')
    await page.goto(`${service.url}/apidoc#/countries/getCountry`)
    await operation('getCountry').waitFor()
    expect(await linkTo('countries/getCountry').getAttribute('aria-current')).toBe('true')
    await page.goto(`${service.url}/apidoc#`)
    await page.getByRole('heading', { name: 'API reference' }).waitFor()
  })

  testAll.each(['light', 'dark'] as const)(
    'is accessible when %s, with and without an operation',
    async colorScheme => {
      const { page } = browser
      await page.emulateMedia({ colorScheme })
      expect(await seriousFaults(page)).toEqual([])
      await page.goto(`${service.url}/apidoc#/countries/createCountry`)
      await operation('createCountry').waitFor()
      expect(await seriousFaults(page)).toEqual([])
      await page.goto(`${service.url}/apidoc#`)
      await page.emulateMedia({ colorScheme: null })
    },
  )

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
  })

  test('knows no operation of another name', async () => {
    expect((await service.as('anonymous').get('/apidoc/operations/none')).status).toBe(404)
  })

  test('sends no requests to other hosts, and breaks no policy', () => {
    expect(browser.foreign).toEqual([])
    expect(browser.complaints.filter(text => !text.includes('401'))).toEqual([])
  })

  test('its policy names no other origin and allows no script or style inside the page', async () => {
    for (const path of ['/', '/apidoc', '/apidoc/start.js']) {
      const policy = (await service.as('anonymous').get(path)).headers.get('content-security-policy') ?? ''
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("connect-src 'self';")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    }
  })
})
