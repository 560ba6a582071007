// The pages in a real browser: they work without any other host, and a person can sign in and try an operation.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openBrowser, type TestBrowser } from '../support/browser.ts'
import { startService, type TestService } from '../support/service.ts'

// The reference draws hundreds of operations, on a machine that is busy with other tests.
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

test('the entry page leads to the client and to the reference', async () => {
  const { page } = browser
  await page.goto(`${service.url}/`)
  expect(await page.title()).toBe('Plinth')
  const links = await page.locator('a').evaluateAll(all => all.map(one => one.getAttribute('href')))
  expect(links).toEqual(['/client', '/apidoc', '/api/openapi.json'])
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.waitForURL(`${service.url}/apidoc`)
})

test('a slash at the end leads to the reference all the same', async () => {
  const answer = await service.as('nobody').get('/apidoc/')
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/apidoc'])
})

describe('the reference', () => {
  const operation = '#operations-users-listUsers'

  /** The status of the answer, once the page shows it. */
  const tryIt = async (): Promise<number> => {
    const { page } = browser
    const answered = page.waitForResponse(response => new URL(response.url()).pathname === '/api/rest/users')
    await page.locator(`${operation} .execute`).click()
    const status = (await answered).status()
    const shown = page.locator(`${operation} .live-responses-table .response-col_status`)
    await shown
      .filter({ hasText: String(status) })
      .first()
      .waitFor()
    return status
  }

  test('shows every group of operations', async () => {
    const { page } = browser
    await page.goto(`${service.url}/apidoc`)
    await page.locator('.opblock-tag').first().waitFor()
    const tags = await page.locator('.opblock-tag').evaluateAll(all => all.map(one => one.getAttribute('data-tag')))
    expect(tags).toEqual(expect.arrayContaining(['accounts', 'countries', 'management', 'users']))
  })

  test('sends an operation as the person who signed in, and as nobody before', async () => {
    const { page } = browser
    await page.locator('.opblock-tag[data-tag="users"]').click()
    await page.locator(`${operation} .opblock-summary-control`).click()
    await page.locator(`${operation} .try-out__btn`).click()
    expect(await tryIt()).toBe(401)
    await page.locator('.auth-wrapper .authorize').first().click()
    await page.locator('#auth-basic-username').fill('admin')
    await page.locator('#auth-basic-password').fill('admin')
    await page
      .locator('form', { has: page.locator('#auth-basic-username') })
      .locator('[type="submit"]')
      .click()
    await page.locator('.btn-done').first().click()
    expect(await tryIt()).toBe(200)
    expect(await page.locator(`${operation} .live-responses-table .highlight-code`).first().textContent()).toContain(
      'admin',
    )
  })

  test('asks nobody else for anything, and breaks no policy', () => {
    expect(browser.foreign).toEqual([])
    expect(browser.complaints.filter(text => !text.includes('401'))).toEqual([])
  })

  test('its policy names no other origin and allows no script or style inside the page', async () => {
    for (const path of ['/', '/apidoc', '/apidoc/assets/swagger-ui-bundle.js']) {
      const policy = (await service.as('nobody').get(path)).headers.get('content-security-policy') ?? ''
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("connect-src 'self';")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    }
  })
})
