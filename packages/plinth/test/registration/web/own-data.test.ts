// The page of the own data: an export that is downloaded, and the deletion of the account, which is confirmed and cancelled.

import { seriousFaults } from '@plinth/test-kit/axe'
import { arrive, patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arrive()
  await visitor.signIn('simple')
})
afterAll(() => visitor.leave())

test('people export their data and download it', async () => {
  const { page } = visitor
  await visitor.visit('/account')
  await page.getByRole('tab', { name: 'Your data' }).click()
  await page.getByRole('button', { name: 'Make an export' }).click()
  await page.getByText(/is ready: [\d.,]+ kB/).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('simple.zip')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Make an export' }).waitFor()
})

test('people ask for the deletion of their account, and change their mind', async () => {
  const { page } = visitor
  await visitor.visit('/account/data')
  await page.getByText(/Deleted with your account: .*Contact details/).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText(/Your account will be deleted on/).waitFor()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.getByText('Your account stays.').waitFor()
  await page.getByRole('button', { name: 'Delete my account' }).waitFor()
  expect(visitor.complaints).toEqual([])
})
