// The promise of the platform: a field type is one record on the server, and one record and its name in the web client.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modules } from '@plinth/test-kit/platform'
import { arrive, patience, type Visitor } from '@plinth/test-kit/visitor'
import { build, type Plugin } from 'esbuild'
import { defineModule, defineResource, fault, text } from 'plinth'
import { ValueFault } from 'plinth/module'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Exactly, FieldOptions } from '../../plinth/src/core/model/field-options.ts'
import { fieldOptions, value } from '../../plinth/src/core/model/fields/value.ts'

vi.setConfig(patience)

const readStars = (input: unknown): number => {
  const count = Number(input)
  if (!Number.isInteger(count) || count < 1 || count > 5)
    throw new ValueFault(fault('whole_number_between', { min: 1, max: 5 }))
  return count
}

/** One record on the server. */
const stars = <const O extends FieldOptions<number>>(options?: Exactly<O, FieldOptions>) =>
  value<number, O>(
    {
      name: 'stars',
      column: 'integer',
      schema: { type: 'integer', minimum: 1, maximum: 5 },
      widget: 'stars',
      read: readStars,
      readText: readStars,
      wildcards: false,
    },
    options ?? {},
    fieldOptions,
  )

/** One record in the web client. */
const widget = `
import { createElement } from 'react'

const choose = ({ label, value, onChange }) =>
  createElement('label', null, label, createElement('input', {
    type: 'range', min: 0, max: 5, value, onChange: event => onChange(event.currentTarget.value),
  }))

export const stars = {
  Input: ({ frame, value, onChange }) => choose({ label: frame.label, value: value ?? 0, onChange }),
  text: value => '★'.repeat(value),
  Display: ({ value }) => createElement('span', { role: 'img', 'aria-label': value + ' of 5 stars' }, '★'.repeat(value)),
  toBody: value => (value === null ? null : Number(value)),
  search: {
    Input: ({ field, value, onChange }) => choose({ label: field.label + ' at least', value: value || 0, onChange }),
    toCondition: value => ({ ge: value }),
  },
  toCell: value => value + '/5',
}
`

const client = fileURLToPath(new URL('..', import.meta.url))

/** The name of the record in the list. */
const withWidget: Plugin = {
  name: 'stars',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^\.\/stars$/ }, () => ({ path: join(client, 'src/common/records/widgets/stars.js') }))
    onLoad({ filter: /widgets\/stars\.js$/ }, () => ({ contents: widget, loader: 'js' }))
    onLoad({ filter: /widgets\/index\.ts$/ }, async ({ path }) => ({
      contents: `import { stars } from './stars'\n${(await readFile(path, 'utf8')).replace('widgets = {', 'widgets = { stars,')}`,
      loader: 'ts',
    }))
  },
}

const buildClient = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-client-'))
  await build({
    entryPoints: { main: join(client, 'src/main.tsx') },
    outdir: join(folder, 'assets'),
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    loader: { '.svg': 'file' },
    publicPath: '/client/assets',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    plugins: [withWidget],
  })
  const head =
    '<link rel="stylesheet" href="/client/assets/main.css"><script type="module" src="/client/assets/main.js"></script>'
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><head>${head}</head><body><div id="root"></div></body></html>`,
  )
  return folder
}

const hotels = defineResource('hotels', {
  about: 'Where to sleep.',
  label: 'name',
  fields: { name: text({ required: true }), rating: stars({ title: { de: 'Sterne' } }) },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

let visitor: Visitor
let folder: string
beforeAll(async () => {
  folder = await buildClient()
  const travel = defineModule({ name: 'travel', about: 'Journeys.', resources: [hotels] })
  visitor = await arrive({ modules: [...modules, travel], clientFolder: folder })
  await visitor.signIn('admin')
})
afterAll(async () => {
  await visitor?.leave()
  await rm(folder, { recursive: true, force: true })
})

test('the web client has a record for every widget that the service names', async () => {
  const list = await readFile(join(client, 'src/common/records/widgets/index.ts'), 'utf8')
  const [, names = ''] = /widgets = \{([^}]*)\}/.exec(list) ?? []
  const known = names.split(',').map(name => name.trim())
  const { resources } = visitor.service.app.platform.registry
  const named = resources.flatMap(({ fields }) =>
    [...fields.values()].flatMap(({ definition }) => (definition.role === 'value' ? [definition.type.widget] : [])),
  )
  expect([...new Set(named)].filter(name => name !== 'stars' && !known.includes(name))).toEqual([])
})

test('a new field type is stored, searched, described and refused by its own record', async () => {
  const staff = visitor.service.as('staff')
  expect((await staff.post('/api/rest/hotels', { name: 'Ritz', rating: 5 })).body.rating).toBe(5)
  const refused = await staff.post('/api/rest/hotels', { name: 'Dive', rating: 6 })
  expect(refused.body.errors).toMatchObject([
    { member: 'rating', code: 'whole_number_between', params: { min: 1, max: 5 } },
  ])
  expect((await staff.get('/api/rest/hotels?filter=rating=ge=5')).body.content).toMatchObject([{ name: 'Ritz' }])
  const ui = (await staff.get('/api/rest/hotels/uischema', { 'Accept-Language': 'de' })).body
  expect(ui.fields.rating).toMatchObject({ fieldType: 'stars', widget: 'stars', label: 'Sterne', min: 1, max: 5 })
})

test('a new widget is entered, shown, listed, searched by and exported by its own record', async () => {
  const { page } = visitor
  await visitor.visit('/resources/hotels/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Inn')
  await page.getByLabel('Rating').fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('img', { name: '3 of 5 stars' }).waitFor()
  await visitor.visit('/resources/hotels')
  await page.getByRole('row', { name: 'Inn ★★★', exact: true }).waitFor()
  await page.getByRole('row', { name: 'Ritz ★★★★★', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Rating at least').fill('4')
  await page.getByText('1 record', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  expect(await readFile((await download.path()) ?? '', 'utf8')).toBe('name,rating\r\nRitz,5/5\r\n')
})
