// The counter is accessible to every clerk and closed to customers.

import { ringsOfButtons } from '@plinth/test-kit/focus-rings'
import { looks } from '@plinth/test-kit/visitor'
import { expect, test } from 'vitest'
import { cards, copies } from './clerk.ts'
import { desktop, openCounter, phone } from './scene.ts'

const { screens, clerk, page, goTo, alert, isShown } = openCounter()

test.each(looks)('no screen has a serious fault on a %s in %s colours', async (screen, colorScheme) => {
  await page().setViewportSize({ desktop, phone }[screen])
  await page().emulateMedia({ colorScheme })
  await goTo('/counter')
  await page().getByLabel('Card, barcode').waitFor()
  await screens().expectAccessible()
  await clerk().scan(cards.client, copies.matrix[0], '2000000000435', '9')
  await alert('No customer or copy found')
  await screens().expectAccessible()
  await clerk().press('F8')
  await clerk().done()
  await screens().expectAccessible()
  await screens().expectFitting()
  for (const path of ['drop-box', 'payments', 'overdue', 'takings']) {
    await screens().browser.visit(`/counter/${path}`)
    await screens().browser.settle()
    await screens().expectAccessible()
    await screens().expectFitting()
  }
  await page().getByRole('link', { name: 'Payments' }).click()
  await page()
    .getByRole('link', { name: /Open receipt for/ })
    .first()
    .click()
  await page().getByRole('article').waitFor()
  await screens().expectAccessible()
})

test.each([
  ['desktop', desktop],
  ['phone', phone],
])('the focus rings of questions and dialogs are whole on a %s', async (_, size) => {
  await page().setViewportSize(size)
  await goTo('/counter')
  await clerk().scan('Clive')
  await page().getByRole('group', { name: 'Which customer?' }).waitFor()
  const rings = await ringsOfButtons(page(), '[role=group][aria-label="Which customer?"]')
  expect(Object.keys(rings).length).toBeGreaterThan(1)
  expect(new Set(Object.values(rings))).toEqual(new Set(['whole']))
  await clerk().press('F2', '?')
  await page().getByRole('dialog').waitFor()
  expect(await ringsOfButtons(page(), '[role=dialog]')).toEqual({ Close: 'whole' })
})

test('the counter is not for customers, and sent requests only to the service', async () => {
  await screens().signIn('simple')
  await goTo('/counter')
  await isShown('You don’t have access')
  expect(screens().browser.foreign).toEqual([])
})
