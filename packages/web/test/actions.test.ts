// Buttons for the endpoints of modules: derived from their declarations, without any code in the browser.

import { testAll } from '@plinth/test-kit/extent'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { arrive, patience, type Visitor } from '@plinth/test-kit/visitor'
import type { Locator } from 'playwright-core'
import { choice, defineEndpoint, defineModule, defineResource, defineShape, integer, text } from 'plinth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const staff = "caller.has('ROLE_STAFF')"

const parcels = defineResource('parcels', {
  about: 'Parcels that are sent.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    state: choice(['packed', 'sent'], { default: 'packed', required: true }),
  },
  access: { read: 'caller.signedIn', write: staff },
})

const path = '/api/rest/parcels/{pk}/'

const sendParcel = defineEndpoint({
  method: 'POST',
  path: `${path}send`,
  id: 'sendParcel',
  summary: 'Send',
  access: staff,
  when: "record.state == 'packed'",
  body: { days: integer({ required: true, min: 1, max: 9, title: 'Days on the way' }) },
  answers: { 200: parcels },
  run: ({ params, records }) => records.update(parcels, params.pk, { state: 'sent' }),
})

const label = defineShape('ParcelLabel', { code: text({ required: true }), printedTwice: integer({ required: true }) })

const printLabel = defineEndpoint({
  method: 'POST',
  path: `${path}label`,
  id: 'printParcelLabel',
  summary: 'Print the label',
  access: staff,
  button: { confirm: 'Is there paper in the printer?' },
  answers: { 200: label },
  run: ({ params }) => ({ code: `P-${params.pk.slice(0, 4)}`, printedTwice: 0 }),
})

const returnParcel = defineEndpoint({
  method: 'POST',
  path: `${path}return`,
  id: 'returnParcel',
  summary: 'Return',
  access: staff,
  when: { rule: "record.state == 'sent'", message: 'The parcel is still in the house.' },
  button: { destructive: true },
  answers: { 200: parcels },
  run: ({ params, records }) => records.update(parcels, params.pk, { state: 'packed' }),
})

let counted = 0

const countParcels = defineEndpoint({
  method: 'POST',
  path: '/api/rest/parcels/count',
  id: 'countParcels',
  summary: 'Count parcels',
  access: staff,
  answers: { 204: 'They are counted.' },
  run: () => {
    counted++
  },
})

const post = defineModule({
  name: 'post',
  about: 'Parcels.',
  resources: [parcels],
  endpoints: [sendParcel, printLabel, returnParcel, countParcels],
})

let visitor: Visitor
beforeAll(async () => {
  const standard = modulesFor(loadConfig({ env: {}, cwd: '/', overrides: { 'app.demo': 'true' } }))
  visitor = await arrive({ modules: [...standard, post], settings: { 'app.modules': '' } })
})
afterAll(() => visitor.leave())

/** Runs in the browser. */
const isActive = (element: { readonly ownerDocument: { readonly activeElement: unknown } }): boolean =>
  element.ownerDocument.activeElement === element

const main = () => visitor.page.getByRole('main')
const dialog = () => visitor.page.getByRole('dialog')
const button = (name: string) => main().getByRole('button', { name, exact: true })

const makeParcel = async (): Promise<string> => {
  const made = await visitor.service.as('staff').post('/api/rest/parcels', { name: 'Books' })
  expect(made).toHaveStatus(201)
  return `/resources/parcels/${made.body.pk}`
}

test('an endpoint below a record has a button with a form, as long as its condition holds', async () => {
  await visitor.signIn('staff')
  await visitor.visit(await makeParcel())
  await button('Send').click()
  const days = dialog().getByRole('textbox', { name: /^Days on the way/ })
  await days.fill('12')
  await dialog().getByRole('button', { name: 'Send', exact: true }).click()
  await dialog().getByText('Days on the way must be at most 9.').waitFor()
  await days.fill('3')
  await dialog().getByRole('button', { name: 'Send', exact: true }).click()
  await dialog().waitFor({ state: 'detached' })
  await main().getByText('sent', { exact: true }).waitFor()
  await expect.poll(() => button('Send').isDisabled()).toBe(true)
  expect(await button('Send').getAttribute('title')).toBe('Not possible for this record at present.')
})

testAll('an endpoint asks its question first, and what it answers is shown', async () => {
  await visitor.visit(await makeParcel())
  await button('Print the label').click()
  await dialog().getByText('Is there paper in the printer?').waitFor()
  await dialog().getByRole('button', { name: 'Print the label' }).click()
  await dialog()
    .getByRole('row', { name: /^Printed twice 0$/ })
    .waitFor()
  await dialog().getByText(/^P-/).waitFor()
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await dialog().waitFor({ state: 'detached' })
})

test('the focus of a dialog begins on its first input, without inputs on the button that goes on, and before a loss on Cancel', async () => {
  const isFocused = (element: Locator) => expect.poll(() => element.evaluate(isActive)).toBe(true)
  const closed = async () => {
    await visitor.page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  }
  await visitor.visit(await makeParcel())
  await expect.poll(() => button('Send').isEnabled()).toBe(true)
  await button('Send').press('Enter')
  await isFocused(dialog().getByRole('textbox', { name: /^Days on the way/ }))
  await closed()
  await isFocused(button('Send'))
  await button('Print the label').press('Enter')
  const print = dialog().getByRole('button', { name: 'Print the label' })
  await isFocused(print)
  await print.press('Enter')
  await isFocused(dialog().getByRole('button', { name: 'Close' }).last())
  await closed()
  await button('Delete').press('Enter')
  await isFocused(dialog().getByRole('button', { name: 'Cancel' }))
  await closed()
})

test('an endpoint by which something is lost asks first, begins on Cancel, and says of other records why it cannot be called', async () => {
  await visitor.visit(await makeParcel())
  expect(await button('Return').getAttribute('title')).toBe('The parcel is still in the house.')
  expect(await button('Return').isDisabled()).toBe(true)
  await button('Send').click()
  await dialog()
    .getByRole('textbox', { name: /^Days on the way/ })
    .fill('3')
  await dialog().getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => button('Return').isEnabled()).toBe(true)
  await button('Return').press('Enter')
  await dialog().getByText('Do you want to go on?').waitFor()
  const cancel = dialog().getByRole('button', { name: 'Cancel' })
  await expect.poll(() => cancel.evaluate(isActive)).toBe(true)
  await cancel.press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await main().getByText('sent', { exact: true }).waitFor()
  await button('Return').press('Enter')
  await dialog().getByRole('button', { name: 'Return', exact: true }).click()
  await main().getByText('packed', { exact: true }).waitFor()
})

testAll('an endpoint below a list has a button above it', async () => {
  await visitor.visit('/resources/parcels')
  await button('Count parcels').click()
  await visitor.page.getByText('Count parcels: done.').waitFor()
  expect(counted).toBe(1)
})

test('users who may not call an endpoint see no button', async () => {
  const page = await makeParcel()
  await visitor.forget()
  await visitor.signIn('client')
  await visitor.visit(page)
  await main().getByText('packed', { exact: true }).waitFor()
  await visitor.page.waitForLoadState('networkidle')
  expect(await button('Send').count()).toBe(0)
  expect(await button('Print the label').count()).toBe(0)
})
