// Reports of modules in the web client: a page for each with a table and a chart, files, and a card on the start page.

import { readFile } from 'node:fs/promises'
import { seriousFaults } from '@plinth/test-kit/axe'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { testAll } from '@plinth/test-kit/extent'
import { allModules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { patience } from '@plinth/test-kit/visitor'
import { date, defineModule, defineReport, defineResource, money, text } from 'plinth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const sales = defineResource('sales', {
  about: 'What was sold.',
  fields: {
    shop: text({ required: true, title: { en: 'Shop', de: 'Laden' } }),
    sold: date({ required: true, title: { en: 'Sold', de: 'Verkauft' } }),
    total: money({ title: { en: 'Total', de: 'Betrag' } }),
  },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

const revenue = defineReport(sales, {
  name: 'revenue',
  title: { en: 'Revenue by month', de: 'Umsatz nach Monaten' },
  about: 'What the shops have sold.',
  chart: 'bar',
  card: true,
  group: ['sold:month', 'shop'],
  count: true,
  sum: ['total'],
  avg: ['total'],
})
const secret = defineReport(sales, { name: 'audit', title: 'Audit', count: true, access: "caller.has('ROLE_ADMIN')" })

const trade = defineModule({ name: 'trade', about: 'Sales.', resources: [sales], reports: [revenue, secret] })

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startService('sqlite', { modules: [...allModules, trade] })
  const sold = [
    ['North', '2026-03-01', 10.5],
    ['North', '2026-03-31', 4.5],
    ['South', '2026-03-10', 20],
    ['North', '2026-04-01', 1234.56],
  ] as const
  await service.records.createMany(
    sales,
    sold.map(([shop, day, total]) => ({ shop, sold: day, total: Math.round(total * 100) })),
  )
  browser = await openBrowser(service.url)
  browser.page.setDefaultTimeout(30_000)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const signIn = async (username: string): Promise<void> => {
  const credentials = { data: { username, password: username } }
  expect((await browser.context.request.post(`${service.url}/api/auth/userDetails`, credentials)).status()).toBe(200)
}

/** The cells of the table by rows. */
const cells = async (): Promise<readonly (readonly string[])[]> => {
  const rows = await browser.page.getByRole('main').getByRole('table').getByRole('row').all()
  return Promise.all(rows.map(async row => (await row.getByRole('cell').allTextContents()).map(text => text.trim())))
}

testAll('without a report that one may see, there is no area of reports', async () => {
  await browser.load('/')
  await browser.page.getByRole('heading', { level: 1 }).waitFor()
  await browser.page.getByRole('navigation', { name: 'Navigation' }).getByRole('link').first().waitFor()
  expect(await browser.page.getByRole('link', { name: 'Reports' }).count()).toBe(0)
})

test('a report has a card on the start page, and a page with a chart, a table and its totals', async () => {
  await signIn('client')
  const { page, load } = browser
  await load('/')
  const card = page.getByRole('main').locator('section', { hasText: 'Revenue by month' })
  await card.locator('svg.recharts-surface').first().waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await card.getByRole('link', { name: 'Revenue by month' }).click()
  await page.getByRole('heading', { level: 1, name: 'Revenue by month' }).waitFor()
  await expect
    .poll(cells)
    .toEqual([
      [],
      ['March 2026', 'North', '2', '15.00', '7.50'],
      ['March 2026', 'South', '1', '20.00', '20.00'],
      ['April 2026', 'North', '1', '1,234.56', '1,234.56'],
      ['Total', '', '4', '1,269.56', ''],
    ])
  const legend = page.getByRole('main').locator('svg.recharts-surface')
  await legend.first().waitFor()
  expect(await seriousFaults(page)).toEqual([])
})

test('all groups are saved as a file', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('revenue.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect([lines[0], lines.length]).toEqual(['sold:month,shop,count,sum.total,avg.total', 4])
})

testAll('the list names the reports that one may see, in their language', async () => {
  const { page, load } = browser
  await page.evaluate("localStorage.setItem('plinth.language', 'de')")
  await load('/reports')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Umsatz nach Monaten' }).click()
  await page.getByRole('columnheader', { name: 'Betrag (Durchschnitt)' }).waitFor()
  expect((await cells())[1]).toEqual(['März 2026', 'North', '2', '15,00', '7,50'])
  await load('/reports/audit')
  await page.getByRole('heading', { level: 1, name: 'Seite nicht gefunden' }).waitFor()
  await page.evaluate("localStorage.setItem('plinth.language', 'en')")
})
