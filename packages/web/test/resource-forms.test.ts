// Pages of records as people use them: what they type stays, faults go when they are corrected, and every page has one open tab.

import { testAll } from '@plinth/test-kit/extent'
import { patience, type Visitor } from '@plinth/test-kit/visitor'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { arriveAtResources, filmCalled, json } from './resources-scene.ts'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arriveAtResources()
})
afterAll(() => visitor.leave())

const main = () => visitor.page.getByRole('main')
const admin = () => visitor.service.as('admin')

testAll('one tab is open, whatever the relations of a record are called', async () => {
  const { page } = visitor
  const [role] = (await admin().get('/api/rest/roles?_ps=1', json)).body.content
  await visitor.visit(`/resources/roles/${role.pk}`)
  await page.getByRole('tab', { name: 'Members' }).waitFor()
  for (const name of ['Details', 'Members', 'History']) {
    await page.getByRole('tab', { name }).click()
    await expect.poll(() => page.locator('[role=tab][aria-selected=true]').allTextContents()).toEqual([name])
    expect(await page.getByRole('tabpanel').count()).toBe(1)
  }
})

testAll('a text that is too long stays as it was pasted, and is marked until it is shorter', async () => {
  const { page } = visitor
  await visitor.visit('/resources/films/new')
  const title = page.getByRole('textbox', { name: /^Title/ })
  await title.fill('x'.repeat(300))
  expect(await title.inputValue()).toHaveLength(300)
  await main().getByText('Too long: 300 of at most 200 characters').waitFor()
  await title.fill('A title that fits')
  await expect.poll(() => main().getByText('Too long').count()).toBe(0)
})

testAll('decimal places too many stay, and are marked', async () => {
  const { page } = visitor
  await visitor.visit('/resources/films/new')
  const cost = page.getByRole('textbox', { name: 'Replacement cost' })
  await cost.fill('1.2345')
  await cost.blur()
  await main().getByText('Enter at most 2 decimal places.').waitFor()
  expect(await cost.inputValue()).toBe('1.2345')
  await cost.fill('1.5')
  await cost.blur()
  await expect.poll(() => cost.inputValue()).toBe('1.50')
})

test('all faults of a new user are marked at once, and each goes when its field is corrected', async () => {
  const { page } = visitor
  await visitor.visit('/resources/users/new')
  await page.getByRole('textbox', { name: /^Username/ }).fill('nina')
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('not-an-address')
  await page.locator('input[name=password]').fill('123')
  await page.getByRole('button', { name: 'Save' }).click()
  const marked = () =>
    page.locator('[aria-invalid=true]').evaluateAll(inputs => inputs.map(input => input.getAttribute('name')))
  await expect.poll(marked).toEqual(['email', 'password'])
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('nina@example.org')
  await expect.poll(marked).toEqual(['password'])
})

/** An offer to undo goes by itself after some seconds. Until the end of the test it does not. */
const keepOffers = async (page: Page): Promise<() => Promise<void>> => {
  await page.evaluate(`window.usualTimeout = window.setTimeout
    window.setTimeout = (run, ms, ...rest) => (ms > 10_000 ? 0 : usualTimeout(run, ms, ...rest))`)
  return () => page.evaluate('void (window.setTimeout = window.usualTimeout)')
}

test('a creation that is answered late leaves one on the page that one has gone to', async () => {
  const { page, service } = visitor
  const { pk } = await filmCalled(visitor, 'Out of Africa')
  let answerNow = () => {}
  const held = new Promise<void>(resolve => {
    answerNow = resolve
  })
  await page.route(`${service.url}/api/rest/films`, async route => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch()
    await held
    return route.fulfill({ response })
  })
  await visitor.visit('/resources/films/new')
  await page.getByRole('textbox', { name: /^Title/ }).fill('A film in no hurry')
  await page.getByRole('combobox', { name: /^Pricing strategy/ }).fill('Regu')
  await page.getByRole('option', { name: 'Regular' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => filmCalled(visitor, 'A film in no hurry')).toBeTruthy()
  await visitor.visit(`/resources/films/${pk}/edit`)
  const notice = page.getByText('Created.', { exact: true })
  answerNow()
  await notice.waitFor()
  await page.getByRole('textbox', { name: 'Release year' }).waitFor()
  expect(page.url()).toBe(`${service.url}/client/resources/films/${pk}/edit`)
  await page.unroute(`${service.url}/api/rest/films`)
})

