// Uploads for fields of files, before a record takes them.

import { days } from '@plinth/test-kit/clock'
import { featureDatabases } from '@plinth/test-kit/databases'
import { picture } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FileParts, type Filing, problems, startFiling } from './filing.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: Filing
  let small: Buffer
  beforeAll(async () => {
    small = await picture(40, 20)
    scene = await startFiling(database)
  })
  afterAll(() => scene.service.stop())

  describe('an upload', () => {
    test('answers with the values of the fields, with types by content and names as they were sent', async () => {
      const { status, body } = await scene.send('staff', 'cases', [
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

    test.each<[string, FileParts, number, ...object[]]>([
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
      const before = await scene.stored()
      const sent = await scene.send('staff', 'cases', parts)
      expect([sent.status, sent.body.errors]).toMatchObject([status, errors])
      expect(await scene.stored()).toEqual(before)
    })

    test('needs permission to write a record, and the field', async () => {
      const parts: FileParts = [['papers', 'x']]
      expect((await scene.send('anonymous', 'cases', parts)).status).toBe(401)
      expect((await scene.send('simple', 'cases', parts)).status).toBe(403)
      expect((await scene.send('staff', 'cases', [['secret', 'x']])).status).toBe(403)
      expect((await scene.send('admin', 'cases', [['secret', 'x']])).status).toBe(201)
    })

    test('that is repeated with its key has the same answer, and is stored once', async () => {
      const before = await scene.stored()
      const headers = { 'Idempotency-Key': `again-${database}` }
      const first = await scene.send('staff', 'cases', [['papers', 'x', 'a']], headers)
      const second = await scene.send('staff', 'cases', [['papers', 'x', 'a']], headers)
      expect(second.body).toEqual(first.body)
      expect(await scene.stored()).toHaveLength(before.length + 1)
      expect((await scene.send('staff', 'cases', [['papers', 'y', 'a']], headers)).body.code).toBe('key_reused')
    })

    test('is deleted when no record has taken it for a day', async () => {
      const { papers } = await scene.upload(['papers', 'x'])
      scene.clock.pass(2 * days)
      const late = await scene.service.as('staff').post('/api/rest/cases', { title: 'Late', papers }, problems)
      expect([late.status, late.body.errors]).toMatchObject([422, [{ pointer: '/papers', code: 'file_unknown' }]])
      expect((await scene.service.as('admin').post('/api/management/jobs/remove-old-files/run', {})).status).toBe(202)
      await scene.service.jobsEnded()
      await expect.poll(scene.stored).not.toContain(papers[0].pk)
    })
  })
})
