// The books of the counter in a real browser: what came back, what is owed, waived, voided, overdue and taken.

import { testAll } from '@plinth/test-kit/extent'
import { expect, test } from 'vitest'
import { cards, copies, lateCopy } from './clerk.ts'
import { clientPk, openCounter, storeTime, storeZone, useZone } from './scene.ts'

const { service, screens, clerk, staff, page, goTo, alert, isShown, quote, paymentsOf, rentElsewhere } = openCounter({
  'app.rental.timeZone': storeZone,
})

testAll('a due date is the same in the line, in the panel of the customer and among what is overdue', async () => {
  await useZone(screens(), 'Asia/Tokyo')
  const filter = `inventory.barcode==${lateCopy};returnDate=isnull=true`
  const found = await staff().get(`/api/rest/rentals?filter=${filter}`, { Accept: 'application/json' })
  const due = `${storeTime(found.body.content[0].dueDate)} E`
  await goTo('/counter')
  await clerk().scan(cards.client, lateCopy)
  await page().getByText(`Was due ${due}`).waitFor()
  await page().getByRole('region', { name: 'Customer' }).getByText(`Due back ${due}`).waitFor()
  await goTo('/counter/overdue')
  await page().getByRole('table', { name: 'Overdue' }).getByText(due).first().waitFor()
})

test('the drop box takes many copies back, and what is due is owed and can be paid', async () => {
  await rentElsewhere(copies.matrix[0])
  await rentElsewhere(copies.matrix[1])
  await goTo('/counter/drop-box')
  await clerk().scan(copies.matrix[2])
  await alert('Matrix 11 is not on loan.')
  await clerk().scan(copies.matrix[0], copies.matrix[1], lateCopy)
  await isShown('Added debt: €210.00')
  // A customer returns one of them at the counter instead.
  await staff().post('/api/rest/order/orders', { items: [await quote(copies.matrix[1])] })
  await clerk().press('F8')
  await isShown('No longer on loan.')
  await page().getByRole('button', { name: 'Remove Matrix 11' }).last().press('Enter')
  await clerk().press('F8')
  await page().locator('[data-done] article').waitFor()
  await isShown('2 copies returned')
  await goTo('/counter')
  await clerk().scan(cards.client)
  await page().getByRole('button', { name: 'Pay debt' }).press('Enter')
  const dialog = page().getByRole('dialog')
  await dialog.getByLabel('Amount').fill('110')
  await dialog.getByLabel('Amount').press('Enter')
  await isShown('€110.00 of the debt paid.')
  await page().locator('dd', { hasText: '€100.00' }).waitFor()
  const [account] = (await staff().get(`/api/rest/clients?user=${clientPk}`)).body.content
  expect(account.balance).toBe(100)
})

testAll('a late fee is waived in part and a rental voided, each with a reason', async () => {
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
  await page().getByRole('button', { name: 'Waive fee: Return: The Gilded Harbour' }).press('Enter')
  const dialog = page().getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The road was closed.')
  await dialog.getByLabel('Amount to waive').fill('999')
  await dialog.getByRole('button', { name: 'Waive fee' }).press('Enter')
  await dialog.getByText('The late fee is lower than that.').waitFor()
  await dialog.getByLabel('Amount to waive').fill('60')
  await dialog.getByRole('button', { name: 'Waive fee' }).press('Enter')
  await isShown('The debt is €60.00 lower now.')
  await isShown('fee waived')
  const rented = (await rentElsewhere(copies.spider[0])).body.items[0]
  await goTo(`/counter/receipts/${rented.pk}`)
  await page().getByRole('button', { name: 'Void: Rental: Spider-Man' }).press('Enter')
  await dialog.getByLabel('Reason').fill('The wrong film.')
  await dialog.getByRole('button', { name: 'Void' }).press('Enter')
  await isShown('Refund €30.00')
  expect((await quote(copies.spider[0])).rentalId).toBe(null)
  const waiver = (await paymentsOf(lateCopy)).find(({ kind }: { kind: string }) => kind === 'waiver')
  expect(waiver).toMatchObject({ amount: -60, reason: 'The road was closed.', waives: { pk: late.pk } })
})

testAll('a receipt that does not exist is reported as not found', async () => {
  await goTo('/counter/receipts/0198c1a2-7f3e-7c44-9d1b-5a2e8f60b7d3')
  await alert('Not found')
})

test('takings are those that the service counts', async () => {
  const { body } = await staff().get('/api/rest/order/takings')
  await goTo('/counter/takings')
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })
  await page()
    .locator('[data-figures]', { hasText: money.format(body.taken) })
    .waitFor()
  await page().getByRole('row', { name: /Total/ }).getByText(money.format(body.taken)).first().waitFor()
  await page().locator('.recharts-bar-rectangle path').first().waitFor()
})

testAll('takings that do not come are asked for again on demand', async () => {
  await goTo('/counter/takings')
  let isDown = true
  await page().route('**/order/takings*', route => (isDown ? route.abort() : route.fallback()))
  await page().reload()
  await alert('The service is not responding.')
  await page().getByRole('button', { name: 'Try again' }).focus()
  // From now on a read of the client's own would take the button away too.
  isDown = false
  await page().keyboard.press('Enter')
  await page().locator('[data-figures]').waitFor()
  await page().unrouteAll({ behavior: 'ignoreErrors' })
})

testAll('the takings fit the page in the longer words of German too', async () => {
  await goTo('/counter/takings')
  await page().evaluate('localStorage.setItem("plinth.language", "de")')
  await screens().load('/counter/takings')
  await page().getByRole('columnheader', { name: 'Schulden bezahlt' }).waitFor()
  await screens().expectFitting()
  await page().evaluate('localStorage.removeItem("plinth.language")')
})

testAll('what is overdue leads to the desk with its customer', async () => {
  const { body } = await staff().get('/api/rest/order/overdue')
  await goTo('/counter/overdue')
  await page().getByRole('table', { name: 'Overdue' }).waitFor()
  expect(
    await page()
      .getByRole('link', { name: /at the desk$/ })
      .count(),
  ).toBe(body.page.totalElements)
  await page().getByRole('link', { name: 'Open simple at the desk' }).first().press('Enter')
  await page().getByRole('region', { name: 'Customer' }).getByText(cards.simple).waitFor()
  expect(page().url()).toBe(`${service().url}/client/counter`)
})
