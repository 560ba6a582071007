// The search box of a list whose resource is searched by words: the best matches first, until a column is chosen.

import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { arrive, patience, type Visitor } from '@plinth/test-kit/visitor'
import { defineModule, defineResource, text } from 'plinth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const letters = defineResource('letters', {
  about: 'Letters.',
  label: 'subject',
  search: ['subject', 'content'],
  fields: { subject: text({ required: true, max: 100, indexed: true }), content: text({ max: 2000 }) },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

const post = defineModule({ name: 'post', about: 'Letters.', resources: [letters] })

let visitor: Visitor
beforeAll(async () => {
  visitor = await arrive({ modules: [...modules, post] })
  const staff = visitor.service.as('staff')
  await make(staff, 'letters', {
    subject: 'Apples',
    content: 'Nothing of harbours, but of many other things, and apples.',
  })
  await make(staff, 'letters', { subject: 'Harbours', content: 'The harbour is open.' })
  await make(staff, 'letters', { subject: 'Mountains', content: 'Snow.' })
  await visitor.signIn('staff')
})
afterAll(() => visitor.leave())

test('words are searched in all forms, and the best match comes first', async () => {
  const { page } = visitor
  await visitor.visit('/resources/letters')
  const links = () => page.locator('tr[aria-rowindex] a').allInnerTexts()
  await page.getByRole('main').getByText('3 records', { exact: true }).waitFor()
  await page.getByRole('searchbox', { name: 'Search by Subject, Content' }).fill('HARBOUR')
  await page.getByRole('main').getByText('2 records', { exact: true }).waitFor()
  await vi.waitFor(async () => expect(await links()).toEqual(['Harbours', 'Apples']))
  await page.getByRole('columnheader', { name: 'Subject' }).getByRole('button').click()
  await vi.waitFor(async () => expect((await links()).toSorted()).toEqual(['Apples', 'Harbours']))
  expect(new URL(page.url()).searchParams.get('q')).toBe('HARBOUR')
})

test('the page of a record shows those that are like it', async () => {
  const { page } = visitor
  await visitor.visit('/resources/letters')
  await page.getByRole('main').getByRole('link', { name: 'Harbours' }).click()
  await page.getByRole('tab', { name: 'Similar' }).click()
  await page.getByRole('table').getByRole('link', { name: 'Apples' }).waitFor()
  expect(await page.locator('tr[aria-rowindex] a').allInnerTexts()).toEqual(['Apples'])
})
