// The desk of the counter in a real browser: selling, taking back, and what happens when something comes between.

import { extent, testAll } from '@plinth/test-kit/extent'
import { describe, expect, test, vi } from 'vitest'
import { cards, copies } from './clerk.ts'
import { desktop, newRelease, openCounter, phone } from './scene.ts'

const { clerk, staff, page, goTo, alert, isShown, quote, receiptOf, paymentsOf, rentElsewhere } = openCounter()

const sizes = { desktop, phone }

describe.each(extent<readonly (keyof typeof sizes)[]>(['desktop'], ['desktop', 'phone']))('on a %s', screen => {
  const size = sizes[screen]

  test('a customer rents two films for some days, pays, and gets the change', async () => {
    await page().setViewportSize(size)
    await goTo('/counter')
    await clerk().scan(cards.client, copies.matrix[0], '*3', copies.spider[0])
    await clerk().total('€150.00')
    await isShown('€40.00 for the first day + 2 more days at €40.00')
    await isShown('Clive Entwhistle')
    await clerk().press('F4')
    await page().keyboard.type('200')
    await page().locator('[data-change]', { hasText: '€50.00' }).waitFor()
    await clerk().press('Enter')
    const number = await clerk().done()
    const receipt = await receiptOf(number)
    expect([receipt.totalCost, receipt.customer, receipt.items.length]).toEqual([150, 'client', 2])
    const printed = page().getByRole('article')
    await printed.getByText('€200.00').waitFor()
    const lines = await printed.textContent()
    await goTo(`/counter/receipts/${number}`)
    await printed.getByText('€200.00').waitFor()
    expect(await printed.textContent()).toBe(lines)
    expect(lines).toContain('€50.00')
  })

  testAll('a copy that is out becomes a return by itself, and a lost one is charged', async () => {
    await rentElsewhere(copies.africa[0])
    await page().setViewportSize(size)
    await goTo('/counter')
    await clerk().scan(copies.africa[0])
    await isShown('Returned on time: no fee')
    await isShown('Rented by client')
    await page().getByLabel('Condition of Out of Africa').selectOption('lost')
    await clerk().total('€250.00')
    await page().getByLabel('Condition of Out of Africa').selectOption('good')
    await clerk().total('€0.00')
    await clerk().press('F8')
    await clerk().done()
    expect((await quote(copies.africa[0])).rentalId).toBe(null)
  })

  // scanner.test.ts shows the most important part of it.
  testAll('a price that changed in the meantime is shown, and charged only when it is accepted', async () => {
    await page().setViewportSize(size)
    await goTo('/counter')
    await clerk().scan(cards.simple, copies.matrix[1])
    await clerk().total('€40.00')
    const before = await paymentsOf(copies.matrix[1])
    await staff().patch(newRelease, { initialPrice: 45 })
    await clerk().press('F8')
    await alert('Nothing was charged.')
    await isShown('Price changed from €40.00 to €45.00.')
    expect(await paymentsOf(copies.matrix[1])).toEqual(before)
    await page().getByRole('button', { name: 'Accept changes' }).press('Enter')
    await clerk().press('F8')
    const receipt = await receiptOf(await clerk().done())
    expect(receipt.totalCost).toBe(45)
  })
})

testAll('a copy that another desk rents turns into a return on the screen, and is not charged', async () => {
  await goTo('/counter')
  await clerk().scan(cards.simple, copies.matrix[2])
  await clerk().total('€40.00')
  await rentElsewhere(copies.matrix[2])
  await alert('Nothing was charged.')
  await isShown('This copy was rented out in the meantime.')
  await clerk().press('F8')
  await alert('Check and accept the changed lines')
  const [rented, ...more] = await paymentsOf(copies.matrix[2])
  expect([rented.customer.username, more]).toEqual(['client', []])
})

testAll('a reload loses nothing, and signing out leaves nothing behind', async () => {
  await goTo('/counter')
  await clerk().scan(cards.client, copies.spider[1], '*6', copies.africa[1])
  await clerk().total('€150.00')
  await clerk().press('F4')
  await page().keyboard.type('160')
  await page().reload()
  await clerk().total('€150.00')
  expect(await page().getByLabel('Days for Spider-Man').inputValue()).toBe('6')
  expect(await page().getByLabel('Tendered').inputValue()).toBe('160')
  await isShown('Clive Entwhistle')
  await page()
    .getByRole('button', { name: /^Account menu of/ })
    .click()
  await page().getByRole('menuitem', { name: 'Sign out' }).click()
  await page().waitForURL(({ pathname }) => pathname === '/client/sign-in')
  expect(await page().evaluate('Object.keys(sessionStorage)')).toEqual([])
  await page()
    .getByRole('textbox', { name: /^Username or/ })
    .fill('staff')
  await page()
    .getByRole('textbox', { name: /^Password/ })
    .fill('staff')
  await page().getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await isShown('No customer selected.')
  await clerk().total('€0.00')
})

