// The documentation site, built and served as a package has it: every page is accessible, and readers find what they search for.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seriousFaults } from '@plinth/test-kit/axe'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { make } from '../http/test-server.ts'

vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 })

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = join(root, 'packages/docs/dist')

const files = { prefix: '/docs', folder, fallback: 'index.html', cleanUrls: true, inlineStyles: true }

let server: ReturnType<typeof make>['server']
let browser: TestBrowser
let site: string
beforeAll(async () => {
  if (!existsSync(join(folder, 'index.html')))
    execFileSync('npm', ['run', '--silent', 'docs'], { cwd: root, stdio: 'ignore' })
  server = make([], { staticFiles: [files] }).server
  const url = await server.listen()
  site = `${url}/docs/`
  browser = await openBrowser(url)
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const pages = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.html'))

test.each(['light', 'dark'] as const)('every page is accessible and follows its policy when %s', async colorScheme => {
  const { page, complaints, foreign } = browser
  await page.emulateMedia({ colorScheme })
  expect(pages().length).toBeGreaterThan(40)
  const faults: Record<string, string[]> = {}
  for (const name of pages()) {
    await page.goto(site + name)
    const found = await seriousFaults(page)
    if (found.length > 0) faults[name] = found
  }
  expect(faults).toEqual({})
  expect([complaints, foreign]).toEqual([[], []])
})

test('names in the tables of reference pages stay in one line', async () => {
  const { page } = browser
  for (const name of ['settings', 'commands', 'field-types', 'errors']) {
    await page.goto(`${site}${name}.html`)
    const names = page.locator('.vp-doc td:first-child code')
    expect(await names.count(), name).toBeGreaterThan(5)
    const broken = await names.evaluateAll(all =>
      all.filter(one => one.getClientRects().length > 1).map(one => one.textContent),
    )
    expect(broken, name).toEqual([])
  }
})

/** What people type, and the page that answers it. */
const searches = [
  ['own records', 'permissions'],
  ['cors', 'security'],
  ['409 conflict', 'questions'],
  ['idempotency', 'formats'],
  ['pagination', 'queries'],
  ['full-text search', 'questions'],
  ['backup', 'backup'],
  ['point in time restore', 'backup'],
  ['rename a field', 'questions'],
  ['roll back', 'questions'],
  ['migration', 'upgrades'],
  ['history', 'history'],
  ['restore a deleted record', 'trash'],
  ['import csv', 'import-export'],
  ['export excel', 'import-export'],
  ['webhook signature', 'webhooks'],
  ['upload a file', 'files'],
  ['cron', 'jobs'],
  ['send an email', 'mail'],
  ['docker', 'operations'],
  ['rate limit', 'operations'],
  ['two-factor', 'security'],
  ['api key', 'security'],
  ['python', 'python'],
  ['react-admin', 'react-admin'],
  ['react hooks', 'client'],
  ['mobile app', 'mobile'],
  ['openapi', 'client'],
  ['unit test', 'testing'],
  ['logo', 'branding'],
] as const

test('a search finds the page that answers it among the first results', async () => {
  const { page } = browser
  await page.goto(site)
  await page.keyboard.press('Control+k')
  const missed: Record<string, readonly string[]> = {}
  for (const [words, expected] of searches) {
    await page.fill('#localsearch-input', words)
    await page.locator('#localsearch-list a, .VPLocalSearchBox .no-results').first().waitFor()
    const links = await page
      .locator('#localsearch-list a')
      .evaluateAll(all => all.map(one => one.getAttribute('href') ?? ''))
    const found = links.slice(0, 5).map(link => link.replace(/^\/docs\/|\.html.*$/g, ''))
    if (!found.includes(expected)) missed[words] = found
    await page.fill('#localsearch-input', '')
    await page.locator('#localsearch-list a').first().waitFor({ state: 'detached' })
  }
  expect(missed).toEqual({})
})
