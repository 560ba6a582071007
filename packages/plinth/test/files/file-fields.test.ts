// Fields of files: uploaded first, taken by the records that refer to them, deleted with them.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClock, days } from '@plinth/test-kit/clock'
import { databases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { picture } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModule, defineProblems, defineResource, file, image, text } from '../../src/index.ts'

const refusals = defineProblems({ no_good: { status: 409, title: 'No good', meaning: 'The title is bad.' } })

const cases = defineResource('cases', {
  about: 'Cases with files.',
  label: 'title',
  history: true,
  fields: {
    title: text({ required: true }),
    photo: image({ maxBytes: 20_000 }),
    papers: file({ several: true, most: 3, mediaTypes: ['application/pdf', 'text/*'] }),
    secret: file({ readable: "caller.has('ROLE_ADMIN')", writable: "caller.has('ROLE_ADMIN')" }),
  },
  hooks: {
    afterCreate: ({ values }) => {
      if (values.title === 'bad') throw refusals('no_good')
    },
  },
  access: {
    read: "caller.has('ROLE_STAFF') || record.title != 'hidden'",
    write: "caller.has('ROLE_STAFF')",
  },
})

const drafts = defineResource('drafts', {
  about: 'Drafts with a trash.',
  trash: true,
  fields: { paper: file({ required: true }) },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})

const forms = defineResource('openForms', {
  about: 'Forms that anybody sends.',
  fields: { paper: file() },
  access: { read: "caller.has('ROLE_STAFF')", create: 'true' },
})