/** The address to which a sale is submitted; what it costs is requested below it. */
const orders = '**/api/rest/order/orders'

testAll('a submission whose answer a reload has swallowed is charged once', async () => {
  let submitted = 0
  await page().route(orders, async route => {
    // The service does its work; its answer never arrives.
    await route.fetch({ timeout: 60_000 })
    submitted++
  })
  await goTo('/counter')
  await clerk().scan(cards.client, copies.spider[2])
  await clerk().total('€30.00')
  await isShown('Clive Entwhistle')
  const sent = page().waitForRequest(orders)
  await clerk().press('F8')
  await sent
  await vi.waitFor(() => expect(submitted).toBe(1), { timeout: 60_000 })
  await page().unrouteAll({ behavior: 'ignoreErrors' })
  await page().reload()
  const receipt = await receiptOf(await clerk().done())
  expect([receipt.totalCost, (await paymentsOf(copies.spider[2])).length]).toEqual([30, 1])
})

testAll('without an answer the same is sent again by itself, however often the button is pressed', async () => {
  const keys = new Set<string | undefined>()
  await page().route(orders, route => {
    keys.add(route.request().headers()['idempotency-key'])
    return route.abort()
  })
  await goTo('/counter')
  await clerk().scan(cards.client, copies.africa[2])
  await clerk().total('€30.00')
  await clerk().press('F8', 'F8', 'F8')
  await alert('No response')
  await clerk().scan(copies.matrix[0])
  await alert('still being processed')
  await page().unrouteAll({ behavior: 'ignoreErrors' })
  await clerk().done()
  expect([keys.size, (await paymentsOf(copies.africa[2])).length]).toEqual([1, 1])
})

testAll('a code that is unknown, misread or out of place is reported, and adds nothing', async () => {
  await goTo('/counter')
  for (const [code, text] of [
    ['9', 'No customer or copy found for “9”.'],
    ['2000000000009', 'the check digit is wrong'],
    ['*4', 'There is no rental on the list'],
  ] as const) {
    await clerk().scan(code)
    await alert(text)
    expect(await page().locator('[data-cost]').count()).toBe(0)
  }
})

testAll('a customer without a card is found by name, and another one does not get the list of the first', async () => {
  await goTo('/counter')
  await clerk().scan('entwhistle')
  await page()
    .getByRole('button', { name: /Clive Entwhistle/ })
    .press('Enter')
  await clerk().scan(copies.matrix[0], cards.simple)
  await isShown('The current list belongs to Clive Entwhistle.')
  await page()
    .getByRole('button', { name: /^Clear the list/ })
    .press('Enter')
  await clerk().total('€0.00')
  await clerk().scan(copies.matrix[0])
  await clerk().total('€40.00')
  await clerk().press('F9')
  await isShown('Cleared.')
  await page().getByRole('button', { name: 'Undo' }).press('Enter')
  await clerk().total('€40.00')
})

testAll('the question mark shows the keys', async () => {
  await goTo('/counter')
  await page().getByLabel('Card, barcode').waitFor()
  await clerk().press('F2', '?')
  const dialog = page().getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByText('submit', { exact: true }).waitFor()
  await clerk().press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await page().getByLabel('Card, barcode').inputValue()).toBe('')
})

testAll('only the receipt is printed', async () => {
  await goTo('/counter')
  await clerk().scan(cards.client, copies.matrix[0])
  await clerk().total('€40.00')
  await clerk().press('F8')
  await clerk().done()
  await page().emulateMedia({ media: 'print' })
  // biome-ignore lint/performance/useDomNodeTextContent: what is not shown does not count
  const printed = await page().locator('body').innerText()
  await page().emulateMedia({ media: 'screen' })
  expect(printed).toContain('Rental: Matrix 11')
  for (const text of ['Revenue', 'Next customer', 'Card, barcode', 'Records']) expect(printed).not.toContain(text)
})

testAll.each([
  ['A4', { width: 794, height: 1123 }],
  ['a roll of 80 mm', { width: 302, height: 1123 }],
])('a receipt printed on %s begins at the edge of the paper and fits on it', async (_, paper) => {
  await goTo('/counter')
  await clerk().scan(cards.client, copies.matrix[0])
  await clerk().total('€40.00')
  await clerk().press('F8')
  const receipt = await clerk().done()
  for (const path of ['/counter', `/counter/receipts/${receipt}`]) {
    await goTo(path)
    await page().getByRole('article').waitFor()
    await page().setViewportSize(paper)
    await page().emulateMedia({ media: 'print' })
    const printed = await page().getByRole('article').boundingBox()
    await page().emulateMedia({ media: 'screen' })
    await page().setViewportSize(desktop)
    expect([printed?.x, printed?.y]).toEqual([0, 0])
    expect(printed?.width).toBeLessThanOrEqual(paper.width)
  }
})
