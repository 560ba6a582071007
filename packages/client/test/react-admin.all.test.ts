// The real react-admin in a real browser, on the providers of the client.

import { fresh, startLibrary } from '@plinth/test-kit/library'
import type { TestService } from '@plinth/test-kit/service'
import { until } from '@plinth/test-kit/waiting'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, type PlinthClient } from '../src/index.ts'
import { type AppBrowser, openAppBrowser } from './browser-app.ts'
import type { LibrarySchema } from './library-schema.ts'

let service: TestService
let browser: AppBrowser
let page: Page
let staff: PlinthClient<LibrarySchema>
const word = fresh('ra')

beforeAll(async () => {
  service = await startLibrary('sqlite')
  browser = await openAppBrowser(service.url, 'admin-app')
  page = browser.page
  staff = createClient<LibrarySchema>({
    url: service.url,
    headers: () => ({ Authorization: `Basic ${btoa('staff:staff')}` }),
  })
  const author = await staff.authors.create({ name: `${word} Le Guin` })
  const shelf = await staff.shelves.create({ name: `${word} attic` })
  await staff.shelves.create({ name: `${word} cellar` })
  await staff.books.createMany([
    { title: `${word} Always`, pages: 523, shelf: shelf.pk, authors: [author.pk] },
    { title: `${word} Rocannon`, pages: 136 },
    { title: `${word} Earthsea`, pages: 205, shelf: shelf.pk },
  ])
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

/** The titles in the list, in its order. */
const titles = async (): Promise<string[]> =>
  (await page.locator('tbody tr td.column-title').allTextContents()).map(text => text.slice(word.length + 1))

const lists = async (...expected: readonly string[]): Promise<void> =>
  void (await until(`the list ${expected.join()}`, async () => (await titles()).join() === expected.join()))

test('a user signs in, and the list is searched, filtered and sorted', async () => {
  await browser.visit(page, '/books')
  await page.fill('input[name=username]', 'staff')
  await page.fill('input[name=password]', 'staff')
  await page.click('button[type=submit]')
  // React-admin ignores a search that is typed while the page is still being built.
  await lists('Always', 'Earthsea', 'Rocannon')
  await page.fill('input[name=q]', word)
  // The list looks the same before, and a search that comes later would undo the sort.
  await until('the search', () => page.url().includes(word))
  await lists('Always', 'Earthsea', 'Rocannon')
  await page.click('th.column-pages span[role=button]')
  await lists('Rocannon', 'Earthsea', 'Always')
  await page.click('th.column-pages span[role=button]')
  await lists('Always', 'Earthsea', 'Rocannon')
  await page.fill('input[name=pages_gte]', '200')
  await lists('Always', 'Earthsea')
  await page.fill('input[name=pages_gte]', '')
  await lists('Always', 'Earthsea', 'Rocannon')
  await page.fill('input[name=q]', `${word} ATTIC`)
  await lists('Always', 'Earthsea')
  await page.fill('input[name=q]', word)
  await lists('Always', 'Earthsea', 'Rocannon')
})

test('references show the related records', async () => {
  await until('the shelves', async () => (await page.locator(`text=${word} attic`).count()) === 2)
  await until('the author', async () => (await page.locator(`text=${word} Le Guin`).count()) === 1)
  await page.locator(`text=${word} attic`).first().click()
  await page.waitForURL(/shelves\/.*show/)
  await lists('Earthsea', 'Always')
})

test('a record is edited, with a reference, and problems are shown at their fields', async () => {
  const filter = encodeURIComponent(JSON.stringify({ q: `${word} Rocannon` }))
  await page.evaluate(`location.hash = '#/books?filter=${filter}'`)
  await lists('Rocannon')
  await page.locator('tbody tr a[aria-label=Edit]').click()
  await page.fill('input[name=pages]', '-5')
  await page.click('button[type=submit]')
  await until('the problem of the field', async () => (await page.locator('p.Mui-error').count()) === 1)
  await page.fill('input[name=pages]', '137')
  const shelf = page.locator('[role=combobox]')
  await shelf.click()
  await page.locator(`[role=option]:has-text("${word} cellar")`).click()
  await until('the chosen shelf', async () => (await shelf.textContent()) === `${word} cellar`)
  await page.click('button[type=submit]')
  await lists('Rocannon')
  const changed = await staff.books.first({ where: { title: `${word} Rocannon` } })
  expect([changed?.pages, changed?.shelf?.name]).toEqual([137, `${word} cellar`])
  await until('the new shelf', async () => (await page.locator(`td >> text=${word} cellar`).count()) === 1)
})

test('a session that has ended leads to the sign-in page', async () => {
  await page.locator('tbody tr a[aria-label=Edit]').click()
  await page.fill('input[name=pages]', '138')
  await browser.context.clearCookies()
  await page.click('button[type=submit]')
  await page.waitForSelector('input[name=username]')
  expect(browser.foreign).toEqual([])
})
