// The counter in a real browser: each screen's way through, and what happens when something goes wrong.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, startService, type TestService } from '../support/service.ts'
import { type Clerk, cards, copies, createClerk, lateCopy } from './counter-clerk.ts'
import { openScreens, type Screens } from './screens.ts'

// The machine is busy with other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const newRelease = '/api/rest/filmPricingStrategies/00000000-0000-7000-a001-000000000000'
const client = '00000000-0000-7000-8000-000000000004'
const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

let service: TestService
let screens: Screens
let clerk: Clerk
let staff: Client
beforeAll(async () => {
  service = await startService('sqlite')
  staff = service.as('staff')
  screens = await openScreens(service)
  clerk = createClerk(screens.page)
  await screens.signIn('staff')
})
afterAll(async () => {
  await screens?.close()
  await service?.stop()
})

const page = () => screens.page
const goTo = (path: string) => page().goto(`${service.url}/client${path}`)
const alert = (text: string | RegExp) => page().getByRole('alert').filter({ hasText: text }).first().waitFor()
const isShown = (text: string | RegExp) => page().getByText(text).first().waitFor()
const quote = async (copy: string) => (await staff.get(`/api/rest/order/orders/${copy}`)).body
const receiptOf = async (pk: string) => (await staff.get(`/api/rest/order/receipts/${pk}`)).body
const paymentsOf = async (copy: string) =>
  (await staff.get(`/api/rest/payments?rental.inventory.barcode=${copy}&_ps=500`, { Accept: 'application/json' })).body
    .content
const rentElsewhere = async (copy: string, customer = client) => {
  const order = await quote(copy)
  return staff.post('/api/rest/order/orders', { customer, items: [order] })
}

/** Every test begins with an empty desk and everything of the demo's shelf in its place. */
afterEach(async () => {
  await page().unrouteAll({ behavior: 'ignoreErrors' })
  await page().setViewportSize(desktop)
  await page().emulateMedia({ colorScheme: 'light' })
  // From another page: the desk would keep what it hears of while it is being cleared.
  await page().goto(`${service.url}/`)
  await page().evaluate('sessionStorage.clear()')
  await staff.patch(newRelease, { initialPrice: 40 })
  const shelf = Object.values(copies).flat()
  const out = []
  for (const copy of shelf) if ((await quote(copy)).rentalId !== null) out.push(copy)
  if (out.length > 0) await staff.post('/api/rest/order/returns', { items: out })
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
])('on a %s', (_, size) => {
  test('a customer rents two films for some days, pays, and gets the change', async () => {
    await page().setViewportSize(size)
    await goTo('/counter')
    await clerk.scan(cards.client, copies.matrix[0], '*3', copies.spider[0])
    await clerk.total('€150.00')
    await isShown('€40.00 for the first day + 2 more days at €40.00')
    await isShown('Clive Entwhistle')
    await clerk.press('F4')
    await page().keyboard.type('200')
    await page().locator('[data-change]', { hasText: '€50.00' }).waitFor()
    await clerk.press('Enter')
    const receipt = await receiptOf(await clerk.done())
    expect([receipt.totalCost, receipt.customer, receipt.items.length]).toEqual([150, 'client', 2])
    await isShown('€200.00')
  })

  test('a copy that is out becomes a return by itself, and a lost one is charged', async () => {
    await rentElsewhere(copies.africa[0])
    await page().setViewportSize(size)
    await goTo('/counter')
    await clerk.scan(copies.africa[0])
    await isShown('Back in time: no fee')
    await isShown('Rented by client')
    await page().getByLabel('Condition of Out of Africa').selectOption('lost')
    await clerk.total('€250.00')
    await page().getByLabel('Condition of Out of Africa').selectOption('good')
    await clerk.total('€0.00')
    await clerk.press('F8')
    await clerk.done()
    expect((await quote(copies.africa[0])).rentalId).toBe(null)
  })

  test('a price that changed meanwhile is shown, and charged only when it is accepted', async () => {
    await page().setViewportSize(size)
    await goTo('/counter')
    await clerk.scan(cards.simple, copies.matrix[1])
    await clerk.total('€40.00')
    const before = await paymentsOf(copies.matrix[1])
    await staff.patch(newRelease, { initialPrice: 45 })
    await clerk.press('F8')
    await alert('nothing was charged')
    await isShown('It was €40.00, now it is €45.00.')
    expect(await paymentsOf(copies.matrix[1])).toEqual(before)
    await page().getByRole('button', { name: 'Accept the changes' }).press('Enter')
    await clerk.press('F8')
    const receipt = await receiptOf(await clerk.done())
    expect(receipt.totalCost).toBe(45)
  })
})

