// Fields of files in forms: chosen, dropped, shown before they are saved, refused, replaced and removed.

import { seriousFaults } from '@plinth/test-kit/axe'
import { testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { picture } from '@plinth/test-kit/uploads'
import { arrive, patience, type Visitor } from '@plinth/test-kit/visitor'
import { defineModule, defineResource, file, image, text } from 'plinth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const parcels = defineResource('parcels', {
  about: 'What was sent.',
  label: 'name',
  fields: {
    name: text({ required: true }),
    photo: image({ title: { de: 'Foto' } }),
    papers: file({ several: true, title: { de: 'Papiere' } }),
  },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

let visitor: Visitor
let png: Buffer
beforeAll(async () => {
  const posting = defineModule({ name: 'posting', about: 'Parcels.', resources: [parcels] })
  visitor = await arrive({ modules: [...modules, posting] })
  await visitor.signIn('admin')
  png = await picture(60, 40)
})
afterAll(() => visitor.leave())

const field = (name: string) => visitor.page.getByRole('main').locator(`input[type=file][name=${name}]`)

const save = () => visitor.page.getByRole('button', { name: 'Save' }).click()

const onlyParcel = async () =>
  (await visitor.service.as('staff').get('/api/rest/parcels?name=Books', { Accept: 'application/json' })).body
    .content[0]

test('files are chosen and dropped in a form, and shown before and after it is saved', async () => {
  const { page } = visitor
  await visitor.visit('/resources/parcels/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Books')
  await field('photo').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: png })
  await page.getByRole('img', { name: 'photo.png' }).waitFor()
  await field('papers').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('one') })
  await page.getByText('a.txt', { exact: true }).waitFor()
  const data = await page.evaluateHandle(
    "(() => { const dropped = new DataTransfer(); dropped.items.add(new File(['two'], 'b.txt')); return dropped })()",
  )
  await page.getByRole('button', { name: 'Add files' }).dispatchEvent('drop', { dataTransfer: data })
  await page.getByText('b.txt', { exact: true }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().includes('/parcels')) sent.push(new URL(request.url()).pathname)
  })
  await save()
  const link = page.getByRole('link', { name: 'b.txt' })
  await link.waitFor()
  const shown = page.getByRole('img', { name: 'photo.png' })
  await shown.waitFor()
  await expect.poll(() => page.evaluate(`document.querySelector('img[alt="photo.png"]').naturalWidth`)).toBe(60)
  const { photo, papers } = await onlyParcel()
  expect([photo.name, papers.map(({ name }: { name: string }) => name)]).toEqual(['photo.png', ['a.txt', 'b.txt']])
  expect(await link.getAttribute('href')).toBe(papers[1].url)
  expect(sent).toEqual(['/api/rest/parcels'])
  expect(visitor.complaints).toEqual([])
})

test('all faults of fields and files are shown at once when the form is saved, and a corrected form is saved', async () => {
  const { page } = visitor
  await visitor.visit('/resources/parcels/new')
  await field('photo').setInputFiles({ name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
  await save()
  await page.getByText('must be a file of one of these types: image/*').waitFor()
  await page.getByText('is required').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Corrected')
  await field('photo').setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: png })
  await page.getByText('must be a file of one of these types: image/*').waitFor({ state: 'hidden' })
  await save()
  await page.getByRole('heading', { name: 'Corrected', exact: true }).waitFor()
  await page.getByRole('img', { name: 'other.png' }).waitFor()
})

testAll('a file that was chosen before a reload is asked for again', async () => {
  const { page } = visitor
  await visitor.visit('/resources/parcels/new')
  await field('photo').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: png })
  await page.getByRole('img', { name: 'photo.png' }).waitFor()
  await page.reload()
  await page.getByText('Choose again: photo.png').waitFor()
  await page.getByRole('button', { name: 'Remove photo.png' }).click()
})

testAll('a file that the field refuses is named at the field, and others are replaced and removed', async () => {
  const { page } = visitor
  const { pk } = await onlyParcel()
  await visitor.visit(`/resources/parcels/${pk}/edit`)
  await page.getByRole('img', { name: 'photo.png' }).waitFor()
  await field('photo').setInputFiles({ name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
  await save()
  await page.getByText('must be a file of one of these types: image/*').waitFor()
  await field('photo').setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: png })
  await page.getByRole('img', { name: 'other.png' }).waitFor()
  await page.getByRole('button', { name: 'Remove a.txt' }).click()
  await save()
  await page.getByRole('link', { name: 'b.txt' }).waitFor()
  await expect
    .poll(async () => {
      const { photo, papers } = await onlyParcel()
      return [photo.name, papers.map(({ name }: { name: string }) => name)]
    })
    .toEqual(['other.png', ['b.txt']])
})
