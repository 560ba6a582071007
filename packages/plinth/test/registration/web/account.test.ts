// The own account: what the service knows of a person, and how they get in.

import { testAll } from '@plinth/test-kit/extent'
import { rewriteRows } from '@plinth/test-kit/rewrite-rows'
import { arrive, patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arrive()
  await visitor.signIn('simple')
})
afterAll(() => visitor.leave())

const main = () => visitor.page.getByRole('main')
const section = (title: string) =>
  main().locator('section', { has: visitor.page.getByRole('heading', { name: title }) })
const says = (text: string) => visitor.page.getByText(text).first().waitFor()

/** One dark pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

test('the profile is changed, a metadatum is added, and the header follows', async () => {
  const { page, service } = visitor
  await visitor.visit('/account')
  await page.getByRole('textbox', { name: 'First name' }).fill('Petra')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Plain')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('shoeSize')
  await page.getByRole('textbox', { name: 'Value' }).fill('42')
  await page.getByRole('button', { name: 'Save' }).click()
  await says('Saved.')
  await page.getByRole('button', { name: 'Account menu of Petra Plain' }).waitFor()
  const { body } = await service
    .as('simple')
    .get('/api/rest/users/byUserNameOrEmail/simple', { Accept: 'application/json' })
  expect(body.metadata).toEqual({ shoeSize: '42' })
})

// The same drafts of forms are tested with records of resources.
testAll('a profile that was not saved is there again after the session has ended and one has signed in', async () => {
  const { page, context, service } = visitor
  await visitor.load('/account')
  const description = page.getByRole('textbox', { name: 'Description' })
  await description.fill('Half a sentence')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('textbox', { name: /^Username or/ }).fill('simple')
  await page.getByRole('textbox', { name: /^Password/ }).fill('simple')
  await main().getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${service.url}/client/account`)
  await page.getByText('We restored your unsaved changes.').waitFor()
  expect(await description.inputValue()).toBe('Half a sentence')
  await page.getByRole('button', { name: 'Save' }).click()
  await says('Saved.')
  expect(await page.getByText('We restored your unsaved changes.').count()).toBe(0)
  await visitor.load('/account')
  await expect.poll(() => description.inputValue()).toBe('Half a sentence')
})

testAll('a picture is uploaded, shown and taken away', async () => {
  const { page } = visitor
  await visitor.visit('/account')
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose picture' }).click()
  await (await chosen).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
  await says('Picture changed.')
  const avatar = page.locator('header img[src*="/files/avatarUrl"]')
  await avatar.waitFor()
  await expect
    .poll(() => page.evaluate('document.querySelector("header img[src*=avatarUrl]").naturalWidth'))
    .toBeGreaterThan(0)
  await main().getByRole('button', { name: 'Remove', exact: true }).click()
  await says('Picture removed.')
  await expect.poll(() => avatar.count()).toBe(0)
})

testAll('a file that is no picture is refused in place', async () => {
  const { page } = visitor
  await visitor.visit('/account')
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose picture' }).click()
  await (await chosen).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('<html>') })
  await section('Picture').getByRole('alert').waitFor()
})

testAll('setting up the second factor can be left at any step, and the focus goes along', async () => {
  const { page } = visitor
  await visitor.visit('/account/security')
  const form = section('Two-factor authentication')
  const press = (name: string) => form.getByRole('button', { name }).click()
  const focused = page.locator(':focus')
  await press('Set up')
  await press('Cancel')
  expect(await focused.textContent()).toBe('Set up')
  await press('Set up')
  await form.getByRole('textbox', { name: /^Current password/ }).fill('wrong')
  await press('Set up')
  await form.getByText('Wrong password.').waitFor()
  await expect.poll(() => focused.textContent()).toBe('Set up')
  await form.getByRole('textbox', { name: /^Current password/ }).fill('simple')
  await press('Set up')
  await form.getByRole('img', { name: /^QR code/ }).waitFor()
  expect(await focused.getAttribute('name')).toBe('code')
  await page.keyboard.type('000000')
  await press('Turn on')
  await form.getByText(/ is wrong or has expired\.$/).waitFor()
  expect(await form.getByText('password').count()).toBe(0)
  await press('Cancel')
  expect(await focused.textContent()).toBe('Set up')
})

testAll('in German, errors of an entry are shown in German', async () => {
  const { page } = visitor
  await page.evaluate('localStorage.setItem("plinth.language", "de")')
  await visitor.load('/account/security')
  const form = section('Passwort')
  await form.getByRole('textbox', { name: /^Aktuelles Passwort/ }).fill('simple')
  await form.getByRole('textbox', { name: /^Neues Passwort$/ }).fill('kurz')
  await form.getByRole('textbox', { name: /^Neues Passwort wiederholen/ }).fill('kurz')
  await form.getByRole('button', { name: 'Passwort ändern' }).click()
  await form.getByText('Geben Sie mindestens 8 Zeichen ein.').waitFor()
  await page.evaluate('localStorage.setItem("plinth.language", "en")')
  await visitor.load('/account')
})

test('the password is changed only with the present one', async () => {
  const { page } = visitor
  await visitor.visit('/account/security')
  const form = section('Password')
  const fill = async (current: string, next: string) => {
    await form.getByRole('textbox', { name: /^Current password/ }).fill(current)
    await form.getByRole('textbox', { name: /^New password$/ }).fill(next)
    await form.getByRole('textbox', { name: /^Repeat new password/ }).fill(next)
    await form.getByRole('button', { name: 'Change password' }).click()
  }
  await fill('wrong', 'quite another sentence')
  await form.getByText('Wrong password.').waitFor()
  await fill('simple', 'short')
  await form.locator('input[name=password][aria-invalid=true]').waitFor()
  await fill('simple', 'quite another sentence')
  await says('Password changed.')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
})

testAll('the username is changed, unless it is taken', async () => {
  const { page } = visitor
  await visitor.visit('/account/security')
  const form = section('Username')
  const change = async (name: string) => {
    await form.getByRole('textbox', { name: /^New username/ }).fill(name)
    await form.getByRole('textbox', { name: /^Current password/ }).fill('quite another sentence')
    await form.getByRole('button', { name: 'Change username' }).click()
  }
  await change('staff')
  await form.getByText(/taken/).first().waitFor()
  await change('simpler')
  await says('Username changed.')
  await page.getByRole('button', { name: 'Account menu of Petra Plain' }).click()
  await page.keyboard.press('Escape')
})

testAll('other devices are listed and signed out, one and all', async () => {
  const { page, service } = visitor
  const signIn = () =>
    service.as('anonymous').post('/api/auth/userDetails', { username: 'simpler', password: 'quite another sentence' })
  for (let device = 0; device < 3; device += 1) expect((await signIn()).status).toBe(200)
  await visitor.visit('/account/sessions')
  const list = section('Devices').getByRole('listitem')
  await expect.poll(() => list.count()).toBe(4)
  await main().getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await expect.poll(() => list.count()).toBe(3)
  await main().getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await says('You are not signed in on any other device.')
  expect(await list.count()).toBe(1)
})

testAll('a key for a program is shown once, works, and is revoked', async () => {
  const { page, service } = visitor
  await visitor.visit('/account/keys')
  await main().getByText('No API keys yet').waitFor()
  await main().getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('the nightly job')
  await dialog.getByLabel(/^Expires/).fill('2001-01-01')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.locator('input[type=date][aria-invalid=true]').waitFor()
  const soon = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel(/^Expires/).fill(soon)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await says('Copy it now')
  const key = (await page.locator('[role=status] code').textContent()) ?? ''
  const read = () => service.as('anonymous').get('/api/rest/films?_ps=1', { Authorization: `Bearer ${key}` })
  expect((await read()).status).toBe(200)
  await page.reload()
  await main().getByText('the nightly job').waitFor()
  expect(await page.getByText(key).count()).toBe(0)
  await main().getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await says('API key revoked.')
  expect((await read()).status).toBe(401)
})

test('a new key takes the password again long after the sign-in, and a new password offers to revoke it', async () => {
  const { page, service } = visitor
  await rewriteRows(service.app, 'sessions', () => ({ created: '2001-01-01T00:00:00.000Z', verified: null }))
  await visitor.visit('/account/keys')
  await main().getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  const make = () => dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('the weekly job')
  await make()
  const question = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  const password = question.getByLabel(/^Password/)
  await password.fill('wrong')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await question.getByText('Wrong password.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByText('Your last sign-in was too long ago').waitFor()
  await make()
  await password.fill('quite another sentence')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await says('Copy it now')
  const key = (await page.locator('[role=status] code').textContent()) ?? ''
  const read = () => service.as('anonymous').get('/api/rest/films?_ps=1', { Authorization: `Bearer ${key}` })
  await visitor.visit('/account/security')
  const form = section('Password')
  await form.getByRole('textbox', { name: /^Current password/ }).fill('quite another sentence')
  await form.getByRole('textbox', { name: /^New password$/ }).fill('one more sentence')
  await form.getByRole('textbox', { name: /^Repeat new password/ }).fill('one more sentence')
  await form.getByRole('button', { name: 'Change password' }).click()
  await form.getByText('Your API keys are still valid').waitFor()
  await form.getByText('the weekly job').waitFor()
  expect((await read()).status).toBe(200)
  await form.getByRole('button', { name: 'Revoke all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all' }).click()
  await says('All API keys revoked.')
  expect((await read()).status).toBe(401)
})

testAll('an address below the account that does not exist is not found', async () => {
  await visitor.visit('/account/nothing')
  await main().getByText('Page not found').waitFor()
})