test('a copy that another desk rents turns into a return before our eyes, and is charged to nobody', async () => {
  await goTo('/counter')
  await clerk.scan(cards.simple, copies.matrix[2])
  await clerk.total('€40.00')
  await rentElsewhere(copies.matrix[2])
  await alert('nothing was charged')
  await isShown('Somebody has rented this copy meanwhile.')
  await clerk.press('F8')
  await alert('Look at the changed lines')
  const [rented, ...more] = await paymentsOf(copies.matrix[2])
  expect([rented.customer.username, more]).toEqual(['client', []])
})

test('a reload loses nothing, and whoever signs out leaves nothing behind', async () => {
  await goTo('/counter')
  await clerk.scan(cards.client, copies.spider[1], '*6', copies.africa[1])
  await clerk.total('€150.00')
  await clerk.press('F4')
  await page().keyboard.type('160')
  await page().reload()
  await clerk.total('€150.00')
  expect(await page().getByLabel('Days for Spider-Man').inputValue()).toBe('6')
  expect(await page().getByLabel('Tendered').inputValue()).toBe('160')
  await isShown('Clive Entwhistle')
  await page()
    .getByRole('button', { name: /^Menu of/ })
    .click()
  await page().getByRole('menuitem', { name: 'Sign out' }).click()
  await page().waitForURL(({ pathname }) => pathname === '/client/sign-in')
  expect(await page().evaluate('Object.keys(sessionStorage)')).toEqual([])
  await screens.signIn('staff')
  await goTo('/counter')
  await isShown('Nobody yet.')
  await clerk.total('€0.00')
})

test('a submission whose answer a reload has swallowed is charged once', async () => {
  await goTo('/counter')
  await clerk.scan(cards.client, copies.spider[2])
  await clerk.total('€30.00')
  let submitted = 0
  await page().route('**/api/rest/order/orders', async route => {
    // The service does its work; its answer never arrives.
    await route.fetch()
    submitted++
  })
  await clerk.press('F8')
  await vi.waitFor(() => expect(submitted).toBe(1), { timeout: 30_000 })
  await page().unrouteAll({ behavior: 'ignoreErrors' })
  await page().reload()
  const receipt = await receiptOf(await clerk.done())
  expect([receipt.totalCost, (await paymentsOf(copies.spider[2])).length]).toEqual([30, 1])
})

test('without an answer the same is sent again by itself, however often the button is pressed', async () => {
  await goTo('/counter')
  await clerk.scan(cards.client, copies.africa[2])
  await clerk.total('€30.00')
  const keys = new Set<string | undefined>()
  await page().route('**/api/rest/order/orders', route => {
    keys.add(route.request().headers()['idempotency-key'])
    return route.abort()
  })
  await clerk.press('F8', 'F8', 'F8')
  await alert('There was no answer')
  await clerk.scan(copies.matrix[0])
  await alert('still on its way')
  await page().unrouteAll({ behavior: 'ignoreErrors' })
  await clerk.done()
  expect([keys.size, (await paymentsOf(copies.africa[2])).length]).toEqual([1, 1])
})

test.each([
  ['a code that nobody has', '9', 'Nobody and nothing has the code “9”.'],
  ['a code that was misread', '2000000000009', 'its check digit is wrong'],
  ['days for nothing', '*4', 'There is no rental on the list'],
])('%s is told, and adds nothing', async (_, code, text) => {
  await goTo('/counter')
  await clerk.scan(code)
  await alert(text)
  expect(await page().locator('[data-cost]').count()).toBe(0)
})

