// Every resource by its own description: lists, records, forms, conflicts and the way back.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { modulesFor } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { defineResource } from '../../src/core/model/define.ts'
import { text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { arrive, patience, type Visitor } from './visitor.ts'

vi.setConfig(patience)

/** A resource that the client has never heard of. */
const lighthouses = defineModule({
  name: 'coast',
  about: 'What ships look for.',
  resources: [
    defineResource('lighthouses', {
      about: 'Lights along the coast.',
      label: 'name',
      fields: { name: text({ required: true, max: 100 }), colour: text({ max: 20 }) },
      access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
    }),
  ],
})

let visitor: Visitor
beforeAll(async () => {
  const modules = [...modulesFor(loadConfig({ env: {}, cwd: '/', overrides: { 'app.demo': 'true' } })), lighthouses]
  visitor = await arrive({ modules })
  await visitor.signIn('admin')
})
afterAll(() => visitor.leave())

const row = (name: string | RegExp) => visitor.page.getByRole('row', { name })
const main = () => visitor.page.getByRole('main')
const count = (text: string) => main().getByText(text, { exact: true }).waitFor()
const admin = () => visitor.service.as('admin')
const json = { Accept: 'application/json' }

const film = async (title: string) => {
  const page = await admin().get(`/api/rest/films?filter=${encodeURIComponent(`title=="${title}"`)}`, json)
  return page.body.content[0]
}

describe('a list', () => {
  beforeEach(() => visitor.visit('/resources/films'))

  test('shows the records and how many there are', async () => {
    await row(/Matrix 11/).waitFor()
    await count('214 records')
  })

  test('is searched by name, and the address keeps the search', async () => {
    const { page } = visitor
    await page.getByRole('searchbox', { name: 'Search by Title' }).fill('spider-man')
    await count('2 records')
    await page.waitForURL(/q=spider-man/)
    await page.reload()
    await count('2 records')
    expect(await page.getByRole('searchbox').inputValue()).toBe('spider-man')
  })

  test('is searched by fields', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Search by fields' }).click()
    await page.getByRole('spinbutton', { name: 'Release year from' }).fill('2002')
    await page.getByRole('spinbutton', { name: 'Release year to' }).fill('2004')
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Spider')
    await count('2 records')
  })

  test('is searched in the language of filters, and a mistake is shown where it is', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Filter text' }).click()
    const input = page.getByRole('textbox', { name: 'Filter' })
    await input.fill('title==Matrix*;nmae==x')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').getByText(/nmae/).first().waitFor()
    const [, caret = ''] = ((await page.locator('[role=alert] pre').textContent()) ?? '').split('\n')
    expect(caret.indexOf('^')).toBe('title==Matrix*;'.length)
    await input.fill('title==Matrix*')
    await input.press('Enter')
    await count('1 record')
  })

  test('that fits nothing says so, and is cleared', async () => {
    const { page } = visitor
    await page.getByRole('searchbox').fill('no such film anywhere')
    await main().getByText('Nothing fits this search').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await count('214 records')
  })

  test('is sorted by a heading, up and down', async () => {
    const { page } = visitor
    const first = () => page.locator('tbody tr:not([aria-hidden]) a').first().textContent()
    const firstOf = async (sort: string) =>
      (await admin().get(`/api/rest/films?sort=${sort}&_ps=1`, json)).body.content[0].title
    const heading = page.getByRole('columnheader', { name: 'Title' })
    await heading.getByRole('button').click()
    await expect.poll(first).toBe(await firstOf('title'))
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    await heading.getByRole('button').click()
    await page.waitForURL(/sort=-title/)
    await expect.poll(first).toBe(await firstOf('-title'))
  })

  test('keeps the chosen columns', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Pricing strategy' }).check()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Pricing strategy' }).waitFor()
    await row(/Matrix 11.*New release/).waitFor()
  })

  test('is exported as it is searched', async () => {
    const { page } = visitor
    await page.getByRole('searchbox').fill('spider-man')
    await count('2 records')
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'As a table (CSV)' }).click(),
    ])
    const lines = (await readFile((await download.path()) ?? '', 'utf8')).trim().split('\r\n')
    expect(download.suggestedFilename()).toBe('films.csv')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^title,/)
    expect(lines.slice(1).every(line => line.startsWith('Spider-Man'))).toBe(true)
  })

  test('shows what somebody else changes, adds and removes', async () => {
    const { page } = visitor
    await page.getByRole('img', { name: /^Live/ }).waitFor()
    const { pk, pricingStrategy } = await film('Spider-Man 2')
    await admin().patch(`/api/rest/films/${pk}`, { title: 'Spider-Man, live' })
    await row(/Spider-Man, live/).waitFor()
    await admin().patch(`/api/rest/films/${pk}`, { title: 'Spider-Man 2' })
    const added = await admin().post(
      '/api/rest/films',
      { title: 'Brand new', pricingStrategy: pricingStrategy.pk },
      json,
    )
    await count('215 records')
    await admin().delete(`/api/rest/films/${added.body.pk}`)
    await count('214 records')
  })

  test('is walked by the keyboard', async () => {
    const { page } = visitor
    await row(/Matrix 11/).waitFor()
    await page.getByRole('region', { name: 'Table of Films' }).focus()
    await page.keyboard.press('End')
    await expect.poll(() => page.locator('tr[aria-rowindex="215"] a').count()).toBe(1)
    await page.keyboard.press('Home')
    await page.getByRole('link', { name: 'Matrix 11' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Matrix 11' }).waitFor()
  })
})

