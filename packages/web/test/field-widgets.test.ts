// Types of fields as people use them: how they are entered, shown and searched.

import { testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { arrive, faultsIn, patience, type Visitor } from '@plinth/test-kit/visitor'
import { choice, defineModule, defineResource, duration, email, geo, phone, ref, sequence, text, url } from 'plinth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const tickets = defineResource('tickets', {
  about: 'What is repaired.',
  label: 'title',
  fields: {
    title: text({ required: true }),
    state: choice(['new', 'diagnosed', 'repaired', 'scrapped'], {
      transitions: { new: ['diagnosed'], diagnosed: ['new', 'repaired', 'scrapped'] },
      labels: { new: 'New', diagnosed: 'Diagnosed', repaired: 'Repaired', scrapped: 'Scrapped' },
    }),
  },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})

const crafts = defineResource('crafts', {
  about: 'Who repairs.',
  label: 'name',
  fields: {
    name: text({ required: true }),
    number: sequence({ format: 'C-{000}' }),
    mail: email(),
    telephone: phone(),
    site: url(),
    work: duration({ max: 'PT100H' }),
    place: geo(),
    owner: ref('users', { default: 'caller.pk' }),
  },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})

const json = { Accept: 'application/json' }

let visitor: Visitor
beforeAll(async () => {
  const workshop = defineModule({ name: 'workshop', about: 'A workshop.', resources: [tickets, crafts] })
  visitor = await arrive({ modules: [...modules, workshop] })
  await visitor.signIn('admin')
})
afterAll(() => visitor.leave())

const main = () => visitor.page.getByRole('main')
const admin = () => visitor.service.as('admin')

test('the next states are buttons on the page of a record, and a final one asks first', async () => {
  const { page } = visitor
  const { pk } = (await admin().post('/api/rest/tickets', { title: 'Radio' }, json)).body
  const state = async () => (await admin().get(`/api/rest/tickets/${pk}`, json)).body.state
  const steps = () =>
    main()
      .getByRole('button', { name: /^Change State/ })
      .allTextContents()
  const dialog = page.getByRole('dialog', { name: 'Change State to “Scrapped”?' })
  const other = (await admin().post('/api/rest/tickets', { title: 'Lamp' }, json)).body.pk
  await admin().patch(`/api/rest/tickets/${other}`, { state: 'diagnosed' }, json)
  await visitor.visit(`/resources/tickets/${other}`)
  await main().getByRole('button', { name: 'Change State to Scrapped' }).click()
  await dialog.getByText('This state is final').waitFor()
  await visitor.settle()
  expect(await faultsIn('light', visitor)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await visitor.visit(`/resources/tickets/${pk}`)
  await expect.poll(steps).toEqual(['Diagnosed'])
  await main().getByRole('button', { name: 'Change State to Diagnosed' }).click()
  await expect.poll(steps).toEqual(['New', 'Repaired', 'Scrapped'])
  // The step back is possible, so it is offered.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(steps).toEqual(['Diagnosed'])
  expect(await state()).toBe('new')
  await main().getByRole('button', { name: 'Change State to Diagnosed' }).click()
  await main().getByRole('button', { name: 'Change State to Scrapped' }).click()
  await dialog.getByRole('button', { name: 'Scrapped' }).click()
  await expect.poll(steps).toEqual([])
  expect(await state()).toBe('scrapped')
})

testAll('forms offer only the states that the record can take', async () => {
  const { page } = visitor
  const options = async () => {
    await page.getByRole('combobox', { name: /^State/ }).click()
    return page.getByRole('option').allTextContents()
  }
  await visitor.visit('/resources/tickets/new')
  expect(await options()).toEqual(['New'])
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Lamp')
  await page.getByRole('button', { name: 'Save' }).click()
  await main().getByRole('link', { name: 'Edit' }).click()
  expect(await options()).toEqual(['New', 'Diagnosed'])
  await page.getByRole('option', { name: 'Diagnosed' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await main().getByRole('button', { name: 'Change State to Repaired' }).waitFor()
})

testAll('addresses, durations and points are entered, shown and searched in their own way', async () => {
  const { page } = visitor
  // Without the news of the tests before.
  await visitor.load('/resources/crafts/new')
  const owner = page.getByRole('combobox', { name: 'Owner' })
  await expect.poll(() => owner.inputValue()).toBe('admin')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Ann')
  await page.getByRole('textbox', { name: 'Mail' }).fill('nobody')
  await page.getByRole('textbox', { name: 'Site' }).fill('https://example.org/a')
  await page.getByRole('textbox', { name: 'Telephone' }).fill('+49 40 123-456')
  const work = page.getByRole('textbox', { name: 'Work' })
  await work.fill('soon')
  await work.blur()
  await main().getByText('Enter a duration, such as 2 h 26 min.').waitFor()
  await work.fill('2:26')
  await work.blur()
  await expect.poll(() => work.inputValue()).toBe('2 h 26 min')
  await page.getByRole('textbox', { name: 'Latitude' }).fill('47.3769')
  await page.getByRole('textbox', { name: 'Longitude' }).fill('8.5417')
  await page.getByRole('button', { name: 'Save' }).click()
  await main().getByText('Mail must be a valid e-mail address.').waitFor()
  await visitor.settle()
  expect(await faultsIn('light', visitor)).toEqual([])
  await page.getByRole('textbox', { name: 'Mail' }).fill('ann@example.org')
  await page.getByRole('button', { name: 'Save' }).click()

  const linkTo = (name: string) => main().getByRole('link', { name, exact: true }).getAttribute('href')
  expect(await linkTo('ann@example.org')).toBe('mailto:ann@example.org')
  expect(await linkTo('+49 40 123-456')).toBe('tel:+4940123456')
  expect(await linkTo('https://example.org/a')).toBe('https://example.org/a')
  expect(await linkTo('47.3769, 8.5417')).toBe('geo:47.3769,8.5417')
  await main().getByText('2 h 26 min').waitFor()
  const [made] = (await admin().get('/api/rest/crafts', json)).body.content
  expect(made).toMatchObject({ number: 'C-001', work: 'PT2H26M', place: { lat: 47.3769, lng: 8.5417 } })

  await admin().post('/api/rest/crafts', { name: 'Bob', work: 'PT30M' }, json)
  await visitor.visit('/resources/crafts')
  await main()
    .getByRole('row', { name: /Ann.*2 h 26 min/ })
    .waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Work from').fill('1 h')
  await page.getByText('1 record', { exact: true }).waitFor()
  await main().getByRole('link', { name: 'Ann' }).click()
  await main().getByRole('link', { name: 'Edit' }).click()
  expect(await page.getByRole('textbox', { name: 'Work' }).inputValue()).toBe('2 h 26 min')
  expect(await page.getByRole('textbox', { name: 'Latitude' }).inputValue()).toBe('47.3769')
})
