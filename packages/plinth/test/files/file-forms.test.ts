// A record and its files in one request: both are written, or neither is.

import { request } from 'node:http'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { picture } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Filing, startFiling } from './filing.ts'

const jsonApi = 'application/vnd.api+json'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: Filing
  let small: Buffer
  beforeAll(async () => {
    small = await picture(40, 20)
    scene = await startFiling(database)
  })
  afterAll(() => scene.service.stop())

  const content = async (url: string) => (await scene.service.as('staff').get(url)).text

  test('a record is created with files for its fields', async () => {
    const made = await scene.sendForm('staff', 'cases', [
      ['photo', small, 'Übersicht.png'],
      ['record', { title: 'Whole' }],
      ['papers', 'one', 'a.txt'],
      ['papers', 'two', 'b.txt'],
    ])
    expect([made.status, made.body.title, made.body.photo.name]).toEqual([201, 'Whole', 'Übersicht.png'])
    expect(made.headers.get('location')).toContain(`/api/rest/cases/${made.body.pk}`)
    expect(made.body.photo).toMatchObject({ mediaType: 'image/png', size: small.length })
    expect(await Promise.all(made.body.papers.map(({ url }: { url: string }) => content(url)))).toEqual(['one', 'two'])
    expect(await scene.stored()).toEqual(expect.arrayContaining([made.body.photo.pk]))
  })

  test('the fields of a record may be parts of their own, as browsers send forms', async () => {
    const made = await scene.sendForm('staff', 'cases', [
      ['title', 'Plain'],
      ['papers', 'one', 'a.txt'],
      ['photo', '', ''],
    ])
    expect([made.status, made.body.title, made.body.photo]).toEqual([201, 'Plain', null])
    expect(await content(made.body.papers[0].url)).toBe('one')
    const both = await scene.sendForm('staff', 'cases', [
      ['title', 'Plain'],
      ['record', { title: 'Whole' }],
    ])
    expect([both.status, both.body.detail]).toEqual([400, expect.stringContaining("one part 'record'")])
  })

  test('a change keeps the files that the record names, adds those that came, and lets go of the others', async () => {
    const first = await scene.sendForm('staff', 'cases', [
      ['record', { title: 'One' }],
      ['photo', small, 'a.png'],
      ['papers', 'one', 'a.txt'],
      ['papers', 'two', 'b.txt'],
    ])
    const path = `cases/${first.body.pk}`
    const record = { papers: [first.body.papers[1]] }
    const changed = await scene.sendForm(
      'staff',
      path,
      [
        ['record', record],
        ['papers', 'three', 'c.txt'],
      ],
      {
        method: 'PATCH',
        headers: { 'If-Match': first.headers.get('etag') ?? '' },
      },
    )
    expect([changed.status, changed.body.title, changed.body.photo]).toEqual([200, 'One', first.body.photo])
    expect(changed.body.papers.map(({ name }: { name: string }) => name)).toEqual(['b.txt', 'c.txt'])
    await expect.poll(scene.stored).not.toContain(first.body.papers[0].pk)
    const put = await scene.sendForm(
      'staff',
      path,
      [
        ['record', { title: 'Two' }],
        ['photo', small, 'b.png'],
      ],
      {
        method: 'PUT',
      },
    )
    expect([put.status, put.body.title, put.body.photo.name, put.body.papers]).toEqual([200, 'Two', 'b.png', []])
    await expect.poll(scene.stored).not.toContain(first.body.photo.pk)
    const merge = [['record', { title: 'Three', photo: null }, 'application/merge-patch+json']] as const
    const merged = await scene.sendForm('staff', path, merge, { method: 'PATCH' })
    expect([merged.status, merged.body.title, merged.body.photo]).toEqual([200, 'Three', null])
  })

  describe('a refused request leaves no file behind', () => {
    const refusedAs = async (...asked: Parameters<Filing['sendForm']>) => {
      const before = await scene.stored()
      const refused = await scene.sendForm(...asked)
      // Files of earlier tests may be on their way out.
      expect((await scene.stored()).filter(key => !before.includes(key))).toEqual([])
      return refused
    }
    const member = ({ member, code, pointer }: { member: string; code: string; pointer: string }) => [
      member,
      code,
      pointer,
    ]

    test('when fields and files are at fault, which are all named', async () => {
      const refused = await refusedAs('staff', 'cases', [
        ['record', { title: 17 }],
        ['photo', 'no picture', 'a.png'],
        ['papers', 'one', 'a.txt'],
        ['papers', small, 'b.txt'],
      ])
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid'])
      expect(refused.body.errors.map(member).sort()).toEqual([
        ['papers', 'file_type', '/papers/1'],
        ['photo', 'file_type', '/photo'],
        ['title', 'text', '/title'],
      ])
    })

    test('when a file is larger than its field or the service allows', async () => {
      const large = Buffer.concat([small, Buffer.alloc(30_000)])
      const refused = await refusedAs('staff', 'cases', [
        ['record', { title: 'Large' }],
        ['photo', large, 'a.png'],
      ])
      expect([refused.status, refused.body.errors.map(member)]).toEqual([400, [['photo', 'file_size', '/photo']]])
      const huge = await refusedAs('staff', 'cases', [
        ['secret', Buffer.alloc(200_000), 'a'],
        ['record', { title: 'x' }],
      ])
      expect(huge.status).toBe(403)
      const tooLarge = await refusedAs('admin', 'cases', [['secret', Buffer.alloc(200_000), 'a']])
      expect([tooLarge.status, tooLarge.body.errors.map(member)]).toEqual([413, [['secret', 'too_large', '/secret']]])
    })

    test('when a hook, a precondition, a rule or the address refuses the record', async () => {
      const photo = ['photo', small, 'a.png'] as const
      expect((await refusedAs('staff', 'cases', [['record', { title: 'bad' }], photo])).body.code).toBe('no_good')
      const { pk } = await scene.create({})
      const change = { method: 'PATCH', headers: { 'If-Match': '"99"' } }
      expect((await refusedAs('staff', `cases/${pk}`, [photo], change)).status).toBe(412)
      expect((await refusedAs('staff', 'cases/none', [photo], { method: 'PATCH' })).status).toBe(404)
      expect((await refusedAs('simple', 'cases', [['record', { title: 'x' }], photo])).status).toBe(403)
      expect((await refusedAs('anonymous', 'cases', [['record', { title: 'x' }], photo])).status).toBe(401)
    })

    test('when parts are unknown, unreadable or too many', async () => {
      const record = ['record', { title: 'x' }] as const
      const unknown = await refusedAs('staff', 'cases', [record, ['paper', 'x', 'a.txt']])
      expect([unknown.status, unknown.body.errors.map(member)]).toEqual([422, [['paper', 'file_field', '/paper']]])
      expect((await refusedAs('staff', 'cases', [['record', '{']])).status).toBe(400)
      expect((await refusedAs('staff', 'cases', [['record', [{ title: 'x' }]]])).status).toBe(400)
      expect((await refusedAs('staff', 'cases', [['record', 'x'.repeat(2_000_000)]])).status).toBe(413)
      const many = Array.from({ length: 21 }, (_, at) => ['papers', 'x', `${at}.txt`] as const)
      expect((await refusedAs('staff', 'cases', [record, ...many])).status).toBe(413)
      expect((await refusedAs('admin', 'countries', [record])).status).toBe(415)
    })

    test('when the caller leaves in the middle', async () => {
      const before = await scene.stored()
      const sending = request(`${scene.service.url}/api/rest/openForms`, {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Transfer-Encoding': 'chunked' },
      })
      sending.on('error', () => {})
      sending.write('--x\r\nContent-Disposition: form-data; name="paper"; filename="a.txt"\r\n\r\n')
      sending.write('y'.repeat(70_000))
      await expect.poll(scene.staged).not.toEqual([])
      sending.destroy()
      await expect.poll(scene.staged).toEqual([])
      expect(await scene.stored()).toEqual(before)
    })
  })

  test('the same Idempotency-Key creates one record with one set of files', async () => {
    const headers = { 'Idempotency-Key': 'form-once' }
    const parts = [
      ['record', { title: 'Once' }],
      ['papers', 'one', 'a.txt'],
    ] as const
    const first = await scene.sendForm('staff', 'cases', parts, { headers })
    const stored = await scene.stored()
    const second = await scene.sendForm('staff', 'cases', parts, { headers })
    expect([second.status, second.body.pk, second.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.body.pk,
      'true',
    ])
    expect([...(await scene.stored())].sort()).toEqual([...stored].sort())
    const other = await scene.sendForm('staff', 'cases', [parts[0], ['papers', 'two', 'a.txt']], { headers })
    expect([other.status, other.body.code]).toEqual([422, 'key_reused'])
  })

  test('a required file may come with its record, and anybody may send a form where records may be created', async () => {
    const made = await scene.sendForm('staff', 'drafts', [['paper', 'one', 'a.txt']])
    expect([made.status, made.body.paper.name]).toEqual([201, 'a.txt'])
    const without = await scene.sendForm('staff', 'drafts', [['record', {}]])
    expect([without.status, without.body.errors[0].code]).toEqual([400, 'required'])
    const wrong = await scene.sendForm('staff', 'fileReports', [['record', {}]])
    expect(wrong.status).toBe(422)
    expect((await scene.sendForm('anonymous', 'openForms', [['paper', 'one', 'a.txt']])).status).toBe(201)
  })

  testAll('documents of JSON:API are read, and answers are written in every format', async () => {
    const record = { data: { type: 'cases', attributes: { title: 'Document' } } }
    const parts = [
      ['record', record, jsonApi],
      ['photo', small, 'a.png'],
    ] as const
    const made = await scene.sendForm('staff', 'cases', parts, { headers: { Accept: jsonApi } })
    expect([made.status, made.headers.get('content-type')]).toEqual([201, jsonApi])
    expect(made.body.data.attributes).toMatchObject({ title: 'Document', photo: { name: 'a.png' } })
    const bad = await scene.sendForm('staff', 'cases', [
      ['record', record, jsonApi],
      ['photo', 'x', 'a.png'],
    ])
    expect(bad.body.errors[0].pointer).toBe('/data/attributes/photo')
    for (const type of ['application/hal+json', 'application/xml']) {
      const answer = await scene.sendForm('staff', 'cases', [['title', 'Format']], { headers: { Accept: type } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([201, expect.stringContaining(type)])
    }
    expect((await scene.sendForm('staff', 'cases', parts, { headers: { Accept: 'image/png' } })).status).toBe(406)
  })

  testAll('the API description says so', async () => {
    const { body } = await scene.service.as('anonymous').get('/api/openapi.json')
    const { post } = body.paths['/api/rest/cases']
    const form = post.requestBody.content['multipart/form-data']
    expect(form.encoding).toEqual({ record: { contentType: 'application/json' } })
    expect(Object.keys(form.schema.properties)).toEqual(['record', 'photo', 'papers', 'secret'])
    expect(body.paths['/api/rest/countries'].post.requestBody.content).not.toHaveProperty('multipart/form-data')
  })
})