const reports = defineResource('fileReports', {
  about: 'Reports with at least one file.',
  fields: { papers: file({ several: true, required: true }) },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

const filing = defineModule({
  name: 'filing',
  about: 'Cases with files.',
  problems: refusals.table,
  resources: [cases, drafts, forms, reports],
})

const clock = createClock(new Date().toISOString())

type Sender = DemoUser | 'anonymous'
type Parts = readonly (readonly [field: string, content: string | Buffer, name?: string])[]

const problems = { Accept: 'application/json, application/problem+json' }

describe.each(databases)('on %s', database => {
  let service: TestService
  let small: Buffer
  beforeAll(async () => {
    small = await picture(40, 20)
    service = await startService(database, {
      modules: [...modules, filing],
      clock: clock.now,
      settings: { 'app.files.maxBytes': '100000', 'app.api.rateLimit.requests': '0' },
    })
  })
  afterAll(() => service.stop())

  const send = async (as: Sender, resource: string, parts: Parts, headers: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [field, content, name = 'original'] of parts) form.append(field, new Blob([content]), name)
    const framed = new Response(form)
    return service.as(as)(`/api/rest/${resource}/files`, {
      method: 'POST',
      headers: { ...problems, 'Content-Type': framed.headers.get('content-type') ?? '', ...headers },
      body: new Uint8Array(await framed.arrayBuffer()),
    })
  }

  const uploaded = async (...parts: Parts) => (await send('staff', 'cases', parts)).body

  const create = async (values: object) => {
    const { status, body } = await service.as('staff').post('/api/rest/cases', { title: 'One', ...values }, problems)
    expect([status, body.code]).toEqual([201, undefined])
    return { ...body, address: `/api/rest/cases/${body.pk}` }
  }

  /** The keys of all content in the storage. */
  const stored = async (): Promise<readonly string[]> => {
    const entries = await readdir(join(service.folder, 'files'), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    return entries.filter(entry => entry.isFile()).map(entry => entry.name)
  }

  const keyOf = (one: { readonly pk: string }): string => one.pk

  describe('an upload', () => {
    test('answers with the values of the fields, with types by content and names as they were sent', async () => {
      const { status, body } = await send('staff', 'cases', [
        ['photo', small, 'Übersicht.png'],
        ['papers', 'one', 'C:\\notes\\a.txt'],
        ['papers', '%PDF-1.7', '../b.pdf'],
      ])
      expect([status, body]).toEqual([
        201,
        {
          photo: { pk: expect.any(String), name: 'Übersicht.png', mediaType: 'image/png', size: small.length },
          papers: [
            { pk: expect.any(String), name: 'a.txt', mediaType: 'text/plain', size: 3 },
            { pk: expect.any(String), name: 'b.pdf', mediaType: 'application/pdf', size: 8 },
          ],
        },
      ])
    })

    test.each<[string, Parts, number, ...object[]]>([
      ['no image', [['photo', 'text', 'a.png']], 422, { pointer: '/photo', code: 'file_type' }],
      ['an image that is cut off', [['photo', '\x89PNG\r\n\x1a\n']], 422, { pointer: '/photo', code: 'file_type' }],
      ['too many bytes for the field', [['photo', Buffer.alloc(30_000)]], 422, { code: 'file_size' }],
      [
        'another type',
        [['papers', Buffer.from([1, 2, 0, 4]), 'a.pdf']],
        422,
        { pointer: '/papers/0', code: 'file_type' },
      ],
      [
        'two files for one',
        [
          ['photo', 'a'],
          ['photo', 'b'],
        ],
        422,
        { code: 'file_type' },
        { code: 'one_file' },
      ],
      ['a field that there is not', [['photos', 'x']], 422, { member: 'photos', code: 'file_field' }],
      ['a field without files', [['title', 'x']], 422, { member: 'title', code: 'file_field' }],
      [
        'too many files',
        [
          ['papers', 'a'],
          ['papers', 'b'],
          ['papers', 'c'],
          ['papers', 'd'],
        ],
        422,
        { pointer: '/papers/3', code: 'max_entries' },
      ],
    ])('of %s is refused, and nothing is stored', async (_, parts, status, ...errors) => {
      const before = await stored()
      const sent = await send('staff', 'cases', parts)
      expect([sent.status, sent.body.errors]).toMatchObject([status, errors])
      expect(await stored()).toEqual(before)
    })

    test('needs permission to write a record, and the field', async () => {
      const parts: Parts = [['papers', 'x']]
      expect((await send('anonymous', 'cases', parts)).status).toBe(401)
      expect((await send('simple', 'cases', parts)).status).toBe(403)
      expect((await send('staff', 'cases', [['secret', 'x']])).status).toBe(403)
      expect((await send('admin', 'cases', [['secret', 'x']])).status).toBe(201)
    })

    test('that is repeated with its key has the same answer, and is stored once', async () => {
      const before = await stored()
      const headers = { 'Idempotency-Key': `again-${database}` }
      const first = await send('staff', 'cases', [['papers', 'x', 'a']], headers)
      const second = await send('staff', 'cases', [['papers', 'x', 'a']], headers)
      expect(second.body).toEqual(first.body)
      expect(await stored()).toHaveLength(before.length + 1)
      expect((await send('staff', 'cases', [['papers', 'y', 'a']], headers)).body.code).toBe('key_reused')
    })

    test('is deleted when no record has taken it for a day', async () => {
      const { papers } = await uploaded(['papers', 'x'])
      clock.pass(2 * days)
      const late = await service.as('staff').post('/api/rest/cases', { title: 'Late', papers }, problems)
      expect([late.status, late.body.errors]).toMatchObject([422, [{ pointer: '/papers', code: 'file_unknown' }]])
      expect((await service.as('admin').post('/api/management/jobs/remove-old-files/run', {})).status).toBe(202)
      await service.jobsEnded()
      await expect.poll(stored).not.toContain(papers[0].pk)
    })
  })

  describe('a record', () => {
    test('takes what was uploaded, and who can read it can read its files', async () => {
      const values = await uploaded(['photo', small, 'Übersicht.png'], ['papers', 'one', 'a.txt'])
      const { photo, papers, address } = await create(values)
      expect(photo).toEqual({ ...values.photo, url: `${address}/files/${values.photo.pk}` })
      expect(papers).toEqual([{ ...values.papers[0], url: `${address}/files/${values.papers[0].pk}` }])
      const found = await service.as('anonymous').get(photo.url)
      expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(found.headers.get('content-disposition')).toBe(
        `attachment; filename="_bersicht.png"; filename*=UTF-8''%C3%9Cbersicht.png`,
      )
      expect(found.headers.get('x-content-type-options')).toBe('nosniff')
      expect(found.headers.get('content-security-policy')).toMatch(/^sandbox;/)
      expect((await service.as('anonymous').get(`${photo.url}?preview=16`)).headers.get('content-type')).toBe(
        'image/webp',
      )
      expect((await service.as('anonymous').get(papers[0].url)).text).toBe('one')
      await service.as('staff').patch(address, { title: 'hidden' })
      expect((await service.as('simple').get(photo.url)).status).toBe(404)
      expect((await service.as('staff').get(photo.url)).status).toBe(200)
    })

    test('hides the files of a field that the caller may not read', async () => {
      const { secret } = (await send('admin', 'cases', [['secret', 'x']])).body
      const made = await service.as('admin').post('/api/rest/cases', { title: 'Secret', secret })
      expect((await service.as('admin').get(made.body.secret.url)).text).toBe('x')
      expect((await service.as('staff').get(`/api/rest/cases/${made.body.pk}`)).body).not.toHaveProperty('secret')
      expect((await service.as('staff').get(made.body.secret.url)).status).toBe(404)
    })

    test('that is sent back as it was read keeps its files', async () => {
      const {
        address,
        pk: _pk,
        ...values
      } = await create(await uploaded(['photo', small], ['papers', 'a'], ['papers', 'b']))
      const again = await service.as('staff').put(address, { ...values, title: 'Two' }, problems)
      expect([again.status, again.body.photo, again.body.papers]).toEqual([200, values.photo, values.papers])
      const nothing = await service
        .as('staff')
        .patch(address, { papers: values.papers.map((one: { url: string }) => one.url) })
      expect(nothing.status).toBe(204)
    })

    test('that takes another file, or leaves one out, lets go of the content', async () => {
      const { address, photo, papers } = await create(
        await uploaded(['photo', small], ['papers', 'a'], ['papers', 'b']),
      )
      const values = await uploaded(['photo', small], ['papers', 'c'])
      const changed = await service
        .as('staff')
        .patch(address, { photo: values.photo, papers: [...values.papers, papers[1]] }, problems)
      expect(changed.body.papers.map(keyOf)).toEqual([values.papers[0].pk, papers[1].pk])
      expect((await service.as('staff').get(photo.url)).status).toBe(404)
      await expect.poll(stored).not.toContain(photo.pk)
      await expect.poll(stored).not.toContain(papers[0].pk)
      expect(await stored()).toEqual(expect.arrayContaining([values.photo.pk, values.papers[0].pk, papers[1].pk]))
      const merge = { ...problems, 'Content-Type': 'application/merge-patch+json' }
      const cleared = await service.as('staff').patch(address, { photo: null, papers: [] }, merge)
      expect([cleared.body.photo, cleared.body.papers]).toEqual([null, []])
      await expect.poll(stored).not.toContain(papers[1].pk)
    })

    test.each<[string, (mine: { pk: string }, of: { pk: string }) => unknown]>([
      ['an upload of another caller', ({ pk }) => [{ pk }]],
      ['the file of another record', (_, { pk }) => [{ pk }]],
      ['a file that there is not', () => ['01890000-0000-7000-8000-000000000000']],
    ])('does not take %s', async (_, papersOf) => {
      const other = (await send('admin', 'cases', [['papers', 'x']])).body.papers[0]
      const { papers } = await create(await uploaded(['papers', 'x']))
      const sent = { title: 'Two', papers: papersOf(other, papers[0]) }
      const { status, body } = await service.as('staff').post('/api/rest/cases', sent, problems)
      expect([status, body.errors]).toMatchObject([422, [{ member: 'papers', code: 'file_unknown' }]])
    })

    test('does not take the upload for another field, or what is no file', async () => {
      const { papers } = await uploaded(['papers', 'x'])
      const staff = service.as('staff')
      const wrong = await staff.post('/api/rest/cases', { title: 'Two', photo: papers[0] }, problems)
      expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ pointer: '/photo', code: 'file_unknown' }]])
      for (const photo of ['../a', { name: 'a' }, 5])
        expect((await staff.post('/api/rest/cases', { title: 'Two', photo }, problems)).status).toBe(400)
    })

    test('is the only one of many that takes an upload', async () => {
      const { papers } = await uploaded(['papers', 'x'])
      const all = await Promise.all(
        Array.from({ length: 8 }, () => service.as('staff').post('/api/rest/cases', { title: 'Race', papers })),
      )
      expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
      const [winner] = all.filter(({ status }) => status === 201)
      expect((await service.as('staff').get(winner?.body.papers[0].url)).text).toBe('x')
    })

    test('that is refused leaves its uploads for the next attempt', async () => {
      const { papers } = await uploaded(['papers', 'x'])
      expect((await service.as('staff').post('/api/rest/cases', { title: 'bad', papers })).status).toBe(409)
      const made = await create({ papers })
      expect((await service.as('staff').get(made.papers[0].url)).text).toBe('x')
    })

    test('takes uploads that arrived together', async () => {
      const all = await Promise.all(Array.from({ length: 6 }, (_, at) => uploaded(['papers', `number ${at}`])))
      const made = await Promise.all(all.map(values => create(values)))
      const read = await Promise.all(made.map(({ papers }) => service.as('staff').get(papers[0].url)))
      expect(read.map(({ text }) => text)).toEqual(all.map((_, at) => `number ${at}`))
    })

    test('needs a file in a required list', async () => {
      const staff = service.as('staff')
      for (const body of [{}, { papers: [] }, { papers: null }])
        expect((await staff.post('/api/rest/fileReports', body, problems)).body.errors).toMatchObject([
          { member: 'papers', code: 'required' },
        ])
      const { papers } = (await send('staff', 'fileReports', [['papers', 'x']])).body
      const made = await staff.post('/api/rest/fileReports', { papers }, problems)
      expect(made.status).toBe(201)
      const address = `/api/rest/fileReports/${made.body.pk}`
      expect((await staff.patch(address, { papers: [] }, problems)).body.code).toBe('unprocessable')
    })

    test('takes the files of anonymous callers', async () => {
      const { body } = await send('anonymous', 'openForms', [['paper', 'x']])
      const made = await service.as('anonymous').post('/api/rest/openForms', body)
      expect(made.status).toBe(201)
      const [form] = (await service.as('staff').get('/api/rest/openForms')).body.content
      expect((await service.as('staff').get(form.paper.url)).text).toBe('x')
    })
  })

  describe('a deletion', () => {
    test('takes the files with it', async () => {
      const { address, papers } = await create(await uploaded(['papers', 'x']))
      expect((await service.as('staff').delete(address)).status).toBe(204)
      expect((await service.as('staff').get(papers[0].url)).status).toBe(404)
      await expect.poll(stored).not.toContain(papers[0].pk)
    })

    test('to the trash keeps the files until the record is purged', async () => {
      const admin = service.as('admin')
      const values = (await send('admin', 'drafts', [['paper', 'kept']])).body
      const { body } = await admin.post('/api/rest/drafts', values)
      const address = `/api/rest/drafts/${body.pk}`
      expect((await admin.delete(address)).status).toBe(204)
      expect((await admin.get(body.paper.url)).status).toBe(404)
      expect(await stored()).toContain(body.paper.pk)
      expect((await admin.post(`${address}/restore`, {})).status).toBe(200)
      expect((await admin.get(body.paper.url)).text).toBe('kept')
      expect((await admin.delete(address)).status).toBe(204)
      expect((await admin.delete(`${address}?trash=only`)).status).toBe(204)
      await expect.poll(stored).not.toContain(body.paper.pk)
    })
  })

  test('a version of the history says which file there was, and restoring it leaves the file as it is', async () => {
    const { address, photo } = await create(await uploaded(['photo', small, 'first.png']))
    const values = await uploaded(['photo', small, 'second.png'])
    await service.as('staff').patch(address, { ...values, title: 'Two' })
    const { body } = await service.as('admin').get(`${address}/history`, { Accept: 'application/json' })
    expect(JSON.stringify(body)).toContain(photo.pk)
    const restored = await service.as('admin').post(`${address}/history/1/restore`, {}, problems)
    expect([restored.status, restored.body.title, restored.body.photo.name]).toEqual([200, 'One', 'second.png'])
  })

  test('an export has the addresses of files, by which an import knows them again', async () => {
    const values = await uploaded(['photo', small], ['papers', 'a'], ['papers', 'b'])
    const { address, photo, papers } = await create({ ...values, title: 'Exported' })
    const { text: csv } = await service.as('staff').get('/api/rest/cases?title=Exported&_export=csv')
    expect(csv).toContain(photo.url)
    expect(csv).toContain(papers[1].url)
    const again = { photo: photo.url, papers: papers.map(({ url }: { url: string }) => url) }
    expect((await service.as('staff').patch(address, again)).status).toBe(204)
  })

  test('schemas and the OpenAPI document describe the fields and the upload', async () => {
    const schema = (await service.as('staff').get('/api/rest/cases/jsonschema')).body
    expect(schema.properties.photo['x-file']).toEqual({ mediaTypes: ['image/*'], maxBytes: 20_000 })
    expect(schema.properties.papers).toMatchObject({ type: 'array', maxItems: 3 })
    const { body } = await service.as('admin').get('/api/openapi.json')
    const operation = body.paths['/api/rest/cases/files'].post
    expect(operation.operationId).toBe('uploadCases')
    expect(Object.keys(operation.requestBody.content['multipart/form-data'].schema.properties)).toEqual([
      'photo',
      'papers',
      'secret',
    ])
    expect(body.paths).toHaveProperty('/api/rest/cases/{pk}/files/{name}')
    expect(body.paths).not.toHaveProperty('/api/rest/cases/{pk}/files')
  })
})
