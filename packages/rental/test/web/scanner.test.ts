// A barcode scanner types a code and presses Enter wherever the focus happens to be. It must never press a button.

import { testAll } from '@plinth/test-kit/extent'
import { expect, test } from 'vitest'
import { cards, copies } from './clerk.ts'
import { newRelease, openCounter } from './scene.ts'

const { clerk, staff, page, goTo, alert, isShown, receiptOf } = openCounter()

/** Scans without first moving to the box, unlike the clerk. */
const scanBlindly = async (code: string): Promise<void> => {
  await page().keyboard.type(code)
  await page().keyboard.press('Enter')
}

const customer = () => page().getByRole('region', { name: 'Customer' })
const box = () => page().getByLabel('Card, barcode')

test('a card scanned while a name is ambiguous selects its owner, not the first person of the list', async () => {
  await goTo('/counter')
  await clerk().scan('Clive')
  await page()
    .getByRole('button', { name: /Clive Entwhistle/ })
    .waitFor()
  await scanBlindly(cards.simple)
  await customer().getByText('Simone Plesk').waitFor()
  expect(await page().getByText('Which customer?').count()).toBe(0)
})

testAll('a card scanned while a button of the question has the focus selects its owner', async () => {
  await goTo('/counter')
  await clerk().scan('Clive')
  await page()
    .getByRole('button', { name: /Clive Entwhistle/ })
    .focus()
  await scanBlindly(cards.simple)
  await customer().getByText('Simone Plesk').waitFor()
})

testAll('the down arrow leads from the box to the question, and Enter answers it', async () => {
  await goTo('/counter')
  await clerk().scan('Clive')
  await page()
    .getByRole('button', { name: /Clive Entwhistle/ })
    .waitFor()
  await clerk().press('ArrowDown', 'Enter')
  await customer().getByText('Clive Entwhistle').waitFor()
})

testAll('a copy scanned while changed prices wait to be accepted is added, and nothing is accepted', async () => {
  await goTo('/counter')
  await clerk().scan(cards.simple, copies.matrix[1])
  await clerk().total('€40.00')
  await staff().patch(newRelease, { initialPrice: 45 })
  await clerk().press('F8')
  await alert('Nothing was charged.')
  await scanBlindly(copies.africa[0])
  await clerk().total('€75.00')
  await isShown('Price changed from €40.00 to €45.00.')
  await page().getByRole('button', { name: 'Accept changes' }).focus()
  await scanBlindly(copies.spider[0])
  await clerk().total('€105.00')
  await isShown('Price changed from €40.00 to €45.00.')
  await page().getByRole('button', { name: 'Accept changes' }).press('Enter')
  await clerk().press('F8')
  expect((await receiptOf(await clerk().done())).totalCost).toBe(105)
})

testAll('a scan during the days or the tendered amount goes to the box and leaves both as they were', async () => {
  await goTo('/counter')
  await clerk().scan(cards.simple, copies.matrix[0], '*2')
  await clerk().total('€80.00')
  await page().getByLabel('Days for Matrix 11').focus()
  await scanBlindly(copies.spider[0])
  await clerk().total('€110.00')
  expect(await page().getByLabel('Days for Matrix 11').inputValue()).toBe('2')
  await clerk().press('F4')
  await scanBlindly(copies.africa[0])
  await clerk().total('€140.00')
  expect(await page().getByLabel('Tendered').inputValue()).toBe('')
})

testAll('a scan while a dialog is open presses none of its buttons', async () => {
  await goTo('/counter')
  await box().waitFor()
  await clerk().press('F2', '?')
  const dialog = page().getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByRole('button', { name: 'Close' }).focus()
  await scanBlindly(cards.simple)
  await clerk().press('Tab')
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByRole('button', { name: 'Close' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect(await box().inputValue()).toBe('')
})

testAll('a scan on a page without a box presses none of its buttons', async () => {
  await goTo('/counter/payments')
  const desk = page().getByRole('link', { name: 'Desk' })
  await desk.focus()
  await scanBlindly(cards.simple)
  expect(new URL(page().url()).pathname).toBe('/client/counter/payments')
  await desk.press('Enter')
  await box().waitFor()
})
