// Every resource by its own description: records, forms, conflicts and the way back.

import { testAll } from '@plinth/test-kit/extent'
import { ringsOfButtons } from '@plinth/test-kit/focus-rings'
import { patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { arriveAtResources, filmCalled, json } from './resources-scene.ts'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arriveAtResources()
})
afterAll(() => visitor.leave())

const row = (name: string | RegExp) => visitor.page.getByRole('row', { name })
const main = () => visitor.page.getByRole('main')
const admin = () => visitor.service.as('admin')
const film = (title: string) => filmCalled(visitor, title)

describe('a record', () => {
  test('is created, with errors shown next to their fields', async () => {
    const { page } = visitor
    await visitor.visit('/resources/films')
    await main().getByRole('link', { name: 'New' }).click()
    await page.getByRole('heading', { level: 1, name: 'New film', exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Release year' }).fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[name=title][aria-invalid=true]').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('title')
    await page.getByRole('textbox', { name: /^Title/ }).fill('A film by hand')
    await page.getByRole('textbox', { name: 'Release year' }).fill('1999')
    await page.getByRole('combobox', { name: /^Pricing strategy/ }).fill('Regu')
    await page.getByRole('option', { name: 'Regular' }).click()
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await page.getByRole('heading', { level: 1, name: 'A film by hand', exact: true }).waitFor()
    const found = await admin().get('/api/rest/films?title=A%20film%20by%20hand', json)
    expect(found.body.page.totalElements).toBe(1)
    expect(found.body.content[0]).toMatchObject({ releaseYear: 1999, pricingStrategy: { name: 'Regular' } })
  })

  testAll('that is saved empty marks every missing field, the identifier among them', async () => {
    const { page } = visitor
    await visitor.visit('/resources/countries/new')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[name=name][aria-invalid=true]').waitFor()
    await page.locator('input[name=pk][aria-invalid=true]').waitFor({ timeout: 5000 })
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('pk')
  })

  testAll('what was typed and not saved outlives a reload', async () => {
    const { page } = visitor
    await visitor.visit('/resources/films/new')
    await page.getByRole('textbox', { name: /^Title/ }).fill('Half a title')
    await page.reload()
    await page.getByText('We restored your unsaved changes.').waitFor()
    expect(await page.getByRole('textbox', { name: /^Title/ }).inputValue()).toBe('Half a title')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await page.getByRole('textbox', { name: /^Title/ }).inputValue()).toBe('')
  })

  test('is not lost when the session ends: the draft is kept until one has signed in again', async () => {
    const { page, context, service } = visitor
    const { pk } = await film('Out of Africa')
    await visitor.visit(`/resources/films/${pk}/edit`)
    await page.getByRole('textbox', { name: 'Release year' }).fill('1986')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    const notice = main().getByRole('alert')
    await notice.getByText('Your session has ended.').waitFor()
    await notice.getByText(/^Your changes are kept in this tab/).waitFor()
    await notice.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: /^Username or/ }).fill('admin')
    await page.getByRole('textbox', { name: /^Password/ }).fill('admin')
    await admin().patch(`/api/rest/films/${pk}`, { primaryLanguage: 'sw' })
    await main().getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${service.url}/client/resources/films/${pk}/edit`)
    await page.getByText('We restored your unsaved changes.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Release year' }).inputValue()).toBe('1986')
    expect(await page.getByRole('textbox', { name: 'Primary language' }).inputValue()).toBe('sw')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Out of Africa', exact: true }).waitFor()
    expect(await film('Out of Africa')).toMatchObject({ releaseYear: 1986, primaryLanguage: 'sw' })
    await admin().patch(`/api/rest/films/${pk}`, { releaseYear: 1985, primaryLanguage: 'en' })
  })

  testAll('of another user in the same tab: the draft is not shown', async () => {
    const { page, context } = visitor
    const { pk } = await film('Out of Africa')
    await visitor.visit(`/resources/films/${pk}/edit`)
    await page.getByRole('textbox', { name: 'Release year' }).fill('1999')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await main().getByRole('alert').getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: /^Username or/ }).fill('staff')
    await page.getByRole('textbox', { name: /^Password/ }).fill('staff')
    await main().getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit Out of Africa', exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Release year' }).inputValue()).not.toBe('1999')
    expect(await page.getByText('We restored your unsaved changes.').count()).toBe(0)
    await visitor.signIn('admin')
  })

  testAll('leads to related records, both ways', async () => {
    const { page } = visitor
    const { pk } = await film('Out of Africa')
    await visitor.visit(`/resources/films/${pk}`)
    await page.getByRole('tab', { name: 'Copies' }).click()
    await page.locator('tbody tr:not([aria-hidden]) a').first().click()
    await page.getByRole('main').getByRole('link', { name: 'Out of Africa' }).click()
    await page.getByRole('heading', { level: 1, name: 'Out of Africa', exact: true }).waitFor()
  })

  test('is changed, and the change taken back', async () => {
    const { page } = visitor
    const { pk } = await film('Out of Africa')
    await visitor.visit(`/resources/films/${pk}/edit`)
    await page.getByRole('textbox', { name: 'Primary language' }).fill('de')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Out of Africa', exact: true }).waitFor()
    expect((await film('Out of Africa')).primaryLanguage).toBe('de')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Restored.').waitFor()
    expect((await film('Out of Africa')).primaryLanguage).toBe('en')
  })

  test('that two people changed is shown side by side, and both changes can be kept', async () => {
    const { page } = visitor
    const before = await film('Spider-Man')
    await visitor.visit(`/resources/films/${before.pk}/edit`)
    await page.getByRole('textbox', { name: /^Title/ }).fill('Spider-Man (mine)')
    await page.getByRole('textbox', { name: 'Primary language' }).fill('fr')
    await admin().patch(`/api/rest/films/${before.pk}`, { title: 'Spider-Man (theirs)', releaseYear: 2003 })
    await page.getByText('Another user changed this record').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'This record was changed by another user' })
    await dialog.getByRole('radio', { name: 'Title: Your value: Spider-Man (mine)' }).waitFor()
    await dialog.getByRole('radio', { name: 'Title: Their value: Spider-Man (theirs)' }).check()
    await dialog.getByRole('button', { name: 'Save selection' }).click()
    await page.getByRole('heading', { level: 1, name: 'Spider-Man (theirs)', exact: true }).waitFor()
    const { body } = await admin().get(`/api/rest/films/${before.pk}`, json)
    expect(body).toMatchObject({ title: 'Spider-Man (theirs)', releaseYear: 2003, primaryLanguage: 'fr' })
    const { title, releaseYear, primaryLanguage } = before
    await admin().patch(`/api/rest/films/${before.pk}`, { title, releaseYear, primaryLanguage })
  })

  test('is deleted after a question, and brought back', async () => {
    const { page } = visitor
    const made = await admin().post('/api/rest/lighthouses', { name: 'North Cape', colour: 'red' }, json)
    await visitor.load(`/resources/lighthouses/${made.body.pk}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor()
    expect(await ringsOfButtons(page, '[role=dialog]')).toEqual({ Close: 'whole', Cancel: 'whole', Delete: 'whole' })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await main().getByText('No records yet').waitFor()
    expect((await admin().get(`/api/rest/lighthouses/${made.body.pk}`)).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(/North Cape/).waitFor()
    const back = await admin().get(`/api/rest/lighthouses/${made.body.pk}`, json)
    expect(back.body).toMatchObject({ name: 'North Cape', colour: 'red' })
  })

  const nina = { username: 'nina', email: 'nina@example.org', password: 'a long sentence of my own' }
  const createNina = async (): Promise<string> => (await admin().post('/api/rest/users', nina, json)).body.pk

  testAll('is restored together with what was deleted with it', async () => {
    const { page } = visitor
    const pk = await createNina()
    await visitor.load(`/resources/users/${pk}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It goes to the trash').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“nina” deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Restored.').waitFor()
    const contact = await admin().get(`/api/rest/contactDetails/${pk}`, json)
    expect(contact.body.primaryEmail).toMatchObject({ email: nina.email })
    await admin().delete(`/api/rest/users/${pk}`)
    await admin().delete(`/api/rest/users/${pk}?trash=only`)
  })

  testAll('that was deleted comes back from the trash, or is deleted for good', async () => {
    const { page } = visitor
    const pk = await createNina()
    await admin().delete(`/api/rest/users/${pk}`)
    await visitor.visit('/resources/users')
    await main().getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('row', { name: /^nina .* admin / }).waitFor()
    await page.getByRole('button', { name: 'Restore: nina' }).click()
    await page.getByText('“nina” restored.').waitFor()
    expect((await admin().get(`/api/rest/users/${pk}`)).status).toBe(200)
    await main().getByText('The trash is empty').waitFor()
    await admin().delete(`/api/rest/users/${pk}`)
    await page.reload()
    await page.getByRole('button', { name: 'Delete permanently: nina' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
    await main().getByText('The trash is empty').waitFor()
    expect((await admin().get(`/api/rest/users/${pk}?trash=only`)).status).toBe(404)
  })

  testAll('shows its history to administrators, who can restore a version', async () => {
    const { page } = visitor
    const { pk } = (await admin().post('/api/rest/filmActors', { firstName: 'Ann', lastName: 'Lee' }, json)).body
    await admin().patch(`/api/rest/filmActors/${pk}`, { lastName: 'Ray' })
    await visitor.visit(`/resources/filmActors/${pk}`)
    await main().getByRole('tab', { name: 'History' }).click()
    await main().getByText('Changed by admin').waitFor()
    const changes = page.getByRole('table', { name: 'Changes in version 2' })
    await changes.getByRole('row', { name: 'Last name Lee Ray' }).waitFor()
    await page.getByRole('button', { name: 'Restore this version: 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).click()
    await page.getByText('Version 1 restored.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Ann Lee', exact: true }).waitFor()
    await page.getByRole('table', { name: 'Changes in version 3' }).waitFor()
    expect((await admin().get(`/api/rest/filmActors/${pk}`, json)).body.lastName).toBe('Lee')
    const { body } = await visitor.service.as('staff').get('/api/rest/filmActors/uischema', json)
    expect(body.rights).toMatchObject({ patch: true, history: false })
  })

  testAll('whose identifier only administrators may choose is not offered back to others', async () => {
    const { page } = visitor
    const made = await admin().post('/api/rest/lighthouses', { name: 'East Reef' }, json)
    await visitor.signIn('staff')
    await visitor.visit(`/resources/lighthouses/${made.body.pk}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“East Reef” deleted.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await visitor.signIn('admin')
  })

  testAll('that is deleted takes back the offer to undo its last change', async () => {
    const { page } = visitor
    const made = await admin().post('/api/rest/lighthouses', { name: 'West Bank', colour: 'red' }, json)
    await visitor.visit(`/resources/lighthouses/${made.body.pk}/edit`)
    await page.getByRole('textbox', { name: 'Colour' }).fill('green')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“West Bank” deleted.').waitFor()
    await expect.poll(() => page.getByText('Saved.').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
  })

  testAll('that is changed twice offers to undo the last change only', async () => {
    const { page } = visitor
    const made = await admin().post('/api/rest/lighthouses', { name: 'South Rock', colour: 'red' }, json)
    await visitor.visit(`/resources/lighthouses/${made.body.pk}`)
    for (const colour of ['green', 'blue']) {
      await main().getByRole('link', { name: 'Edit' }).click()
      await page.getByRole('textbox', { name: 'Colour' }).fill(colour)
      await page.getByRole('button', { name: 'Save' }).click()
      await main().getByText(colour).waitFor()
    }
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await main().getByText('green').waitFor()
    await admin().delete(`/api/rest/lighthouses/${made.body.pk}`)
  })

  testAll('that others refer to is not deleted, and the dialog shows the reason', async () => {
    const { page } = visitor
    const { pricingStrategy } = await film('Matrix 11')
    await visitor.visit(`/resources/filmPricingStrategies/${pricingStrategy.pk}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect((await admin().get(`/api/rest/filmPricingStrategies/${pricingStrategy.pk}`)).status).toBe(200)
  })

  testAll('without a name is called by its kind, not by a long identifier', async () => {
    const { page } = visitor
    const payment = (await admin().get('/api/rest/payments?_ps=1', json)).body.content[0]
    await visitor.visit(`/resources/payments/${payment.pk}`)
    const name = `Payment #${payment.pk.slice(-8)}`
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await main()
      .getByRole('link', { name: `#${payment.rental.pk.slice(-8)}`, exact: true })
      .waitFor()
  })

  testAll('that does not exist says so', async () => {
    await visitor.visit('/resources/films/00000000-0000-7000-8000-00000000dead')
    await main().getByText('This record no longer exists').waitFor()
  })
})

testAll('a resource added to the service appears by itself', async () => {
  const { page } = visitor
  await visitor.load('/')
  await page.getByRole('navigation').getByText('Coast').click()
  await page.getByRole('navigation').getByRole('link', { name: 'Lighthouses' }).click()
  await main().getByText('Lights along the coast.').waitFor()
  await main().getByRole('link', { name: 'New' }).click()
  await page.getByRole('textbox', { name: /^Name/ }).fill('South Point')
  await page.getByRole('textbox', { name: 'Colour' }).fill('white')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'South Point', exact: true }).waitFor()
})

testAll('in German, no English texts of the service are shown', async () => {
  const { page } = visitor
  await page.evaluate('localStorage.setItem("plinth.language", "de")')
  await visitor.load('/resources/films/new')
  await page.getByRole('heading', { level: 1, name: 'Neu: Film', exact: true }).waitFor()
  await main().getByText('Die Filme des Ladens.').waitFor()
  await main().getByText('Für ein verlorenes oder beschädigtes Exemplar.').waitFor()
  await page.getByRole('textbox', { name: 'Erscheinungsjahr' }).fill('12')
  await page.getByRole('button', { name: 'Speichern' }).click()
  await main().getByText('Geben Sie mindestens 1870 ein.').waitFor()
  await main().getByText('Dieses Feld ist erforderlich.').first().waitFor()
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
  await page.getByRole('heading', { level: 1, name: 'Matrix 11', exact: true }).waitFor()
  expect(await main().getByRole('button', { name: 'Delete' }).count()).toBe(0)
  await visitor.signIn('admin')
})