describe('a record', () => {
  test('is created, its faults told beside their fields', async () => {
    const { page } = visitor
    await visitor.visit('/resources/films')
    await main().getByRole('link', { name: 'New' }).click()
    await page.getByRole('heading', { level: 1, name: 'New: Film' }).waitFor()
    await page.getByRole('textbox', { name: 'Release year' }).fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[name=title][aria-invalid=true]').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('title')
    await page.getByRole('textbox', { name: /^Title/ }).fill('A film by hand')
    await page.getByRole('textbox', { name: 'Release year' }).fill('1999')
    await page.getByRole('combobox', { name: /^Pricing strategy/ }).fill('Regu')
    await page.getByRole('option', { name: 'Regular' }).click()
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await page.getByRole('heading', { level: 1, name: 'A film by hand' }).waitFor()
    const found = await admin().get('/api/rest/films?title=A%20film%20by%20hand', json)
    expect(found.body.page.totalElements).toBe(1)
    expect(found.body.content[0]).toMatchObject({ releaseYear: 1999, pricingStrategy: { name: 'Regular' } })
  })

  test('what was typed and not saved outlives a reload', async () => {
    const { page } = visitor
    await visitor.visit('/resources/films/new')
    await page.getByRole('textbox', { name: /^Title/ }).fill('Half a title')
    await page.reload()
    await page.getByText('Your unsaved changes are here again.').waitFor()
    expect(await page.getByRole('textbox', { name: /^Title/ }).inputValue()).toBe('Half a title')
    await page.getByRole('button', { name: 'Discard them' }).click()
    expect(await page.getByRole('textbox', { name: /^Title/ }).inputValue()).toBe('')
  })

  test('leads to related records, both ways', async () => {
    const { page } = visitor
    const { pk } = await film('Out of Africa')
    await visitor.visit(`/resources/films/${pk}`)
    await page.getByRole('tab', { name: 'Copies' }).click()
    await page.locator('tbody tr:not([aria-hidden]) a').first().click()
    await page.getByRole('main').getByRole('link', { name: 'Out of Africa' }).click()
    await page.getByRole('heading', { level: 1, name: 'Out of Africa' }).waitFor()
  })

  test('is changed, and the change taken back', async () => {
    const { page } = visitor
    const { pk } = await film('Out of Africa')
    await visitor.visit(`/resources/films/${pk}/edit`)
    await page.getByRole('textbox', { name: 'Primary language' }).fill('de')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Out of Africa' }).waitFor()
    expect((await film('Out of Africa')).primaryLanguage).toBe('de')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    expect((await film('Out of Africa')).primaryLanguage).toBe('en')
  })

  test('that two people changed is shown side by side, and both changes can be kept', async () => {
    const { page } = visitor
    const before = await film('Spider-Man')
    await visitor.visit(`/resources/films/${before.pk}/edit`)
    await page.getByRole('textbox', { name: /^Title/ }).fill('Spider-Man (mine)')
    await page.getByRole('textbox', { name: 'Primary language' }).fill('fr')
    await admin().patch(`/api/rest/films/${before.pk}`, { title: 'Spider-Man (theirs)', releaseYear: 2003 })
    await page.getByText('Somebody else has changed this record').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Two people changed this record' })
    await dialog.getByRole('radio', { name: 'Title: Yours: Spider-Man (mine)' }).waitFor()
    await dialog.getByRole('radio', { name: 'Title: Theirs: Spider-Man (theirs)' }).check()
    await dialog.getByRole('button', { name: 'Save this choice' }).click()
    await page.getByRole('heading', { level: 1, name: 'Spider-Man (theirs)' }).waitFor()
    const { body } = await admin().get(`/api/rest/films/${before.pk}`, json)
    expect(body).toMatchObject({ title: 'Spider-Man (theirs)', releaseYear: 2003, primaryLanguage: 'fr' })
    const { title, releaseYear, primaryLanguage } = before
    await admin().patch(`/api/rest/films/${before.pk}`, { title, releaseYear, primaryLanguage })
  })

  test('is deleted after a question, and brought back', async () => {
    const { page } = visitor
    const made = await admin().post('/api/rest/lighthouses', { name: 'North Cape', colour: 'red' }, json)
    await visitor.visit(`/resources/lighthouses/${made.body.pk}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await main().getByText('Nothing here yet').waitFor()
    expect((await admin().get(`/api/rest/lighthouses/${made.body.pk}`)).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(/North Cape/).waitFor()
    const back = await admin().get(`/api/rest/lighthouses/${made.body.pk}`, json)
    expect(back.body).toMatchObject({ name: 'North Cape', colour: 'red' })
  })

  test('that others refer to stays, and the reason is told where one asked', async () => {
    const { page } = visitor
    const { pricingStrategy } = await film('Matrix 11')
    await visitor.visit(`/resources/filmPricingStrategies/${pricingStrategy.pk}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect((await admin().get(`/api/rest/filmPricingStrategies/${pricingStrategy.pk}`)).status).toBe(200)
  })

  test('without a name is called by its kind, not by a long identifier', async () => {
    const { page } = visitor
    const payment = (await admin().get('/api/rest/payments?_ps=1', json)).body.content[0]
    await visitor.visit(`/resources/payments/${payment.pk}`)
    const name = `Payment #${payment.pk.slice(-8)}`
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await main()
      .getByRole('link', { name: `#${payment.rental.pk.slice(-8)}`, exact: true })
      .waitFor()
  })

  test('that does not exist says so', async () => {
    await visitor.visit('/resources/films/00000000-0000-7000-8000-00000000dead')
    await main().getByText('This record does not exist any more').waitFor()
  })
})

test('a resource added to the service appears by itself', async () => {
  const { page } = visitor
  await visitor.visit('/')
  await page.getByRole('navigation').getByText('Coast').click()
  await page.getByRole('navigation').getByRole('link', { name: 'Lighthouses' }).click()
  await main().getByText('Lights along the coast.').waitFor()
  await main().getByRole('link', { name: 'New' }).click()
  await page.getByRole('textbox', { name: /^Name/ }).fill('South Point')
  await page.getByRole('textbox', { name: 'Colour' }).fill('white')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'South Point' }).waitFor()
})