test('a customer without a card is found by name, and another one does not get the list of the first', async () => {
  await goTo('/counter')
  await clerk.scan('entwhistle')
  await page()
    .getByRole('button', { name: /Clive Entwhistle/ })
    .press('Enter')
  await clerk.scan(copies.matrix[0], cards.simple)
  await isShown('The list belongs to Clive Entwhistle.')
  await page()
    .getByRole('button', { name: /^Empty the list/ })
    .press('Enter')
  await clerk.total('€0.00')
  await clerk.scan(copies.matrix[0])
  await clerk.total('€40.00')
  await clerk.press('F9')
  await isShown('The desk is empty.')
  await page().getByRole('button', { name: 'Undo' }).press('Enter')
  await clerk.total('€40.00')
})

test('the question mark shows the keys', async () => {
  await goTo('/counter')
  await page().getByLabel('Card, barcode').waitFor()
  await clerk.press('F2', '?')
  const dialog = page().getByRole('dialog', { name: 'Keys of the counter' })
  await dialog.getByText('submits').waitFor()
  await clerk.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await page().getByLabel('Card, barcode').inputValue()).toBe('')
})

test('the drop box takes many copies back, and what is due is owed and can be paid', async () => {
  await rentElsewhere(copies.matrix[0])
  await rentElsewhere(copies.matrix[1])
  await goTo('/counter/drop-box')
  await clerk.scan(copies.matrix[2])
  await alert('Matrix 11 is not rented out.')
  await clerk.scan(copies.matrix[0], copies.matrix[1], lateCopy)
  await isShown('Owed because of this: €210.00')
  // Somebody brings one of them to the counter instead.
  await staff.post('/api/rest/order/orders', { items: [await quote(copies.matrix[1])] })
  await clerk.press('F8')
  await isShown('Not rented out any more.')
  await page().getByRole('button', { name: 'Take Matrix 11 off the list' }).last().press('Enter')
  await clerk.press('F8')
  await page().locator('[data-done] article').waitFor()
  await isShown('2 copies are back')
  await goTo('/counter')
  await clerk.scan(cards.client)
  await page().getByRole('button', { name: 'Pay what is owed' }).press('Enter')
  const dialog = page().getByRole('dialog')
  await dialog.getByLabel('Amount').fill('110')
  await dialog.getByLabel('Amount').press('Enter')
  await isShown('€110.00 of the debt was paid.')
  await page().locator('dd', { hasText: '€100.00' }).waitFor()
  const [account] = (await staff.get(`/api/rest/clients?user=${client}`)).body.content
  expect(account.balance).toBe(100)
})

test('a late fee is waived in part and a rental voided, each with a reason', async () => {
  const late = (await paymentsOf(lateCopy)).find(({ kind }: { kind: string }) => kind === 'return')
  await goTo('/counter/payments')
  const found = page().waitForResponse(answer => answer.url().includes(lateCopy))
  await page()
    .getByLabel(/^Customer, film/)
    .fill(lateCopy)
  await found
  await page()
    .getByRole('link', { name: /Return: The Gilded Harbour/ })
    .press('Enter')
  await page().getByRole('button', { name: 'Waive the fee: Return: The Gilded Harbour' }).press('Enter')
  const dialog = page().getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The road was closed.')
  await dialog.getByLabel('Amount to waive').fill('999')
  await dialog.getByRole('button', { name: 'Waive the fee' }).press('Enter')
  await dialog.getByText('The late fee is lower than that.').waitFor()
  await dialog.getByLabel('Amount to waive').fill('60')
  await dialog.getByRole('button', { name: 'Waive the fee' }).press('Enter')
  await isShown('€60.00 less is owed now.')
  await isShown('fee waived')
  const rented = (await rentElsewhere(copies.spider[0])).body.items[0]
  await goTo(`/counter/receipts/${rented.pk}`)
  await page().getByRole('button', { name: 'Void: Rental: Spider-Man' }).press('Enter')
  await dialog.getByLabel('Reason').fill('The wrong film.')
  await dialog.getByRole('button', { name: 'Void' }).press('Enter')
  await isShown('Give back €30.00')
  expect((await quote(copies.spider[0])).rentalId).toBe(null)
  const waiver = (await paymentsOf(lateCopy)).find(({ kind }: { kind: string }) => kind === 'waiver')
  expect(waiver).toMatchObject({ amount: -60, reason: 'The road was closed.', waives: { pk: late.pk } })
})

