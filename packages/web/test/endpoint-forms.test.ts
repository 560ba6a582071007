// Forms that pages of modules make for endpoints, which need no button and may be at any address.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seriousFaults } from '@plinth/test-kit/axe'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { testAll } from '@plinth/test-kit/extent'
import { patience } from '@plinth/test-kit/visitor'
import { choice, defineEndpoint, defineModule, integer, text } from 'plinth'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const printed: object[] = []

const printLabels = defineEndpoint({
  method: 'PUT',
  path: '/api/printers/{printer}/labels',
  id: 'printLabels',
  summary: 'Print labels',
  access: 'caller.signedIn',
  body: {
    copies: integer({ required: true, min: 1, max: 9, title: { en: 'Copies', de: 'Anzahl' } }),
    paper: choice(['white', 'yellow'], { default: 'white' }),
    by: text({ required: true }),
  },
  answers: { 204: 'They are printed.' },
  run: ({ params, body }) => void printed.push({ ...params, ...body }),
})

const findLabels = defineEndpoint({
  method: 'GET',
  path: '/api/labels',
  id: 'findLabels',
  summary: 'Find labels',
  access: 'true',
  query: { word: text({ required: true }) },
  answers: { 200: { about: 'The word.', content: { 'application/json': { type: 'string' } } } },
  answer: ({ query }) => ({
    kind: 'bytes',
    mediaType: 'application/json',
    body: Buffer.from(JSON.stringify(query.word)),
  }),
})

const pages = `
import { defineArea, defineWeb, hooksFor, notify } from '@plinth/web'
const { EndpointForm } = hooksFor()
const Page = () => (
  <>
    <h1>Labels</h1>
    <EndpointForm
      route="PUT /api/printers/{printer}/labels"
      params={{ printer: 'front desk' }}
      values={{ by: 'page' }}
      submit="Print"
      onDone={() => notify('Printed')}
    />
    <EndpointForm route="GET /api/labels" onDone={word => notify('Found ' + word)} />
    <EndpointForm route="POST /api/nothing" onDone={() => {}} />
  </>
)
export default defineWeb({ areas: [defineArea({ path: 'labels', title: 'Labels', access: 'caller.signedIn', page: Page })] })`

const folder = mkdtempSync(join(tmpdir(), 'plinth-forms-'))
let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  const web = join(folder, 'labels.tsx')
  writeFileSync(web, pages)
  const labels = defineModule({
    name: 'labels',
    about: 'Labels.',
    resources: [],
    endpoints: [printLabels, findLabels],
    web,
  })
  service = await startPlinth({ modules: [labels], pages: true })
  browser = await openBrowser(service.url)
  const credentials = { data: { username: 'staff', password: 'staff' } }
  expect((await browser.context.request.post(`${service.url}/api/auth/userDetails`, credentials)).status()).toBe(200)
  await browser.load('/labels')
})
afterAll(async () => {
  await browser.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a form sends what the user enters to an endpoint without a button, and shows what is refused beside its field', async () => {
  const { page } = browser
  const form = page.getByRole('main').locator('form').first()
  await form.getByRole('button', { name: 'Print' }).click()
  await form.getByText('Please check the marked fields.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  // The page gives the value of this field.
  expect(await form.getByRole('textbox', { name: /^By/ }).count()).toBe(0)
  await form.getByRole('textbox', { name: /^Copies/ }).fill('3')
  await form.getByRole('button', { name: 'Print' }).click()
  await page.getByText('Printed').waitFor()
  expect(printed).toEqual([{ printer: 'front desk', copies: 3, paper: 'white', by: 'page' }])
})

testAll('a form for a read sends its fields as parameters', async () => {
  const { page } = browser
  const form = page.getByRole('main').locator('form').nth(1)
  await form.getByRole('textbox', { name: /^Word/ }).fill('blue & green')
  await form.getByRole('button', { name: 'Find labels' }).click()
  await page.getByText('Found blue & green').waitFor()
})

test('an endpoint that there is not shows a problem in place of the form', async () => {
  const { page } = browser
  expect(await page.getByRole('main').getByRole('alert').last().textContent()).toMatch(/not found|does not exist/i)
})

test('a refusal for a time says when to try again, in a sentence of its own', async () => {
  const { page } = browser
  const refusal = {
    ...{ status: 429, contentType: 'application/problem+json', headers: { 'Retry-After': '90' } },
    body: '{"code":"too_many_requests","title":"Too many requests"}',
  }
  await page.route('**/api/printers/**', route => route.fulfill(refusal), { times: 1 })
  const form = page.getByRole('main').locator('form').first()
  await form.getByRole('textbox', { name: /^Copies/ }).fill('2')
  await form.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => form.getByRole('alert').textContent()).toBe('Too many requests. Try again in 90 seconds.')
})
