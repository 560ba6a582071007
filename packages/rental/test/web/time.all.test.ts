// The counter shows every time by the clock of the store, whatever the clock of the browser says.

import { expect, test } from 'vitest'
import { lateCopy } from './clerk.ts'
import { openCounter, storeTime, storeZone, useZone } from './scene.ts'

const { screens, page, goTo, paymentsOf } = openCounter({ 'app.rental.timeZone': storeZone })

test('a payment has the same time in the list and on its receipt', async () => {
  await useZone(screens(), 'Asia/Tokyo')
  const [payment] = await paymentsOf(lateCopy)
  const time = storeTime(payment.createdDate)
  await goTo('/counter/payments')
  await page()
    .getByLabel(/^Customer, film/)
    .fill(lateCopy)
  await page().getByRole('link', { name: time }).first().press('Enter')
  await page().getByRole('article').getByText(time).waitFor()
})

test('the zone is named only where the browser would show another time', async () => {
  await useZone(screens(), storeZone)
  const [payment] = await paymentsOf(lateCopy)
  await goTo(`/counter/receipts/${payment.pk}`)
  const receipt = page().getByRole('article')
  await receipt.getByText(storeTime(payment.createdDate)).waitFor()
  expect(await receipt.textContent()).not.toMatch(/E[SD]T/)
})
