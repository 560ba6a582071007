// Files for fields, uploaded by the client library and taken by records.

import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { defineApp, defineModule, defineResource, file, image, type SchemaOf, text } from 'plinth'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { createClient, isProblem, type PlinthClient } from '../src/index.ts'

const parcels = defineResource('parcels', {
  about: 'What was sent.',
  label: 'name',
  fields: { name: text({ required: true }), photo: image(), papers: file({ several: true, most: 3 }) },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

const posting = defineModule({ name: 'posting', about: 'Parcels.', resources: [parcels] })

const app = defineApp({ name: 'Posting', modules: [posting] })

let service: TestService
let client: PlinthClient<SchemaOf<typeof app>>
beforeAll(async () => {
  service = await startService('sqlite', { modules: [...modules, posting] })
  client = createClient<SchemaOf<typeof app>>({
    url: service.url,
    headers: () => ({ Authorization: `Basic ${btoa('staff:staff')}` }),
  })
})
afterAll(() => service.stop())

const onePicture = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: '#1c4f8a' } })
    .png()
    .toBuffer()

test('an upload gives the values of a record, whose files can be downloaded', async () => {
  const png = await onePicture()
  const files = await client.parcels.upload({
    photo: new File([png], 'photo.png'),
    papers: [new File(['one'], 'a.txt'), new Blob(['two'])],
  })
  const made = await client.parcels.create({ name: 'Books', ...files })
  expect([made.photo?.name, made.papers.map(({ name, size }) => [name, size])]).toEqual([
    'photo.png',
    [
      ['a.txt', 3],
      ['blob', 3],
    ],
  ])
  expectTypeOf(made.papers[0]?.url).toEqualTypeOf<string | undefined>()
  const [, second] = made.papers
  expect(await (await client.files('parcels', made.pk).download(second?.pk ?? '')).text()).toBe('two')
  const changed = await client.parcels.update(made, { papers: made.papers.slice(1) })
  expect(changed.papers.map(({ pk }) => pk)).toEqual([second?.pk])
})

test('a refused file is a problem of its field', async () => {
  const failure = await client.parcels.upload({ photo: new Blob(['no image']) }).catch((error: unknown) => error)
  expect(isProblem(failure, 'unprocessable') && failure.faults).toMatchObject([{ member: 'photo', code: 'file_type' }])
})

test('progress is reported as the bytes are sent', async () => {
  const seen: number[] = []
  await client.parcels.upload(
    { papers: new Blob(['x'.repeat(200_000)]) },
    { onProgress: ({ sent }) => seen.push(sent) },
  )
  expect(Math.max(...seen)).toBeGreaterThan(200_000)
})

test('files in the values of a record are sent with it, in one request', async () => {
  const photo = new File([await onePicture()], 'photo.png')
  const seen: number[] = []
  const made = await client.parcels.create(
    { name: 'Whole', photo, papers: [new File(['one'], 'a.txt')] },
    { onProgress: ({ sent }) => seen.push(sent) },
  )
  expect([made.name, made.photo?.name, made.papers.map(({ name }) => name)]).toEqual(['Whole', 'photo.png', ['a.txt']])
  expect(Math.max(...seen)).toBeGreaterThan(photo.size)
  const changed = await client.parcels.update(made, {
    papers: [...made.papers, new File(['two'], 'b.txt')],
    photo: null,
  })
  expect([changed.photo, changed.papers.map(({ name }) => name)]).toEqual([null, ['a.txt', 'b.txt']])
  const stale = await client.parcels.update(made, { photo }).catch((error: unknown) => error)
  expect(isProblem(stale, 'precondition_failed')).toBe(true)
  const put = await client.parcels.put(changed, { name: 'Put', photo })
  expect([put.name, put.photo?.name, put.papers]).toEqual(['Put', 'photo.png', []])
})

test('all faults of values and files are reported at once, and lists of records take no files', async () => {
  const failure = await client.parcels
    .create({ name: '', photo: new Blob(['no image']) })
    .catch((error: unknown) => error)
  expect(isProblem(failure, 'invalid') && failure.faults.map(({ member }) => member).sort()).toEqual(['name', 'photo'])
  const list = client.parcels.createMany([{ name: 'Many', papers: [new Blob(['x'])] }])
  await expect(list).rejects.toThrow(TypeError)
})
