// Fields of files: taken by the records that refer to them, deleted with them.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import { picture } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Filing, problems, startFiling } from './filing.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: Filing
  let small: Buffer
  beforeAll(async () => {
    small = await picture(40, 20)
    scene = await startFiling(database)
  })
  afterAll(() => scene.service.stop())

  const keyOf = (one: { readonly pk: string }): string => one.pk

  describe('a record', () => {
    test('takes what was uploaded, and who can read it can read its files', async () => {
      const values = await scene.upload(['photo', small, 'Übersicht.png'], ['papers', 'one', 'a.txt'])
      const { photo, papers, address } = await scene.create(values)
      expect(photo).toEqual({ ...values.photo, url: `${address}/files/${values.photo.pk}` })
      expect(papers).toEqual([{ ...values.papers[0], url: `${address}/files/${values.papers[0].pk}` }])
      const found = await scene.service.as('anonymous').get(photo.url)
      expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(found.headers.get('content-disposition')).toBe(
        `attachment; filename="_bersicht.png"; filename*=UTF-8''%C3%9Cbersicht.png`,
      )
      expect(found.headers.get('x-content-type-options')).toBe('nosniff')
      expect(found.headers.get('content-security-policy')).toMatch(/^sandbox;/)
      expect((await scene.service.as('anonymous').get(`${photo.url}?preview=16`)).headers.get('content-type')).toBe(
        'image/webp',
      )
      expect((await scene.service.as('anonymous').get(papers[0].url)).text).toBe('one')
      await scene.service.as('staff').patch(address, { title: 'hidden' })
      expect((await scene.service.as('simple').get(photo.url)).status).toBe(404)
      expect((await scene.service.as('staff').get(photo.url)).status).toBe(200)
    })

    test('hides the files of a field that the caller may not read', async () => {
      const { secret } = (await scene.send('admin', 'cases', [['secret', 'x']])).body
      const made = await scene.service.as('admin').post('/api/rest/cases', { title: 'Secret', secret })
      expect((await scene.service.as('admin').get(made.body.secret.url)).text).toBe('x')
      expect((await scene.service.as('staff').get(`/api/rest/cases/${made.body.pk}`)).body).not.toHaveProperty('secret')
      expect((await scene.service.as('staff').get(made.body.secret.url)).status).toBe(404)
    })

    test('that is sent back as it was read keeps its files', async () => {
      const {
        address,
        pk: _pk,
        ...values
      } = await scene.create(await scene.upload(['photo', small], ['papers', 'a'], ['papers', 'b']))
      const again = await scene.service.as('staff').put(address, { ...values, title: 'Two' }, problems)
      expect([again.status, again.body.photo, again.body.papers]).toEqual([200, values.photo, values.papers])
      const nothing = await scene.service
        .as('staff')
        .patch(address, { papers: values.papers.map((one: { url: string }) => one.url) })
      expect(nothing.status).toBe(204)
    })

    test('that takes another file, or leaves one out, lets go of the content', async () => {
      const { address, photo, papers } = await scene.create(
        await scene.upload(['photo', small], ['papers', 'a'], ['papers', 'b']),
      )
      const values = await scene.upload(['photo', small], ['papers', 'c'])
      const changed = await scene.service
        .as('staff')
        .patch(address, { photo: values.photo, papers: [...values.papers, papers[1]] }, problems)
      expect(changed.body.papers.map(keyOf)).toEqual([values.papers[0].pk, papers[1].pk])
      expect((await scene.service.as('staff').get(photo.url)).status).toBe(404)
      await expect.poll(scene.stored).not.toContain(photo.pk)
      await expect.poll(scene.stored).not.toContain(papers[0].pk)
      expect(await scene.stored()).toEqual(expect.arrayContaining([values.photo.pk, values.papers[0].pk, papers[1].pk]))
      const merge = { ...problems, 'Content-Type': 'application/merge-patch+json' }
      const cleared = await scene.service.as('staff').patch(address, { photo: null, papers: [] }, merge)
      expect([cleared.body.photo, cleared.body.papers]).toEqual([null, []])
      await expect.poll(scene.stored).not.toContain(papers[1].pk)
    })

    test.each<[string, (mine: { pk: string }, of: { pk: string }) => unknown]>(
      everyThird([
        ['an upload of another caller', ({ pk }) => [{ pk }]],
        ['the file of another record', (_, { pk }) => [{ pk }]],
        ['a file that there is not', () => ['01890000-0000-7000-8000-000000000000']],
      ]),
    )('does not take %s', async (_, papersOf) => {
      const other = (await scene.send('admin', 'cases', [['papers', 'x']])).body.papers[0]
      const { papers } = await scene.create(await scene.upload(['papers', 'x']))
      const sent = { title: 'Two', papers: papersOf(other, papers[0]) }
      const { status, body } = await scene.service.as('staff').post('/api/rest/cases', sent, problems)
      expect([status, body.errors]).toMatchObject([422, [{ member: 'papers', code: 'file_unknown' }]])
    })

    testAll('does not take the upload for another field, or what is no file', async () => {
      const { papers } = await scene.upload(['papers', 'x'])
      const staff = scene.service.as('staff')
      const wrong = await staff.post('/api/rest/cases', { title: 'Two', photo: papers[0] }, problems)
      expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ pointer: '/photo', code: 'file_unknown' }]])
      for (const photo of ['../a', { name: 'a' }, 5])
        expect((await staff.post('/api/rest/cases', { title: 'Two', photo }, problems)).status).toBe(400)
    })

    test('is the only one of many that takes an upload', async () => {
      const { papers } = await scene.upload(['papers', 'x'])
      const all = await Promise.all(
        Array.from({ length: 8 }, () => scene.service.as('staff').post('/api/rest/cases', { title: 'Race', papers })),
      )
      expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
      const [winner] = all.filter(({ status }) => status === 201)
      expect((await scene.service.as('staff').get(winner?.body.papers[0].url)).text).toBe('x')
    })

    test('that is refused leaves its uploads for the next attempt', async () => {
      const { papers } = await scene.upload(['papers', 'x'])
      expect((await scene.service.as('staff').post('/api/rest/cases', { title: 'bad', papers })).status).toBe(409)
      const made = await scene.create({ papers })
      expect((await scene.service.as('staff').get(made.papers[0].url)).text).toBe('x')
    })

    testAll('takes uploads that arrived together', async () => {
      const all = await Promise.all(Array.from({ length: 6 }, (_, at) => scene.upload(['papers', `number ${at}`])))
      const made = await Promise.all(all.map(values => scene.create(values)))
      const read = await Promise.all(made.map(({ papers }) => scene.service.as('staff').get(papers[0].url)))
      expect(read.map(({ text }) => text)).toEqual(all.map((_, at) => `number ${at}`))
    })

    testAll('needs a file in a required list', async () => {
      const staff = scene.service.as('staff')
      for (const body of [{}, { papers: [] }, { papers: null }])
        expect((await staff.post('/api/rest/fileReports', body, problems)).body.errors).toMatchObject([
          { member: 'papers', code: 'required' },
        ])
      const { papers } = (await scene.send('staff', 'fileReports', [['papers', 'x']])).body
      const made = await staff.post('/api/rest/fileReports', { papers }, problems)
      expect(made.status).toBe(201)
      const address = `/api/rest/fileReports/${made.body.pk}`
      expect((await staff.patch(address, { papers: [] }, problems)).body.code).toBe('unprocessable')
    })

    test('takes the files of anonymous callers', async () => {
      const { body } = await scene.send('anonymous', 'openForms', [['paper', 'x']])
      const made = await scene.service.as('anonymous').post('/api/rest/openForms', body)
      expect(made.status).toBe(201)
      const [form] = (await scene.service.as('staff').get('/api/rest/openForms')).body.content
      expect((await scene.service.as('staff').get(form.paper.url)).text).toBe('x')
    })
  })

  describe('a deletion', () => {
    test('takes the files with it', async () => {
      const { address, papers } = await scene.create(await scene.upload(['papers', 'x']))
      expect((await scene.service.as('staff').delete(address)).status).toBe(204)
      expect((await scene.service.as('staff').get(papers[0].url)).status).toBe(404)
      await expect.poll(scene.stored).not.toContain(papers[0].pk)
    })

    test('to the trash keeps the files until the record is purged', async () => {
      const admin = scene.service.as('admin')
      const values = (await scene.send('admin', 'drafts', [['paper', 'kept']])).body
      const { body } = await admin.post('/api/rest/drafts', values)
      const address = `/api/rest/drafts/${body.pk}`
      expect((await admin.delete(address)).status).toBe(204)
      expect((await admin.get(body.paper.url)).status).toBe(404)
      expect(await scene.stored()).toContain(body.paper.pk)
      expect((await admin.post(`${address}/restore`, {})).status).toBe(200)
      expect((await admin.get(body.paper.url)).text).toBe('kept')
      expect((await admin.delete(address)).status).toBe(204)
      expect((await admin.delete(`${address}?trash=only`)).status).toBe(204)
      await expect.poll(scene.stored).not.toContain(body.paper.pk)
    })
  })

  test('a version of the history says which file there was, and restoring it leaves the file as it is', async () => {
    const { address, photo } = await scene.create(await scene.upload(['photo', small, 'first.png']))
    const values = await scene.upload(['photo', small, 'second.png'])
    await scene.service.as('staff').patch(address, { ...values, title: 'Two' })
    const { body } = await scene.service.as('admin').get(`${address}/history`, { Accept: 'application/json' })
    expect(JSON.stringify(body)).toContain(photo.pk)
    const restored = await scene.service.as('admin').post(`${address}/history/1/restore`, {}, problems)
    expect([restored.status, restored.body.title, restored.body.photo.name]).toEqual([200, 'One', 'second.png'])
  })

  test('an export has the addresses of files, by which an import knows them again', async () => {
    const values = await scene.upload(['photo', small], ['papers', 'a'], ['papers', 'b'])
    const { address, photo, papers } = await scene.create({ ...values, title: 'Exported' })
    const { text: csv } = await scene.service.as('staff').get('/api/rest/cases?title=Exported&_export=csv')
    expect(csv).toContain(photo.url)
    expect(csv).toContain(papers[1].url)
    const again = { photo: photo.url, papers: papers.map(({ url }: { url: string }) => url) }
    expect((await scene.service.as('staff').patch(address, again)).status).toBe(204)
  })

  test('schemas and the OpenAPI document describe the fields and the upload', async () => {
    const schema = (await scene.service.as('staff').get('/api/rest/cases/jsonschema')).body
    expect(schema.properties.photo['x-file']).toEqual({ mediaTypes: ['image/*'], maxBytes: 20_000 })
    expect(schema.properties.papers).toMatchObject({ type: 'array', maxItems: 3 })
    const { body } = await scene.service.as('admin').get('/api/openapi.json')
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