test('the edit page of another record shows that record', async () => {
  const { page } = visitor
  const [first, second] = (await admin().get('/api/rest/films?_ps=2&sort=title', json)).body.content
  await visitor.visit(`/resources/films/${first.pk}/edit`)
  const title = page.getByRole('textbox', { name: /^Title/ })
  await expect.poll(() => title.inputValue()).toBe(first.title)
  // As the back button does it: the page stays, and its address changes.
  await page.evaluate(
    `history.pushState({}, '', '/client/resources/films/${second.pk}/edit'); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
  )
  await expect.poll(() => title.inputValue()).toBe(second.title)
})

testAll('an undo is withdrawn when the record comes back from the trash', async () => {
  const { page } = visitor
  const made = await admin().post('/api/rest/users', { username: 'trashed' }, json)
  await visitor.visit(`/resources/users/${made.body.pk}`)
  const end = await keepOffers(page)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await main().getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: 'Restore: trashed' }).click()
  await page.getByText('“trashed” restored.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  await end()
})

test('a refused deletion names the other records as people know them', async () => {
  const { page } = visitor
  const { pricingStrategy } = await filmCalled(visitor, 'Matrix 11')
  await visitor.visit(`/resources/filmPricingStrategies/${pricingStrategy.pk}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const alert = page.getByRole('dialog').getByRole('alert')
  await alert.getByText(/^Records in “Films” still refer to this one/).waitFor()
})

test('payments, which the counter makes, offer neither a form nor an import', async () => {
  await visitor.visit('/resources/payments')
  await main().getByRole('row').nth(1).waitFor()
  for (const name of ['New', 'Import']) expect(await main().getByRole('link', { name }).count()).toBe(0)
})

test('users are found by their names', async () => {
  const { page } = visitor
  await visitor.visit('/resources/users')
  await page.getByRole('searchbox').fill('simone ples')
  await expect.poll(() => page.locator('tbody tr:not([aria-hidden]) a').allTextContents()).toEqual(['simple'])
})

testAll('on the page of a user, an administrator changes the e-mail address, the password and the state', async () => {
  const { page, service } = visitor
  const username = 'greta'
  const account = { username, email: 'greta@example.org', password: 'a lamp in the window' }
  const { pk } = (await admin().post('/api/rest/users', account, json)).body
  const edit = async (tab: string): Promise<void> => {
    // Loaded, so that no record from before the last sign-in is edited.
    await visitor.load(`/resources/users/${pk}`)
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel').getByRole('link', { name: 'Edit' }).click()
  }
  /** A sign-in changes the record too, so it waits until the form is saved. */
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(({ pathname }) => !pathname.endsWith('/edit'))
  }
  const signInBy = async (password: string): Promise<number> =>
    (await service.as('anonymous').post('/api/auth/jwt/access', { username, password })).status

  await edit('Contact details')
  await page
    .getByRole('group', { name: 'E-mail', exact: true })
    .getByRole('textbox', { name: 'Email' })
    .fill('greta@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').first().waitFor()
  const contacts = (await admin().get(`/api/rest/contactDetails/${pk}`, json)).body
  expect(contacts.primaryEmail.email).toBe('greta@example.com')

  await edit('Sign-in')
  await page.locator('input[name=password]').fill('a boat on the river')
  await save()
  expect(await signInBy('a boat on the river')).toBe(201)

  await edit('Sign-in')
  await page.getByRole('checkbox', { name: 'Active' }).uncheck()
  await save()
  expect(await signInBy('a boat on the river')).toBe(401)
})

testAll('the entry of the present page is in sight in the navigation', async () => {
  const { page } = visitor
  await page.setViewportSize({ width: 1280, height: 600 })
  await visitor.load('/resources/films')
  const entry = page.getByRole('navigation').getByRole('link', { name: 'Films', exact: true })
  await entry.waitFor()
  await expect
    .poll(async () => {
      const box = await entry.boundingBox()
      return box !== null && box.y >= 56 && box.y + box.height <= 600
    })
    .toBe(true)
})
