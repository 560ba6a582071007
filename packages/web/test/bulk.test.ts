// Several records at once: rows are selected, and an endpoint that says so is called for each of them.

import { testAll } from '@plinth/test-kit/extent'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { arrive, faultsIn, patience, type Visitor } from '@plinth/test-kit/visitor'
import { boolean, choice, defineEndpoint, defineModule, defineProblems, defineResource, integer, text } from 'plinth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const staff = "caller.has('ROLE_STAFF')"

const crates = defineResource('crates', {
  title: { en: 'Crates', de: 'Kisten' },
  about: 'Crates that are sent.',
  label: 'name',
  trash: true,
  fields: {
    name: text({ required: true, max: 100 }),
    state: choice(['packed', 'sent'], { default: 'packed', required: true }),
    isOpen: boolean({ default: false }),
  },
  access: { read: 'caller.signedIn', write: staff },
})

const crateProblem = defineProblems({
  crate_open: { status: 409, title: 'The crate is still open.', meaning: 'An open crate cannot be sent.' },
})

const sendCrate = defineEndpoint({
  method: 'POST',
  path: '/api/rest/crates/{pk}/send',
  id: 'sendCrate',
  summary: 'Send',
  access: staff,
  when: "record.state == 'packed'",
  button: { title: { en: 'Send', de: 'Verschicken' }, bulk: true },
  body: { days: integer({ required: true, min: 1, max: 9, title: 'Days on the way' }) },
  answers: { 200: crates },
  run: async ({ params, records }) => {
    if ((await records.get(crates, params.pk)).isOpen) throw crateProblem('crate_open')
    return records.update(crates, params.pk, { state: 'sent' })
  },
})

/** Calls wait until the test lets them go on. */
let letGo = () => {}
const weighing = new Promise<void>(resolve => {
  letGo = resolve
})
let weighed = 0

const weighCrate = defineEndpoint({
  method: 'POST',
  path: '/api/rest/crates/{pk}/weigh',
  id: 'weighCrate',
  summary: 'Weigh',
  access: staff,
  button: { bulk: true },
  answers: { 204: 'It is weighed.' },
  run: async () => {
    weighed++
    await weighing
  },
})

const store = defineModule({
  name: 'store',
  about: 'Crates.',
  problems: crateProblem.table,
  resources: [crates],
  endpoints: [sendCrate, weighCrate],
})

let visitor: Visitor
beforeAll(async () => {
  const standard = modulesFor(loadConfig({ env: {}, cwd: '/', overrides: { 'app.demo': 'true' } }))
  visitor = await arrive({ modules: [...standard, store], settings: { 'app.modules': '' } })
  await visitor.signIn('staff')
})
afterAll(() => visitor.leave())

const page = () => visitor.page
const box = (name: string) => page().getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = () => page().getByRole('region', { name: 'Selection' })
const dialog = () => page().getByRole('dialog')
const selected = () => bar().getByRole('status').textContent()

const nameOf = (number: number) => `Crate ${String(number).padStart(3, '0')}`

interface Made {
  readonly count: number
  readonly openFrom?: number
}

/** The list holds these crates and no others. */
const fill = async ({ count, openFrom = count }: Made): Promise<void> => {
  const { records } = visitor.service
  for (const { pk } of await records.find(crates)) await records.remove(crates, pk)
  const values = Array.from({ length: count }, (_, at) => ({ name: nameOf(at + 1), isOpen: at >= openFrom }))
  await records.createMany(crates, values)
  await visitor.load('/resources/crates?sort=name')
  await box(nameOf(1)).waitFor()
}

testAll('a range of rows is selected with shift, by mouse and keyboard, and a whole list from its head', async () => {
  await fill({ count: 130 })
  await box(nameOf(2)).click()
  expect(await selected()).toBe('1 selected')
  await box(nameOf(5)).click({ modifiers: ['Shift'] })
  await expect.poll(selected).toBe('4 selected')
  await page().keyboard.press('Tab')
  await box(nameOf(7)).focus()
  await page().keyboard.press('Shift+Space')
  await expect.poll(selected).toBe('6 selected')
  await box(nameOf(3)).click()
  expect(await selected()).toBe('5 selected')
  // The rows that were not in sight yet come along.
  await page().getByRole('checkbox', { name: 'Select all 130 records' }).click()
  await expect.poll(selected).toBe('130 selected')
  await bar().getByRole('button', { name: 'Clear selection' }).click()
  await bar().waitFor({ state: 'detached' })
  expect(await box(nameOf(2)).isChecked()).toBe(false)
})

