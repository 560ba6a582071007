// The counter shows every time by the clock of the store, whatever the clock of the browser says.

import { expect, onTestFinished, test } from 'vitest'
import { testAll } from '../support/extent.ts'
import { cards, lateCopy } from './counter-clerk.ts'
import { openCounter } from './counter-scene.ts'

const { screens, clerk, staff, page, goTo, paymentsOf } = openCounter({ 'app.rental.timeZone': 'America/New_York' })

/** As the store would write it; ICU puts a narrow space before AM and PM. */
const storeTime = (instant: string): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/New_York' }).format(
    new Date(instant),
  )

const useZoneOfBrowser = async (timezoneId: string): Promise<void> => {
  const session = await screens().browser.context.newCDPSession(page())
  await session.send('Emulation.setTimezoneOverride', { timezoneId })
  onTestFinished(() => session.detach())
}

test('a due date is the same in the line, in the panel of the customer and among what is overdue', async () => {
  await useZoneOfBrowser('Asia/Tokyo')
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

testAll('a payment has the same time in the list and on its receipt', async () => {
  await useZoneOfBrowser('Asia/Tokyo')
  const [payment] = await paymentsOf(lateCopy)
  const time = storeTime(payment.createdDate)
  await goTo('/counter/payments')
  await page()
    .getByLabel(/^Customer, film/)
    .fill(lateCopy)
  await page().getByRole('link', { name: time }).first().press('Enter')
  await page().getByRole('article').getByText(time).waitFor()
})

testAll('the zone is named only where the browser would show another time', async () => {
  await useZoneOfBrowser('America/New_York')
  const [payment] = await paymentsOf(lateCopy)
  await goTo(`/counter/receipts/${payment.pk}`)
  const receipt = page().getByRole('article')
  await receipt.getByText(storeTime(payment.createdDate)).waitFor()
  expect(await receipt.textContent()).not.toMatch(/E[SD]T/)
})
