// Passkeys in a real browser, with Chromium's virtual authenticator: added in the account, used at the sign-in page, among the
// suggestions of its input, and in the dialog of acts that need a recent sign-in.

import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { rewriteRows } from '@plinth/test-kit/rewrite-rows'
import { startService, type TestService } from '@plinth/test-kit/service'
import { addVirtualAuthenticator, type VirtualAuthenticator } from '@plinth/test-kit/virtual-authenticator'
import { patience } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

let service: TestService
let browser: TestBrowser
let authenticator: VirtualAuthenticator
/** WebAuthn knows no addresses without a name. */
const at = (path: string) => `${service.url.replace('127.0.0.1', 'localhost')}/client${path}`
const page = () => browser.page
const main = () => page().getByRole('main')

beforeAll(async () => {
  service = await startService('sqlite')
  browser = await openBrowser(new URL(at('')).origin)
  page().setDefaultTimeout(60_000)
  authenticator = await addVirtualAuthenticator(browser)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const signOut = async () => {
  await browser.context.clearCookies()
  await page().goto(at('/sign-in'))
}

test('one is added in the account and renamed', async () => {
  await page().goto(at('/sign-in'))
  await page()
    .getByRole('textbox', { name: /^Username or/ })
    .fill('simple')
  await page()
    .getByRole('textbox', { name: /^Password/ })
    .fill('simple')
  await main().getByRole('button', { name: 'Sign in', exact: true }).click()
  await page()
    .getByRole('button', { name: /^Account menu/ })
    .waitFor()
  await page().goto(at('/account/security'))
  await main().getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page().getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Telephone')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page().getByText('Passkey “Telephone” added.').waitFor()
  await main().getByRole('button', { name: 'Rename the passkey Telephone' }).click()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Key ring')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await main().getByText('Key ring').waitFor()
  await main().getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Again')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('This device already has a passkey for your account.').waitFor()
})

test('it opens the account without a username', async () => {
  await signOut()
  await page()
    .getByRole('button', { name: /^Account menu/ })
    .waitFor()
})

test('it confirms who is there, and the act goes on', async () => {
  await rewriteRows(service.app, 'sessions', () => ({ verified: null }))
  await page().goto(at('/account/sessions'))
  await service.as('simple').post('/api/auth/userDetails', { username: 'simple', password: 'simple' })
  await page().reload()
  await main().getByRole('button', { name: 'Sign out', exact: true }).first().click()
  const question = page().getByRole('dialog', { name: 'Confirm that it’s you' })
  await question.getByRole('button', { name: 'Use a passkey instead' }).click()
  await question.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await question.waitFor({ state: 'detached' })
})

test('a copy of it is refused at the sign-in page', async () => {
  await authenticator.replaceByCopy()
  await signOut()
  await page().getByText('This passkey does not open an account here').waitFor()
  const { body } = await service.as('admin').get('/api/management/auditevents?type=PASSKEY_CLONE_SUSPECTED')
  expect(body.events.length).toBeGreaterThan(0)
})
