// Management in a real browser: how the service fares, its levels, its trail, its errors, its mails and its connections.

import { testAll } from '@plinth/test-kit/extent'
import { inLooks, type Screens } from '@plinth/test-kit/screens'
import type { TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { waitingFor } from '@plinth/test-kit/waiting'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { json, openManagement } from './scene.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let service: TestService
let screens: Screens
let logPk: string
beforeAll(async () => {
  ;({ service, screens, logPk } = await openManagement())
})
afterAll(async () => {
  await screens?.close()
  await service?.stop()
})

test('health shows every part', async () => {
  const { page, visit } = screens
  await visit('/management')
  // Demo data have findings, which the page of the doctor lists: both pages say so.
  await page.getByText('Running, but needs attention').waitFor()
  const findings = await page.getByRole('link', { name: /^The doctor has \d+ findings?\.$/ }).textContent()
  const [count] = findings?.match(/\d+/) ?? []
  await page.getByRole('link', { name: `Doctor (${count})` }).waitFor()
  for (const part of ['Database', 'Disk space', 'E-mail', 'Network nodes', 'Build'])
    await page.getByRole('heading', { name: part }).waitFor()
})

testAll('a service that is down is shown with its report', async () => {
  const { page, load } = screens
  await page.route('**/api/management/health', route =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: JSON.stringify({ status: 'DOWN', db: { status: 'DOWN', error: 'Error' } }),
    }),
  )
  await load('/management')
  await page.getByText('Unhealthy').waitFor()
  await page.getByRole('heading', { name: 'Database' }).waitFor()
  await page.unroute('**/api/management/health')
})

/** Where a chart has its grid lines and the labels of its values, from the top. */
interface ChartLines {
  readonly lines: readonly number[]
  readonly labels: readonly number[]
}

testAll('metrics are drawn as they come, stand in tables too, and can be held', async () => {
  const { page, visit } = screens
  await visit('/management/metrics')
  await page.getByRole('heading', { name: 'Memory' }).waitFor()
  await page.locator('.recharts-line').first().waitFor()
  const charts = await page.evaluate<ChartLines[]>(`[...document.querySelectorAll('.recharts-wrapper')].map(chart => {
    const middle = element => { const { top, bottom } = element.getBoundingClientRect(); return (top + bottom) / 2 }
    const placesOf = parts => [...chart.querySelectorAll(parts)].map(middle).sort((one, other) => one - other)
    return { lines: placesOf('.recharts-cartesian-grid-horizontal line'), labels: placesOf('.recharts-yAxis-tick-labels text') }
  })`)
  expect(charts.length).toBeGreaterThan(0)
  for (const { lines, labels } of charts) {
    expect(labels.length).toBeGreaterThan(1)
    expect(labels).toHaveLength(lines.length)
    for (const [at, label] of labels.entries()) expect(Math.abs(label - (lines[at] ?? 0))).toBeLessThan(3)
  }
  await page.getByText('Table', { exact: true }).click()
  const memory = page.getByRole('table', { name: 'Memory' })
  await expect.poll(() => memory.getByRole('row').count()).toBeGreaterThan(2)
  await page.getByRole('switch', { name: /Live/ }).click()
  await page.getByLabel('Filter by name').fill('heap.used')
  const numbers = page.getByRole('table', { name: 'All metrics' })
  expect(await numbers.getByRole('row').count()).toBe(2)
})

