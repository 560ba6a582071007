// Permissions of anonymous callers, users and owners. A hidden record is hidden in every kind of request.

import { featureDatabases } from '@plinth/test-kit/databases'
import { accountOf, column, fresh, freshCopy, make, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  let client: Client
  let anonymous: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
    simple = service.as('simple')
    client = service.as('client')
    anonymous = service.as('anonymous')
  })
  afterAll(() => service.stop())

  const write = (method: string, resource: string, pk: string) => ({
    path: method === 'POST' ? `/api/rest/${resource}` : `/api/rest/${resource}/${pk}`,
    ask: { method, ...(method !== 'DELETE' && method !== 'GET' && { body: { name: 'changed' } }) },
  })

  test.each(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'])(
    '%s is 401 without a sign-in and 403 without the permission',
    async method => {
      const { pk } = await make(staff, 'ledgers', { name: fresh('ledger') })
      const { path, ask } = write(method, 'ledgers', pk)
      const refused = await anonymous(path, ask)
      expect([refused.status, refused.text, refused.headers.get('content-type')]).toEqual([401, '', null])
      expect(refused.headers.get('www-authenticate')).toBeTruthy()
      const forbidden = await simple(path, ask)
      expect([forbidden.status, forbidden.text]).toEqual([403, ''])
      const explained = await simple(path, { ...ask, headers: { Accept: 'application/problem+json' } })
      expect([explained.status, explained.body.code]).toEqual([403, 'forbidden'])
      expect((await staff.get(`/api/rest/ledgers/${pk}`)).body).toMatchObject({ version: 1 })
    },
  )

  test.each([
    'ledgers?page=no',
    'ledgers?pks=x',
    'ledgers/jsonschema',
    'ledgers/uischema',
    'ledgers/x/book',
    'ledgers/x/relationships/book',
  ])('GET %s is 401 without a sign-in and 403 for a user', async path => {
    expect((await anonymous.get(`/api/rest/${path}`)).status).toBe(401)
    expect((await simple.get(`/api/rest/${path}`)).status).toBe(403)
  })

  test('what no rule allows is forbidden, even to administrators if the rule is false', async () => {
    const { pk } = await make(staff, 'ledgers', { name: 'L' })
    expect((await service.as('admin').delete(`/api/rest/ledgers/${pk}`)).status).toBe(403)
    expect((await service.as('admin').post('/api/rest/journal', { what: 'x' })).status).toBe(403)
  })

  test('a rule on the record decides on each: 403 for one that may be seen but not changed', async () => {
    const { pk } = await make(staff, 'ledgers', { name: 'L' })
    expect((await staff.patch(`/api/rest/ledgers/${pk}`, { name: 'M' })).status).toBe(200)
    // Archiving would write the record out of the writer's own reach.
    expect((await staff.patch(`/api/rest/ledgers/${pk}`, { archived: true })).status).toBe(403)
    expect((await staff.get(`/api/rest/ledgers/${pk}`)).body).toMatchObject({ archived: false, version: 2 })
    expect((await service.as('admin').patch(`/api/rest/ledgers/${pk}`, { archived: true })).status).toBe(200)
    expect((await staff.patch(`/api/rest/ledgers/${pk}`, { name: 'N' })).status).toBe(403)
    expect((await staff.put(`/api/rest/ledgers/${pk}`, { name: 'N' })).status).toBe(403)
    expect((await staff.get(`/api/rest/ledgers/${pk}`)).body.name).toBe('M')
  })

  describe('readers, who see themselves alone', () => {
    let mine: { pk: string; name: string }
    let other: { pk: string; name: string }
    let lendings: { mine: string; other: string }
    let copy: string
    beforeAll(async () => {
      mine = await make(simple, 'readers', { name: fresh('mine'), account: await accountOf(service, 'simple') })
      other = await make(staff, 'readers', { name: fresh('other'), account: await accountOf(service, 'client') })
      const book = await make(staff, 'books', { title: fresh('book') })
      copy = (await make(staff, 'copies', { pk: freshCopy(), book: book.pk })).pk
      lendings = {
        mine: (await make(staff, 'lendings', { copy, reader: mine.pk })).pk,
        other: (await make(staff, 'lendings', { copy, reader: other.pk })).pk,
      }
      await make(staff, 'cards', { reader: mine.pk })
      await make(staff, 'cards', { reader: other.pk })
    })

    test.each([
      ['GET', (pk: string) => `readers/${pk}`],
      ['HEAD', (pk: string) => `readers/${pk}`],
      ['PUT', (pk: string) => `readers/${pk}`],
      ['PATCH', (pk: string) => `readers/${pk}`],
      ['GET', (pk: string) => `readers/${pk}/lendings`],
      ['GET', (pk: string) => `readers/${pk}/relationships/account`],
      ['PATCH', (pk: string) => `readers/${pk}/relationships/account`],
    ] as const)('%s of a hidden record is 404, as of one that does not exist', async (method, address) => {
      const account = { type: 'users', id: await accountOf(service, 'simple') }
      const body =
        method === 'PUT' || method === 'PATCH' ? { name: 'stolen', account: account.id, data: account } : undefined
      const headers = address('').includes('relationships') && method === 'PATCH' ? speaking : {}
      const ask = (pk: string) => simple(`/api/rest/${address(pk)}`, { method, body, headers })
      const [hidden, missing] = [await ask(other.pk), await ask('a0000000-0000-4000-8000-000000000009')]
      expect([hidden.status, hidden.text]).toEqual([404, ''])
      expect([missing.status, missing.text]).toEqual([404, ''])
      expect((await staff.get(`/api/rest/readers/${other.pk}`)).body).toMatchObject({ name: other.name, version: 1 })
    })

    test('lists, searches by identifier, whole collections and counts hold only what is seen', async () => {
      for (const query of [
        '',
        '?page=no',
        `?pks=${mine.pk},${other.pk}`,
        '?filter=name==*',
        '?sort=-name',
        '?_total=estimated',
      ]) {
        expect([query, column(await simple.get(`/api/rest/readers${query}`), 'pk')]).toEqual([query, [mine.pk]])
      }
      const page = await simple.get('/api/rest/readers')
      expect([page.body.page.totalElements, page.headers.get('x-total-count')]).toEqual([1, '1'])
      expect((await anonymous.get('/api/rest/readers')).status).toBe(401)
      expect(column(await staff.get(`/api/rest/readers?pks=${mine.pk},${other.pk}`), 'pk')).toHaveLength(2)
    })

    test('relations lead only to what is seen, and so do filters and sorts along them', async () => {
      expect(column(await simple.get(`/api/rest/copies/${copy}/lendings`), 'pk')).toEqual([lendings.mine])
      const found = async (query: string) => column(await simple.get(`/api/rest/copies?${query}`), 'pk')
      expect(await found(`filter=lendings.reader.name==${mine.name}`)).toEqual([copy])
      expect(await found(`filter=lendings.reader.name==${other.name}`)).toEqual([])
      expect(await found(`filter=lendings==${lendings.other}`)).toEqual([])
      expect(await found(`lendings.reader=${other.pk}`)).toEqual([])
      expect(await found(`filter=lendings.reader.account.username==client`)).toEqual([])
      expect(await found(`filter=pk==${copy};lendings.reader.name=isnull=false`)).toEqual([copy])
      const included = (await simple.get(`/api/rest/copies/${copy}?include=lendings.reader`)).body.lendings
      expect(included.map((one: { pk: string }) => one.pk)).toEqual([lendings.mine])
      const sorted = await simple.get(`/api/rest/lendings?sort=reader.name&include=reader`)
      expect(column(sorted, 'pk')).toEqual([lendings.mine])
    })

    test('counts count only what is seen, in the record, in filters and in sorts', async () => {
      const count = async (as: Client) => (await as.get(`/api/rest/copies/${copy}`)).body.lendingCount
      expect([await count(staff), await count(simple), await count(service.as('operator'))]).toEqual([2, 1, 0])
      const matches = async (as: Client, lendingCount: number) =>
        column(await as.get(`/api/rest/copies?filter=pk==${copy};lendingCount==${lendingCount}`), 'lendingCount')
      expect([await matches(simple, 2), await matches(simple, 1)]).toEqual([[], [1]])
      expect(await matches(staff, 2)).toEqual([2])
      const [another] = [
        await make(staff, 'copies', { pk: freshCopy(), book: (await make(staff, 'books', { title: 'B' })).pk }),
      ]
      await make(staff, 'lendings', { copy: another.pk, reader: mine.pk })
      await make(staff, 'lendings', {
        copy: (await make(staff, 'copies', { pk: freshCopy(), book: another.book.pk })).pk,
        reader: other.pk,
      })
      const seen = column(await simple.get('/api/rest/copies?sort=-lendingCount&_ps=500'), 'lendingCount') as number[]
      expect(seen).toEqual([...seen].sort((a, b) => b - a))
      const through = await simple.get(`/api/rest/lendings?filter=copy.lendingCount==2`)
      expect(column(through, 'pk')).toEqual([])
      const listed = column(await simple.get(`/api/rest/copies?pks=${copy}`), 'lendingCount')
      expect(listed).toEqual([1])
      const included = await simple.get(`/api/rest/lendings/${lendings.mine}?include=copy`)
      expect(included.body.copy.lendingCount).toBe(1)
    })

    test('labels of hidden records stay hidden', async () => {
      const reader = (await service.as('admin').get(`/api/rest/lendings/${lendings.other}`)).body.reader
      expect(reader).toEqual({ pk: other.pk, name: other.name })
      const book = await make(staff, 'books', { title: fresh('B') })
      const secretive = await make(staff, 'authors', { name: fresh('secretive'), known: false })
      await staff.patch(`/api/rest/books/${book.pk}`, { authors: [secretive.pk] })
      for (const Accept of [
        'application/json',
        'application/hal+json',
        'application/xml',
        'application/vnd.api+json',
      ]) {
        for (const path of [
          `books/${book.pk}`,
          `books?pks=${book.pk}`,
          `books/${book.pk}?include=authors`,
          `books/${book.pk}/authors`,
        ]) {
          const answer = await simple.get(`/api/rest/${path}`, { Accept })
          expect([path, answer.status]).toEqual([path, 200])
          expect(answer.text).not.toContain(secretive.name)
          expect(answer.text).not.toContain(secretive.pk)
        }
      }
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body.authors).toHaveLength(1)
      expect((await staff.get(`/api/rest/authors/${secretive.pk}`)).body.bookCount).toBe(1)
    })

    test('links to hidden records cannot be created or lost, and look like links to missing records', async () => {
      const [known, hidden] = [
        await make(staff, 'authors', { name: fresh('known') }),
        await make(staff, 'authors', { name: fresh('hidden'), known: false }),
      ]
      const book = await make(staff, 'books', { title: fresh('B'), authors: [hidden.pk] })
      const missing = 'a0000000-0000-4000-8000-00000000000a'
      for (const [method, path, sentOf] of [
        ['PATCH', `books/${book.pk}`, (pk: string) => ({ authors: [pk] })],
        ['POST', 'books', (pk: string) => ({ title: 'B', authors: [pk] })],
        ['POST', `books/${book.pk}/relationships/authors`, (pk: string) => ({ data: [{ type: 'authors', id: pk }] })],
      ] as const) {
        const headers = path.includes('relationships') ? speaking : {}
        const ask = (pk: string) => simple(`/api/rest/${path}`, { method, body: sentOf(pk), headers })
        const [toHidden, toNothing] = [await ask(hidden.pk), await ask(missing)]
        expect([path, toHidden.status]).toEqual([path, 422])
        expect(toHidden.text).toBe(toNothing.text)
      }
      const changed = await simple.patch(`/api/rest/books/${book.pk}`, { authors: [known.pk] })
      expect(changed.body.authors).toEqual([{ pk: known.pk, name: known.name }])
      const linked = async () => column(await staff.get(`/api/rest/books/${book.pk}/authors`), 'pk').sort()
      expect(await linked()).toEqual([known.pk, hidden.pk].sort())
      const emptied = { method: 'PATCH', body: { data: [] }, headers: speaking }
      expect((await simple(`/api/rest/books/${book.pk}/relationships/authors`, emptied)).status).toBe(204)
      expect(await linked()).toEqual([hidden.pk])
      const response = await simple(`/api/rest/books/${book.pk}/relationships/authors`, {
        method: 'DELETE',
        body: { data: [{ type: 'authors', id: hidden.pk }] },
        headers: speaking,
      })
      expect(response.status).toBe(204)
      expect(await linked()).toEqual([hidden.pk])
    })

    test('users cannot move a record out of their own reach, and nothing is written', async () => {
      const account = await accountOf(service, 'client')
      expect((await simple.patch(`/api/rest/readers/${mine.pk}`, { account })).status).toBe(403)
      expect((await simple.put(`/api/rest/readers/${mine.pk}`, { name: 'moved', account })).status).toBe(403)
      expect((await simple.post('/api/rest/readers', { name: fresh('forged'), account })).status).toBe(403)
      const document = { method: 'PATCH', body: { data: { type: 'users', id: account } }, headers: speaking }
      expect((await simple(`/api/rest/readers/${mine.pk}/relationships/account`, document)).status).toBe(403)
      expect((await simple.get(`/api/rest/readers/${mine.pk}`)).body).toMatchObject({ name: mine.name, version: 1 })
      expect(column(await client.get('/api/rest/readers'), 'pk')).toEqual([other.pk])
    })

    test('a shared or composed record is seen by the rule along its reference', async () => {
      expect(column(await simple.get('/api/rest/cards'), 'pk')).toEqual([mine.pk])
      expect((await simple.get(`/api/rest/cards/${other.pk}`)).status).toBe(404)
      expect((await simple.patch(`/api/rest/cards/${mine.pk}`, { colour: 'x' })).status).toBe(403)
      expect((await simple.delete(`/api/rest/lendings/${lendings.mine}`)).status).toBe(403)
      expect((await simple.delete(`/api/rest/lendings/${lendings.other}`)).status).toBe(403)
    })
  })
})