test('whoever reads German reads no English of the service', async () => {
  const { page } = visitor
  await page.evaluate('localStorage.setItem("plinth.language", "de")')
  await visitor.visit('/resources/films/new')
  await page.getByRole('heading', { level: 1, name: 'Neu: Film', exact: true }).waitFor()
  await main().getByText('Titel, die der Laden verleiht.').waitFor()
  await main().getByText('Für ein verlorenes oder beschädigtes Exemplar.').waitFor()
  const { pk } = await film('Matrix 11')
  await visitor.visit(`/resources/films/${pk}/edit`)
  const cost = page.getByRole('textbox', { name: 'Ersatzkosten' })
  expect(await cost.inputValue()).toBe('250,00')
  await cost.fill('251,5')
  await page.getByRole('button', { name: 'Speichern' }).click()
  await main().getByText('251,50').waitFor()
  expect((await film('Matrix 11')).replacementCost).toBe(251.5)
  await admin().patch(`/api/rest/films/${pk}`, { replacementCost: 250 })
  await page.evaluate('localStorage.setItem("plinth.language", "en")')
})

test('people are offered only what they may do', async () => {
  const { page } = visitor
  await visitor.signIn('simple')
  await visitor.visit('/resources/films')
  await row(/Matrix 11/).waitFor()
  expect(await main().getByRole('link', { name: 'New' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Matrix 11' }).click()
  await page.getByRole('heading', { level: 1, name: 'Matrix 11' }).waitFor()
  expect(await main().getByRole('button', { name: 'Delete' }).count()).toBe(0)
  await visitor.signIn('admin')
})

test('on a phone records are cards that lead to their pages', async () => {
  const { page } = visitor
  await visitor.resize('phone')
  await visitor.visit('/resources/films')
  await row(/Matrix 11 PG-13/).waitFor()
  await page.getByRole('link', { name: 'Matrix 11' }).click()
  await page.getByRole('heading', { level: 1, name: 'Matrix 11' }).waitFor()
  await visitor.resize('desktop')
})

describe('on a phone', () => {
  beforeAll(() => visitor.resize('phone'))
  afterAll(() => visitor.resize('desktop'))

  const expectFitting = async () =>
    expect(await visitor.page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)

  test('a name of one long word goes beyond neither the page nor its dialogs, and what was done can be undone', async () => {
    const { page } = visitor
    const name = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'
    const { pk } = (await admin().post('/api/rest/lighthouses', { name }, json)).body
    await visitor.visit(`/resources/lighthouses/${pk}/edit`)
    await expectFitting()
    await visitor.visit(`/resources/lighthouses/${pk}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('heading').waitFor()
    const words = 'document.querySelector("[role=dialog] h2")'
    expect(await page.evaluate<boolean>(`${words}.scrollWidth <= ${words}.clientWidth`)).toBe(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    const place = (await undo.boundingBox()) ?? { x: 390, width: 0 }
    expect(place.x + place.width).toBeLessThan(390)
    await undo.click()
    await page.getByText('Undone.').waitFor()
  })

  test('two versions of a record have the whole width', async () => {
    const { page } = visitor
    const { pk, title } = await film('Matrix 11')
    await visitor.visit(`/resources/films/${pk}/edit`)
    await page.getByRole('textbox', { name: /^Title/ }).fill('Matrix (mine)')
    await admin().patch(`/api/rest/films/${pk}`, { title: 'Matrix (theirs)' })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Two people changed this record' })
    await dialog.getByRole('radio', { name: 'Title: Theirs: Matrix (theirs)' }).waitFor()
    expect(await dialog.getByRole('columnheader').allTextContents()).toEqual(['Yours', 'Theirs'])
    await expectFitting()
    await dialog.getByRole('button', { name: 'Drop my changes' }).click()
    await admin().patch(`/api/rest/films/${pk}`, { title })
  })
})
