// Bodies in JSON that are refused or taken as they are read: keys that occur twice, bytes that are no UTF-8, fields of other names.

import { featureDatabases } from '@plinth/test-kit/databases'
import { speaking, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const total = async () => (await staff.get('/api/rest/books?_ps=1')).headers.get('x-total-count')

  describe('a key that an object has twice is refused', () => {
    const plain = 'application/json'
    const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const operation = (attributes: string) =>
      `{"atomic:operations":[{"op":"add","data":{"type":"books","attributes":${attributes}}}]}`

    test.each([
      ['post', '/api/rest/books', plain, '{"title":"a","title":"b"}', '/title', 13],
      ['post', '/api/rest/books', plain, '{"title":"a","notes":{"x/y":"1"},"ti\\u0074le":"b"}', '/title', 33],
      ['post', '/api/rest/books', plain, '{"title":"a","notes":{"x/y":"1","x/y":"2"}}', '/notes/x~1y', 32],
      ['post', '/api/rest/books', plain, '[{"title":"a","tags":[",{","]"]},{"title":"a","title":"b"}]', '/1/title', 46],
      ['post', '/api/rest/books', plain, '{"title":"a","unknown":{"":1,"":1}}', '/unknown/', 29],
      ['post', '/api/rest/books', plain, '{"__proto__":1,"title":"a","__proto__":2}', '/__proto__', 27],
      ['post', '/api/rest/books', 'application/hal+json', '{"title":"a","title":"a"}', '/title', 13],
      ['patch', '/api/rest/books/x', 'application/merge-patch+json', '{"title":"a","title":null}', '/title', 13],
      ['put', '/api/rest/books/x', plain, '{ "title" : "a:\\"{" , "title" : "b" }', '/title', 22],
      ['post', '/api/auth/jwt/access', plain, '{"username":"x","username":"staff"}', '/username', 16],
    ] as const)('%s %s as %s: %s', async (method, path, type, text, pointer, position) => {
      const before = await total()
      const refused = await staff[method](path, text, { 'Content-Type': type })
      expect([refused.status, refused.body.code]).toEqual([400, 'bad_request'])
      const [key] = [pointer.split('/').at(-1)?.replace('~1', '/')]
      expect(refused.body.detail).toBe(
        `The body has the key '${key}' twice in one object, the second time at position ${position}.`,
      )
      expect(refused.body.errors).toMatchObject([{ pointer, code: 'duplicate_key' }])
      expect(await total()).toBe(before)
    })

    test.each([
      [
        'a document',
        '/api/rest/books',
        speaking['Content-Type'],
        '{"data":{"type":"books","type":"books","attributes":{"title":"a"}}}',
        '/data/type',
      ],
      [
        'atomic operations',
        '/api/rest/operations',
        atomic,
        operation('{"title":"a","title":"b"}'),
        '/atomic:operations/0/data/attributes/title',
      ],
    ])('JSON:API: %s', async (_, path, type, text, pointer) => {
      const refused = await staff.post(path, text, { 'Content-Type': type, Accept: type })
      expect([refused.status, refused.body.errors]).toMatchObject([400, [{ code: 'bad_request', source: { pointer } }]])
    })

    test('objects of a list may have the same keys, and texts may look like keys', async () => {
      const text = '[{"title":"\\"a\\":\\"b\\"","notes":{"title":"a"}},{"title":"a","tags":["title","title"]}]'
      expect((await staff.post('/api/rest/books', text, { 'Content-Type': plain })).status).toBe(201)
    })

    test('a long key is named in part', async () => {
      const key = 'k'.repeat(5000)
      const refused = await staff.post('/api/rest/books', `{"${key}":1,"${key}":1}`, { 'Content-Type': plain })
      expect(refused.body.detail).toContain(`the key '${'k'.repeat(100)}…' twice`)
    })
  })

  test('bytes that are no UTF-8 are refused', async () => {
    const body = Buffer.from([0x7b, 0x22, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])
    const refused = await staff.post('/api/rest/books', body, { 'Content-Type': 'application/json' })
    expect([refused.status, refused.body.detail]).toEqual([400, 'The body is not UTF-8.'])
  })

  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    'the field %s is ignored like any unknown one',
    async name => {
      const body = `{"title": "x", "${name}": {"title": "polluted", "isAdmin": true}}`
      const made = await staff.post('/api/rest/books', body, { 'Content-Type': 'application/json' })
      expect([made.status, made.body.title]).toEqual([201, 'x'])
      expect(Object.hasOwn(made.body, name)).toBe(false)
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
    },
  )
})
