// Where a record's identifier comes from, for each kind: given, made, shared, composed, hashed.

import { createHash } from 'node:crypto'
import { featureDatabases } from '@plinth/test-kit/databases'
import { accountOf, fresh, freshCopy, make, pointers, speaking, startLibrary, uuid } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const prefix = 'a0000000-0000-4000-8000-0000000000'
let serial = 10
const freshUuid = (): string => prefix + serial++

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let staff: Client
  let simple: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    admin = service.as('admin')
    staff = service.as('staff')
    simple = service.as('simple')
  })
  afterAll(() => service.stop())

  const newReader = async () =>
    make(staff, 'readers', { name: fresh('R'), account: await accountOf(service, 'simple') })
  const newCopy = async () => {
    const book = await make(staff, 'books', { title: fresh('B') })
    return make(staff, 'copies', { pk: freshCopy(), book: book.pk })
  }
  const document = (type: string, id: string, attributes: object = {}, relationships: object = {}) => ({
    data: { type, id, attributes, relationships },
  })

  describe('a generated identifier', () => {
    test('is a UUID that sorts by time', async () => {
      const made = [await make(staff, 'books', { title: 'A' }), await make(staff, 'books', { title: 'B' })]
      const [first, second] = made.map(book => book.pk)
      expect(first).toMatch(uuid)
      expect(first[14]).toBe('7')
      expect(second > first).toBe(true)
      expect(made[0].id).toBe(first)
    })

    test('may be chosen by administrators, in the body as pk or id, in a document and by PUT', async () => {
      for (const [name, pk] of [
        ['pk', freshUuid()],
        ['id', freshUuid()],
      ] as const) {
        expect((await make(admin, 'books', { [name]: pk, title: 'Chosen' })).pk).toBe(pk)
      }
      const [inDocument, inPath] = [freshUuid(), freshUuid()]
      const made = await admin.post('/api/rest/books', document('books', inDocument, { title: 'Chosen' }), speaking)
      expect([made.status, made.body.data.id]).toEqual([201, inDocument])
      const put = await admin.put(`/api/rest/books/${inPath}`, { title: 'Chosen' })
      expect([put.status, put.body.pk]).toEqual([201, inPath])
      expect(put.headers.get('location')).toBe(`${service.url}/api/rest/books/${inPath}`)
    })

    test('that others choose is ignored in JSON, refused in a document, and no record to be replaced', async () => {
      const pk = freshUuid()
      const made = await make(staff, 'books', { pk, title: 'Not chosen' })
      expect(made.pk).not.toBe(pk)
      const refused = await staff.post('/api/rest/books', document('books', pk, { title: 'Not chosen' }), speaking)
      expect([refused.status, refused.text]).toEqual([403, ''])
      expect((await staff.put(`/api/rest/books/${pk}`, { title: 'Not chosen' })).status).toBe(404)
      expect((await staff.get(`/api/rest/books/${pk}`)).status).toBe(404)
    })

    test('that is taken is refused with 409, in every way of giving it', async () => {
      const { pk } = await make(admin, 'books', { title: 'Here first' })
      const again = await admin.post('/api/rest/books', { pk, title: 'Here second' })
      expect([again.status, again.body.code, pointers(again)]).toEqual([409, 'taken', ['/pk']])
      const inDocument = await admin.post('/api/rest/books', document('books', pk, { title: 'Second' }), speaking)
      expect([inDocument.status, inDocument.body.errors[0].code, pointers(inDocument)]).toEqual([
        409,
        'taken',
        ['/data/id'],
      ])
      expect((await admin.get(`/api/rest/books/${pk}`)).body.title).toBe('Here first')
    })

    test.each(['chosen', '1', '', 'a0000000-0000-4000-8000-00000000001g', '../books'])(
      'cannot be the text %j',
      async pk => {
        const refused = await admin.post('/api/rest/books', document('books', pk, { title: 'X' }), speaking)
        expect([refused.status, pointers(refused)]).toEqual([400, ['/data/id']])
        const plain = await admin.post('/api/rest/books', { pk, title: 'X' })
        expect([plain.status, pointers(plain)]).toEqual([400, ['/pk']])
      },
    )

    test.each([1, true, {}, [], ['a']])('that is %j and no text is refused', async pk => {
      const refused = await admin.post('/api/rest/books', { pk, title: 'X' })
      expect([refused.status, pointers(refused)]).toEqual([400, ['/pk']])
    })
  })

  describe('an assigned identifier', () => {
    test('is the one given, by POST or by PUT, for everyone who may create', async () => {
      const book = await make(staff, 'books', { title: 'B' })
      const [first, second, third] = [freshCopy(), freshCopy(), freshCopy()]
      expect((await make(staff, 'copies', { pk: first, book: book.pk })).pk).toBe(first)
      const put = await staff.put(`/api/rest/copies/${second}`, { book: book.pk })
      expect([put.status, put.body.pk]).toEqual([201, second])
      const relationships = { book: { data: { type: 'books', id: book.pk } } }
      const made = await staff.post('/api/rest/copies', document('copies', third, {}, relationships), speaking)
      expect([made.status, made.body.data?.id]).toEqual([201, third])
    })

    test('is needed, must fit its pattern and must be free', async () => {
      const { pk, book } = await newCopy()
      const cases: [unknown, number, string][] = [
        [undefined, 400, 'invalid'],
        [null, 400, 'invalid'],
        ['', 400, 'invalid'],
        ['D-1', 400, 'invalid'],
        ['C-1 ', 400, 'invalid'],
        ['C-1\n', 400, 'invalid'],
        ['C-12345678901', 400, 'invalid'],
        [pk, 409, 'taken'],
      ]
      for (const [sent, status, code] of cases) {
        const refused = await staff.post('/api/rest/copies', { pk: sent, book: book.pk })
        expect([sent, refused.status, refused.body.code, pointers(refused)]).toEqual([sent, status, code, ['/pk']])
      }
      const odd = await staff.put('/api/rest/copies/odd', { book: book.pk })
      expect([odd.status, pointers(odd)]).toEqual([400, ['/pk']])
    })

    test('that is missing or wrong is reported together with all other faults', async () => {
      for (const pk of [undefined, 'odd']) {
        const refused = await staff.post('/api/rest/copies', { pk })
        expect([refused.status, pointers(refused)]).toEqual([400, ['/pk', '/book']])
        expect(refused.body.detail).toBe('2 fields are invalid.')
      }
      const inDocument = await staff.post('/api/rest/copies', document('copies', 'odd'), speaking)
      expect([inDocument.status, pointers(inDocument)]).toEqual([400, ['/data/id', '/data/relationships/book']])
    })
  })

  describe('a shared identifier', () => {
    test('is that of its owner, as given in the reference, the path or the body', async () => {
      const [first, second, third] = [await newReader(), await newReader(), await newReader()]
      expect((await make(staff, 'cards', { reader: first.pk })).pk).toBe(first.pk)
      const put = await staff.put(`/api/rest/cards/${second.pk}`, { colour: 'red' })
      expect([put.status, put.body.reader.pk, put.body.colour]).toEqual([201, second.pk, 'red'])
      expect((await make(staff, 'cards', { pk: third.pk })).reader.pk).toBe(third.pk)
    })

    test('exists once for each, and only for records that exist', async () => {
      const reader = await newReader()
      await make(staff, 'cards', { reader: reader.pk })
      const again = await staff.post('/api/rest/cards', { reader: reader.pk })
      expect([again.status, again.body.code]).toEqual([409, 'taken'])
      const missing = await staff.post('/api/rest/cards', { reader: freshUuid() })
      expect([missing.status, pointers(missing)]).toEqual([422, ['/reader']])
      const none = await staff.post('/api/rest/cards', { colour: 'red' })
      expect([none.status, pointers(none)]).toEqual([400, ['/reader']])
      const inDocument = await staff.post('/api/rest/cards', { data: { type: 'cards' } }, speaking)
      expect([inDocument.status, pointers(inDocument)]).toEqual([400, ['/data/relationships/reader']])
    })

    test('that contradicts the reference is refused, and the reference cannot change', async () => {
      const [reader, other] = [await newReader(), await newReader()]
      const refused = await staff.post('/api/rest/cards', { pk: other.pk, reader: reader.pk })
      expect([refused.status, pointers(refused)]).toEqual([400, ['/pk']])
      await make(staff, 'cards', { reader: reader.pk })
      const moved = await staff.patch(`/api/rest/cards/${reader.pk}`, { reader: other.pk })
      expect([moved.status, pointers(moved)]).toEqual([400, ['/reader']])
    })
  })

  describe('a composed identifier', () => {
    test('joins its references, given separately or together', async () => {
      const [copy, reader] = [await newCopy(), await newReader()]
      const lending = await make(staff, 'lendings', { copy: copy.pk, reader: { pk: reader.pk } })
      expect(lending.pk).toBe(`${copy.pk}_${reader.pk}`)
      const other = `${(await newCopy()).pk}_${reader.pk}`
      const put = await staff.put(`/api/rest/lendings/${other}`, { remarks: 'by path' })
      expect([put.status, put.body.pk, put.body.reader.pk]).toEqual([201, other, reader.pk])
      const again = await staff.post('/api/rest/lendings', { copy: copy.pk, reader: reader.pk })
      expect([again.status, again.body.code]).toEqual([409, 'taken'])
    })

    test('needs all of its parts and fits them', async () => {
      const [copy, reader, other] = [await newCopy(), await newReader(), await newCopy()]
      const cases: [object, string[]][] = [
        [{ copy: copy.pk }, ['/reader']],
        [{ pk: copy.pk }, ['/reader']],
        [{}, ['/copy', '/reader']],
        [{ pk: `${other.pk}_${reader.pk}`, copy: copy.pk, reader: reader.pk }, ['/pk']],
        [{ pk: `${copy.pk}_${reader.pk}_more` }, ['/pk']],
      ]
      for (const [sent, expected] of cases) {
        const refused = await staff.post('/api/rest/lendings', sent)
        expect([sent, refused.status, pointers(refused)]).toEqual([sent, 400, expected])
      }
      const { pk } = await make(staff, 'lendings', { copy: copy.pk, reader: reader.pk })
      expect((await staff.patch(`/api/rest/lendings/${pk}`, { copy: other.pk })).status).toBe(400)
    })
  })

  describe('a hashed identifier', () => {
    const hash = (words: string) => createHash('sha256').update(words).digest('hex')

    test('is the hash of its field, so that a text is kept once', async () => {
      const words = fresh('Dürer ✒')
      expect((await make(staff, 'signatures', { words })).pk).toBe(hash(words))
      const again = await staff.post('/api/rest/signatures', { words })
      expect([again.status, again.body.code]).toEqual([409, 'taken'])
    })

    test('that is given must fit, and its field cannot change', async () => {
      const [words, other] = [fresh('W'), fresh('W')]
      const odd = await staff.put(`/api/rest/signatures/${hash(other)}`, { words })
      expect([odd.status, pointers(odd)]).toEqual([400, ['/pk']])
      const put = await staff.put(`/api/rest/signatures/${hash(words)}`, { words })
      expect([put.status, put.body.pk]).toEqual([201, hash(words)])
      const changed = await staff.patch(`/api/rest/signatures/${hash(words)}`, { words: other })
      expect([changed.status, pointers(changed)]).toEqual([400, ['/words']])
      expect((await staff.patch(`/api/rest/signatures/${hash(words)}`, { words, found: 3 })).body.found).toBe(3)
    })
  })

  test('an identifier in the body that differs from the path is refused where it stands', async () => {
    const { pk } = await make(staff, 'books', { title: 'B' })
    for (const method of ['put', 'patch'] as const) {
      const refused = await staff[method](`/api/rest/books/${pk}`, { id: freshUuid(), title: 'C' })
      expect([refused.status, pointers(refused)]).toEqual([400, ['/pk']])
      const inDocument = await staff[method](`/api/rest/books/${pk}`, document('books', freshUuid()), speaking)
      expect([inDocument.status, pointers(inDocument)]).toEqual([400, ['/data/id']])
    }
    const both = await staff.patch(`/api/rest/books/${pk}`, { pk, id: freshUuid() })
    expect([both.status, pointers(both)]).toEqual([400, ['/id']])
    expect((await staff.patch(`/api/rest/books/${pk}`, { pk, id: pk, title: 'D' })).status).toBe(200)
  })

  test.each(['%00', '%0A', '%F0%9F%93%9A', 'a%2Fb', "'%20OR%20''='", '%25', `${'x'.repeat(400)}`, '..%2f..'])(
    'no record has the identifier %s, and nothing breaks',
    async pk => {
      expect((await simple.get(`/api/rest/books/${pk}`)).status).toBe(404)
      expect((await simple.patch(`/api/rest/books/${pk}`, { title: 'X' })).status).toBe(404)
      expect((await staff.delete(`/api/rest/books/${pk}`)).status).toBe(404)
      expect((await simple.get(`/api/rest/books/${pk}/authors`)).status).toBe(404)
    },
  )
})