test('the form is filled in once, and failed records are named with the reason and tried again', async () => {
  await fill({ count: 6, openFrom: 4 })
  await page().getByRole('checkbox', { name: 'Select all 6 records' }).click()
  await bar().getByRole('button', { name: 'Send', exact: true }).click()
  const days = dialog().getByRole('textbox', { name: /^Days on the way/ })
  const send = dialog().getByRole('button', { name: 'Send', exact: true })
  await dialog().getByText('For 6 records.').waitFor()
  await days.fill('12')
  await send.click()
  // What is wrong with the form is said in the form, once.
  await dialog().getByText('Days on the way must be at most 9.').waitFor()
  await days.fill('3')
  await send.click()
  await dialog().getByText('4 records done. 2 records failed.').waitFor()
  const failures = dialog().getByRole('list', { name: 'Records that failed' })
  expect(await failures.getByRole('listitem').allTextContents()).toEqual([
    `${nameOf(5)}The crate is still open.`,
    `${nameOf(6)}The crate is still open.`,
  ])
  expect(await faultsIn('light', visitor)).toEqual([])
  const { records } = visitor.service
  for (const { pk } of await records.find(crates, { where: { isOpen: true } }))
    await records.update(crates, pk, { isOpen: false })
  await dialog().getByRole('button', { name: 'Try 2 records again' }).click()
  await dialog().waitFor({ state: 'detached' })
  await page().getByText('Send: 6 records done.').waitFor()
  await bar().waitFor({ state: 'detached' })
  expect(await records.count(crates, { where: { state: 'sent' } })).toBe(6)
})

testAll('an action is offered for the selected records that permit it', async () => {
  await fill({ count: 3 })
  const { records } = visitor.service
  const [first] = await records.find(crates, { sort: 'name' })
  await records.update(crates, first?.pk ?? '', { state: 'sent' })
  await box(nameOf(1)).click()
  const send = bar().getByRole('button', { name: /^Send/ })
  await expect.poll(() => send.getAttribute('title')).toBe('Not possible for the selected records at present.')
  expect(await send.isDisabled()).toBe(true)
  await box(nameOf(3)).click({ modifiers: ['Shift'] })
  await expect.poll(() => send.textContent()).toBe('Send (2)')
  await send.click()
  await dialog().getByText('1 selected record is left out: this is not possible for it at present.').waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  // The bar follows what others do.
  await records.update(crates, first?.pk ?? '', { state: 'packed' })
  await expect.poll(() => send.textContent()).toBe('Send')
})

testAll('a run is cancelled after the record that is under way, and goes on where it ended', async () => {
  await fill({ count: 4 })
  await page().getByRole('checkbox', { name: 'Select all 4 records' }).click()
  await bar().getByRole('button', { name: 'Weigh' }).click()
  await dialog().getByRole('button', { name: 'Weigh' }).click()
  await dialog().getByText('0 of 4').waitFor()
  await expect.poll(() => weighed).toBe(1)
  await dialog().getByRole('button', { name: 'Cancel' }).last().click()
  letGo()
  await dialog().getByText('1 record done. 3 records were not reached.').waitFor()
  expect(weighed).toBe(1)
  await dialog().getByRole('button', { name: 'Continue with 3 records' }).click()
  await page().getByText('Weigh: 4 records done.').waitFor()
  expect(weighed).toBe(4)
})

testAll('several records are deleted together, and come back by Undo', async () => {
  await fill({ count: 5 })
  await box(nameOf(2)).click()
  await box(nameOf(4)).click({ modifiers: ['Shift'] })
  await bar().getByRole('button', { name: 'Delete' }).click()
  await dialog().getByText('Delete 3 records?').waitFor()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  const count = () => visitor.service.records.count(crates)
  await expect.poll(count).toBe(2)
  await page().getByText('3 records deleted.').waitFor()
  await page().getByRole('button', { name: 'Undo' }).click()
  await expect.poll(count).toBe(5)
  await box(nameOf(3)).waitFor()
})

testAll('on a phone the bar offers the whole list, in the language of the user', async () => {
  await fill({ count: 40 })
  await visitor.resize('phone')
  await page().evaluate("localStorage.setItem('plinth.language', 'de')")
  await visitor.load('/resources/crates')
  await page()
    .getByRole('checkbox', { name: `${nameOf(1)} auswählen` })
    .click()
  const auswahl = page().getByRole('region', { name: 'Auswahl' })
  await auswahl.getByRole('button', { name: 'Alle 40 Datensätze auswählen' }).click()
  await auswahl.getByText('40 ausgewählt').waitFor()
  expect(await page().evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(await faultsIn('dark', visitor)).toEqual([])
  await auswahl.getByRole('button', { name: 'Verschicken' }).click()
  await dialog().getByText('Für 40 Datensätze.').waitFor()
  expect(await faultsIn('dark', visitor)).toEqual([])
  await page().evaluate("localStorage.setItem('plinth.language', 'en')")
  await visitor.resize('desktop')
})

test('who can do nothing with several records has nothing to select', async () => {
  await visitor.signIn('client')
  await visitor.load('/resources/crates')
  await page()
    .getByRole('link', { name: nameOf(1) })
    .waitFor()
  await page().waitForLoadState('networkidle')
  expect(await page().getByRole('checkbox').count()).toBe(0)
})