test('a receipt that does not exist is told, and can be asked for again', async () => {
  await goTo('/counter/receipts/0198c1a2-7f3e-7c44-9d1b-5a2e8f60b7d3')
  await alert('It does not exist')
})

test('takings are those that the service counts', async () => {
  const { body } = await staff.get('/api/rest/order/takings')
  await goTo('/counter/takings')
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })
  await page()
    .locator('[data-figures]', { hasText: money.format(body.taken) })
    .waitFor()
  await page()
    .getByRole('row', { name: /Whole period/ })
    .getByText(money.format(body.taken))
    .first()
    .waitFor()
  await page().locator('.recharts-bar-rectangle path').first().waitFor()
  await page().route('**/order/takings*', route => route.abort())
  await page().reload()
  await alert('The service does not answer.')
  await page().unrouteAll({ behavior: 'ignoreErrors' })
  await page().getByRole('button', { name: 'Try again' }).press('Enter')
  await page().locator('[data-figures]').waitFor()
})

test('what is overdue leads to the desk with its customer', async () => {
  const { body } = await staff.get('/api/rest/order/overdue')
  await goTo('/counter/overdue')
  await page().getByRole('table', { name: 'Overdue' }).waitFor()
  expect(
    await page()
      .getByRole('link', { name: /^To the desk with/ })
      .count(),
  ).toBe(body.page.totalElements)
  await page().getByRole('link', { name: 'To the desk with simple' }).first().press('Enter')
  await page().getByRole('region', { name: 'Customer' }).getByText(cards.simple).waitFor()
  expect(page().url()).toBe(`${service.url}/client/counter`)
})

test('only the receipt is printed', async () => {
  await goTo('/counter')
  await clerk.scan(cards.client, copies.matrix[0])
  await clerk.total('€40.00')
  await clerk.press('F8')
  await clerk.done()
  await page().emulateMedia({ media: 'print' })
  // biome-ignore lint/performance/useDomNodeTextContent: what is not shown does not count
  const printed = await page().locator('body').innerText()
  await page().emulateMedia({ media: 'screen' })
  expect(printed).toContain('Rental: Matrix 11')
  for (const text of ['Takings', 'Next customer', 'Card, barcode', 'Records']) expect(printed).not.toContain(text)
})

describe.each(['light', 'dark'] as const)('in %s colours', colorScheme => {
  test.each([
    ['desktop', desktop],
    ['phone', phone],
  ])('no screen has a serious fault of accessibility on a %s', async (_, size) => {
    await page().setViewportSize(size)
    await page().emulateMedia({ colorScheme })
    await goTo('/counter')
    await page().getByLabel('Card, barcode').waitFor()
    await screens.expectAccessible()
    await clerk.scan(cards.client, copies.matrix[0], '2000000000435', '9')
    await alert('Nobody and nothing')
    await screens.expectAccessible()
    await clerk.press('F8')
    await clerk.done()
    await screens.expectAccessible()
    await screens.expectFitting()
    for (const path of ['drop-box', 'payments', 'overdue', 'takings']) {
      await goTo(`/counter/${path}`)
      await page().waitForLoadState('networkidle')
      await screens.expectAccessible()
      await screens.expectFitting()
    }
    await page().getByRole('link', { name: 'Payments' }).click()
    await page()
      .getByRole('link', { name: /Open the receipt of/ })
      .first()
      .click()
    await page().getByRole('article').waitFor()
    await screens.expectAccessible()
  })
})

test('the counter is not for customers, and asked nobody but the service', async () => {
  await screens.signIn('simple')
  await goTo('/counter')
  await isShown('Not for you')
  expect(screens.browser.foreign).toEqual([])
})
