// Imports in the web client: columns of names, progress on other pages, the question before the tab is closed, and refused rows.

import { readFile } from 'node:fs/promises'
import { testAll } from '@plinth/test-kit/extent'
import { patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { arriveAtResources, json } from './resources-scene.ts'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arriveAtResources()
})
afterAll(() => visitor.leave())

const main = () => visitor.page.getByRole('main')

const openImport = async (resource: string, lines: readonly string[]): Promise<void> => {
  await visitor.visit(`/resources/${resource}/import`)
  const buffer = Buffer.from(lines.join('\n'))
  await visitor.page
    .locator('input[type=file]')
    .setInputFiles({ name: `${resource}.csv`, mimeType: 'text/csv', buffer })
  await main().getByRole('button', { name: 'Check' }).waitFor()
}

const fieldOf = (header: string) => main().getByRole('row').filter({ hasText: header }).getByRole('combobox')

test('a column of names is mapped to the names of related records, a column of keys to their keys', async () => {
  const admin = visitor.service.as('admin')
  const [strategy] = (await admin.get('/api/rest/filmPricingStrategies?_ps=1', json)).body.content
  await openImport('films', ['title,pricingStrategy', `One,${strategy.name}`, 'Two,Nope'])
  await expect.poll(() => fieldOf('pricingStrategy').inputValue()).toMatch(/\(name\)$/i)
  await openImport('films', ['title,pricingStrategy', `One,${strategy.pk}`])
  await expect.poll(() => fieldOf('pricingStrategy').inputValue()).toMatch(/\(pk\)$/i)
})

test('refused rows are counted by reason, shown with their cells, and offered as a file', async () => {
  await openImport('films', ['title,pricingStrategy', 'Lost One,Nope', 'Lost Two,Nope', 'Lost Three,Neither'])
  await main().getByRole('button', { name: 'Check' }).click()
  await main().getByText('3 rows refused').waitFor()
  const reasons = main().getByRole('table', { name: 'Reasons' })
  await reasons.getByText('Nope, Neither').waitFor()
  const [download] = await Promise.all([
    visitor.page.waitForEvent('download'),
    main().getByRole('button', { name: 'Download refused rows' }).click(),
  ])
  const file = await readFile(await download.path(), 'utf8')
  expect(
    file
      .split('\r\n')
      .slice(0, 2)
      .map(line => line.replace('\ufeff', '').split(',').slice(0, 2)),
  ).toEqual([
    ['title', 'pricingStrategy'],
    ['Lost One', 'Nope'],
  ])
})

testAll('an import goes on while the user visits other pages, and asks before the tab is closed', async () => {
  const { page } = visitor
  const lines = ['name', ...Array.from({ length: 20_000 }, (_, at) => `Light ${at}`)]
  await openImport('lighthouses', lines)
  await main().getByRole('button', { name: 'Import', exact: true }).click()
  await main().getByRole('progressbar').waitFor()
  await page.getByRole('banner').getByRole('link').first().click()
  const work = page.getByRole('button', { name: 'One task is running' })
  await work.click()
  await page
    .getByText(/rows? imported …|of .* rows imported …/)
    .first()
    .waitFor()
  const request = new Promise<string>(resolve => {
    page.once('dialog', dialog => {
      resolve(dialog.type())
      void dialog.dismiss()
    })
  })
  await page.close({ runBeforeUnload: true })
  expect(await request).toBe('beforeunload')
  await page.getByRole('link', { name: 'Show' }).click()
  await main().getByRole('button', { name: 'Cancel' }).click()
  await main()
    .getByText(/^The import was cancelled/)
    .waitFor()
  await expect.poll(() => work.count()).toBe(0)
})