test('the level of a logger changes at once, and follows the root again', async () => {
  const { page, visit } = screens
  await visit('/management/loggers')
  const level = page.getByLabel('Level of http', { exact: true })
  await level.selectOption('DEBUG')
  await page.getByText('http now logs at level DEBUG.').waitFor()
  const read = async () => (await service.as('admin').get('/api/management/loggers/http')).body
  expect(await read()).toMatchObject({ configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' })
  await level.selectOption('')
  await page.getByText('http now logs at level ERROR.').waitFor()
  expect((await read()).configuredLevel).toBeNull()
})

test('jobs show their schedule and last run, and can be started', async () => {
  const { page, visit } = screens
  await visit('/management/jobs')
  const row = page.getByRole('row').filter({ hasText: 'sweep-core' })
  await row.getByText('every 1 hour').waitFor()
  await row.getByText('succeeded').waitFor()
  await row.getByRole('button', { name: 'Run sweep-core now' }).click()
  await page.getByText('sweep-core has been started.').waitFor()
  await row.getByText('started by admin').waitFor()
  await row.getByRole('button', { name: 'Show the runs of sweep-core' }).click()
  const runs = page.getByRole('table', { name: 'Runs of sweep-core' })
  await expect.poll(() => runs.getByRole('row').count()).toBeGreaterThan(2)
  await page.keyboard.press('Escape')
})

testAll('the audit trail is narrowed by person, kind and time', async () => {
  const { page, visit } = screens
  await visit('/management/audit')
  await page.getByRole('cell', { name: 'LOG_LEVEL_CHANGED' }).first().waitFor()
  await page.getByLabel('User', { exact: true }).fill('simple')
  await page.getByRole('cell', { name: 'INVITED' }).waitFor()
  await expect.poll(() => page.getByRole('cell', { name: 'LOG_LEVEL_CHANGED' }).count()).toBe(0)
  await page.getByLabel('From').fill('2999-01-01T00:00')
  await page.getByText('No matching events').waitFor()
})

testAll('traces name path, status and caller, without credentials', async () => {
  const { page, visit } = screens
  await service.as('simple').get('/api/management/env')
  await visit('/management/traces')
  await page.getByRole('switch', { name: 'Errors only' }).click()
  await page.getByLabel('Filter by path').fill('management/env')
  const row = page.getByRole('row').filter({ hasText: '/api/management/env' })
  await row.getByText('403').waitFor()
  await row.getByText('simple').waitFor()
  await row.getByText('Details').click()
  expect(await page.getByRole('main').textContent()).not.toContain(btoa('simple:simple'))
})

test('settings are found by name, with their source, and secrets are masked', async () => {
  const { page, visit } = screens
  await visit('/management/environment')
  await page.getByLabel('Filter by name or value').fill('tokenSigningKey')
  const row = page.getByRole('row').filter({ hasText: 'app.jwt.tokenSigningKey' })
  await row.getByText('******').waitFor()
  await row.getByText('command line').waitFor()
  await page.getByLabel('Filter by name or value').fill('')
  await page.getByRole('cell', { name: 'app.jwt.tokenIssuer' }).waitFor()
  expect(await page.content()).not.toContain('canary')
})

test('errors lead from their kind to the stack trace and to each of them', async () => {
  const { page, visit } = screens
  await visit('/management/errors')
  await page.getByRole('link', { name: 'the printer is on fire' }).click()
  await page.getByRole('region', { name: 'Stack trace' }).getByText('frame39').waitFor()
  await page.getByRole('link', { name: 'It failed' }).click()
  await page.getByText('/api/rest/films').waitFor()
  await page.getByRole('link', { name: 'Stack trace and all errors with this cause' }).waitFor()
  await visit('/management/errors?view=each&kind=client')
  await page.getByRole('link', { name: 'TypeError: x is not a function' }).waitFor()
  expect(await page.getByRole('link', { name: 'It failed' }).count()).toBe(0)
})

testAll('a new error appears while one looks', async () => {
  const { page, visit } = screens
  await visit('/management/errors?view=each')
  await page.getByRole('img', { name: /^Live/ }).waitFor()
  await service.as('anonymous').post('/api/rest/clientErrors', { message: 'RangeError: just now' }, json)
  await page.getByRole('link', { name: 'RangeError: just now' }).waitFor()
})

testAll('mails are listed, downloaded and deleted', async () => {
  const { page, visit } = screens
  await visit('/management/mails')
  const row = page.getByRole('row').filter({ hasText: 'ada@example.org' })
  await row.getByText('sent', { exact: true }).waitFor()
  const downloading = page.waitForEvent('download')
  await row.getByRole('link', { name: 'Download the e-mail to ada@example.org' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/\.eml$/)
  await row.getByRole('button', { name: 'Delete the e-mail to ada@example.org' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No e-mails').waitFor()
})

testAll('the connection of another user is listed and closed', async () => {
  const { page, visit } = screens
  const { session, closed } = await connect(service.url, credentialsOf('simple'))
  await visit('/management/sessions')
  await page.getByRole('button', { name: 'Disconnect simple' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('Connection closed.').waitFor()
  expect((await service.as('admin').get(`/api/rest/stompSessions/${session}`, json)).status).toBe(404)
  await waitingFor('the connection to be closed', closed)
})

test('site operators see errors and connections only', async () => {
  const { page, signIn, visit } = screens
  await signIn('operator')
  await visit('/management')
  await page.waitForURL('**/management/errors')
  const pages = page.getByRole('navigation', { name: 'Management pages' }).getByRole('link')
  expect(await pages.allTextContents()).toEqual(['Errors', 'Connections'])
  await visit('/management/environment')
  await page.getByText('Page not found').waitFor()
  await signIn('admin')
})

const pagesOfEndpoints = [
  ['/management/health', 'health'],
  ['/management/metrics', 'metrics'],
  ['/management/jobs', 'jobs'],
  ['/management/loggers', 'loggers'],
  ['/management/audit', 'auditevents'],
  ['/management/traces', 'trace'],
  ['/management/environment', 'env'],
] as const

testAll.each(pagesOfEndpoints)(
  '%s says in place that the service does not answer, and asks again',
  async (path, endpoint) => {
    const { page, load } = screens
    await page.route(`**/api/management/${endpoint}*`, route => route.abort())
    await load(path)
    await page.getByRole('alert').getByText('The service is not responding').first().waitFor()
    await page.unroute(`**/api/management/${endpoint}*`)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('alert').first().waitFor({ state: 'detached' })
  },
)

testAll.each(
  inLooks([
    ['/management/health', 'Build'],
    ['/management/metrics', 'All metrics'],
    ['/management/jobs', 'sweep-core'],
    ['/management/loggers', 'ROOT'],
    ['/management/audit', 'MANAGEMENT_READ'],
    ['/management/traces', '/api/management'],
    ['/management/environment', 'app.baseUrl'],
    ['/management/errors', 'the printer is on fire'],
    ['/management/errors?view=each', 'It failed'],
    ['log', 'Errors with this cause'],
    ['/management/mails', 'No e-mails'],
    ['/management/sessions', 'you'],
  ]),
)('$path is accessible and fits on a $look', async ({ look, path, text }) => {
  const { page, visit } = screens
  await visit(path === 'log' ? `/management/errors/logs/${logPk}` : path, look)
  await page.getByRole('main').getByText(text).first().waitFor()
  await screens.expectAccessible()
  await screens.expectFitting()
})

test('none of that sent requests to other hosts', () => {
  expect(screens.browser.foreign).toEqual([])
})
