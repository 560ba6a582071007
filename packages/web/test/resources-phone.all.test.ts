// Resources on a phone: long names and two versions of a record.

import { expectFitting } from '@plinth/test-kit/screens'
import { patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { arriveAtResources, filmCalled, json } from './resources-scene.ts'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arriveAtResources()
  await visitor.resize('phone')
})
afterAll(() => visitor.leave())

const admin = () => visitor.service.as('admin')
const film = (title: string) => filmCalled(visitor, title)

test('a name of one long word goes beyond neither the page nor its dialogs, and what was done can be undone', async () => {
  const { page } = visitor
  const name = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'
  const { pk } = (await admin().post('/api/rest/lighthouses', { name }, json)).body
  await visitor.visit(`/resources/lighthouses/${pk}/edit`)
  await expectFitting(page)
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
  await page.getByText('Restored.').waitFor()
})

test('two versions of a record have the whole width', async () => {
  const { page } = visitor
  const { pk, title } = await film('Matrix 11')
  await visitor.load(`/resources/films/${pk}/edit`)
  await page.getByRole('textbox', { name: /^Title/ }).fill('Matrix (mine)')
  await admin().patch(`/api/rest/films/${pk}`, { title: 'Matrix (theirs)' })
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'This record was changed by another user' })
  await dialog.getByRole('radio', { name: 'Title: Their value: Matrix (theirs)' }).waitFor()
  expect(await dialog.getByRole('columnheader').allTextContents()).toEqual(['Your value', 'Their value'])
  await expectFitting(page)
  await dialog.getByRole('button', { name: 'Discard my changes' }).click()
  await admin().patch(`/api/rest/films/${pk}`, { title })
})
