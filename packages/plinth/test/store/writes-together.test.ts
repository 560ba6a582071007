// Writes and reads of single records that arrive together: on PostgreSQL they share statements, and none notices the others.

import { describe, expect, test } from 'vitest'
import { anonymous } from '../../src/core/model/caller.ts'
import { defineResource } from '../../src/core/model/define.ts'
import { integer, json, ref, text, textList, timestamp } from '../../src/core/model/fields.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import type { Actor } from '../../src/core/model/transaction.ts'
import type { Store } from '../../src/core/store/store.ts'
import { openStore } from './databases.ts'

const common = {
  about: 'For tests.',
  access: { read: 'true', write: 'true' },
  stamps: 'none',
  identifier: assigned(),
} as const

const registry = createRegistry([
  defineResource('shelves', { ...common, label: 'name', fields: { name: text({ required: true }) } }),
  defineResource('books', {
    ...common,
    label: 'title',
    history: true,
    eventFields: ['pages'],
    fields: {
      title: text({ required: true }),
      code: text({ unique: 'ignoreCase' }),
      pages: integer(),
      words: textList(),
      more: json(),
      printed: timestamp(),
      shelf: ref('shelves'),
    },
  }),
])
const books = registry.resource('books')
const shelves = registry.resource('shelves')

const count = 40
const numbers = Array.from({ length: count }, (_, number) => number)

const actor = (number: number): Actor => ({
  caller: { ...anonymous, pk: `user ${number}` },
  sender: { remoteAddress: '127.0.0.1', userAgent: null, requestId: `request ${number}` },
  now: new Date(),
})

/** The statements that the work takes. */
const statementsOf = async (store: Store, work: () => Promise<unknown>): Promise<number> => {
  const before = store.statements
  await work()
  return store.statements - before
}

const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'rejected' ? result.reason.code : 'written'

describe('on PostgreSQL', () => {
  const pages = books.fields.get('pages')
  const store = openStore('postgres', registry, { eventFields: new Map([[books, pages ? [pages] : []]]) })
  let serial = 0
  const make = (values: object) => {
    const pk = `b${++serial}`
    return store().single.insert(books, pk, { title: pk, ...values }, { by: actor(serial) })
  }
  const update = (pk: string, version: number, values: object) =>
    store().single.update?.(books, pk, { ...values }, { version, by: actor(version) })
  const entriesOf = (pk: string) => store().history(books, { pk, limit: 10 })

  describe('creates', () => {
    test('give each caller its own record, and have an entry of their own in the history and the log', async () => {
      await store().transaction(tx => tx.insert(shelves, 's', { name: 'Nearest' }))
      const { latest } = await store().events.window()
      let made: Awaited<ReturnType<typeof make>>[] = []
      const statements = await statementsOf(store(), async () => {
        made = await Promise.all(
          numbers.map(number =>
            make({
              ...(number % 2 === 0 && { pages: number, code: `Ä"\\${number}`, words: ['a', `{${number}}`, 'NULL'] }),
              ...(number % 3 === 0 && { shelf: 's', more: { number, text: 'a, "b"' } }),
              ...(number % 5 === 0 && { printed: '2031-02-03T04:05:06.789Z' }),
            }),
          ),
        )
      })
      expect(statements).toBeLessThan(count / 4)
      for (const [number, record] of made.entries()) {
        expect(record).toEqual(await store().get(books, record.pk))
        expect(record).toMatchObject({ title: record.pk, version: 1, pages: number % 2 === 0 ? number : null })
        expect(record.shelf).toEqual(number % 3 === 0 ? { pk: 's', label: 'Nearest' } : null)
        const by = `user ${record.pk.slice(1)}`
        expect(await entriesOf(record.pk)).toMatchObject([{ change: 'created', version: 1, by, before: null }])
      }
      await store().events.arrange()
      const events = await store().events.read({
        after: latest,
        upTo: Number.MAX_SAFE_INTEGER,
        limit: 1000,
        resource: 'books',
      })
      expect(events.map(({ pk }) => pk)).toEqual(made.map(({ pk }) => pk))
      expect(events.map(({ seen }) => seen?.pages)).toEqual(made.map(({ pages }) => pages))
    })

    test('that are refused are refused alone', async () => {
      await make({ code: 'taken' })
      const results = await Promise.allSettled([
        make({}),
        make({ code: 'TAKEN' }),
        make({ shelf: 'nowhere' }),
        make({ code: 'twice' }),
        make({ code: 'twice' }),
        make({ pages: 2 ** 70 }),
        make({ title: 'x'.repeat(20_000) }),
        make({}),
      ])
      const codes = results.map(codeOf)
      expect(codes.filter(code => code === 'taken')).toHaveLength(2)
      expect(codes.map((code, at) => (at === 3 || at === 4 ? 'either' : code))).toEqual([
        ...['written', 'taken', 'unprocessable', 'either', 'either'],
        ...['bad_request', 'written', 'written'],
      ])
    })
  })

  describe('updates', () => {
    test('change each record once, and only in the version that was read', async () => {
      const made = await Promise.all(numbers.map(number => make({ pages: number })))
      const { latest } = await store().events.window()
      let results: (object | null | undefined)[] = []
      const statements = await statementsOf(store(), async () => {
        results = await Promise.all(
          made.map(({ pk }, number) => update(pk, number % 4 === 3 ? 7 : 1, { pages: number + 100 })),
        )
      })
      expect(statements).toBeLessThan(count / 4)
      for (const [number, { pk }] of made.entries()) {
        const isStale = number % 4 === 3
        if (isStale) expect(results[number]).toBeNull()
        else expect(results[number]).toEqual(await store().get(books, pk))
        const [entry] = await entriesOf(pk)
        expect(entry).toMatchObject(
          isStale ? { change: 'created' } : { change: 'updated', version: 2, by: 'user 1', before: { pages: number } },
        )
      }
      await store().events.arrange()
      const events = await store().events.read({
        after: latest,
        upTo: Number.MAX_SAFE_INTEGER,
        limit: 1000,
        resource: 'books',
      })
      expect(events.filter(({ type }) => type === 'updated')).toHaveLength((count * 3) / 4)
      for (const { type, seen, was } of events)
        if (type === 'updated') expect(Number(seen?.pages) - Number(was?.pages)).toBe(100)
    })

    test('of one record by several writers are written by one of them', async () => {
      const [one, other] = [await make({}), await make({})]
      const results = await Promise.all([
        ...numbers.map(number => update(one.pk, 1, { pages: number })),
        update(other.pk, 1, { pages: 5 }),
      ])
      expect(results.filter(Boolean)).toHaveLength(2)
      expect(await store().get(books, one.pk)).toMatchObject({ version: 2 })
      expect(await entriesOf(one.pk)).toHaveLength(2)
      expect(await store().get(books, other.pk)).toMatchObject({ version: 2, pages: 5 })
    })

    test('do not wait for a record among them that a transaction holds', async () => {
      const made = await Promise.all(numbers.map(() => make({})))
      const [first] = made
      await store().transaction(async tx => {
        await tx.lock(books, first?.pk ?? '')
        const results = await Promise.all(made.map(({ pk }) => update(pk, 1, { pages: 1 })))
        expect(results.map(record => record?.pages)).toEqual([undefined, ...made.slice(1).map(() => 1)])
      })
    })
  })

  test('creates do not wait for one among them whose value a transaction is about to write', async () => {
    let last: Promise<unknown> = Promise.resolve()
    await store().transaction(async tx => {
      await tx.insert(books, 'pending', { title: 'Pending', code: 'pending' })
      last = make({ code: 'pending' }).catch(error => error.code)
      await Promise.all(numbers.map(() => make({})))
    })
    expect(await last).toBe('taken')
  })

  test('reads find each its own record, or none', async () => {
    const made = await Promise.all(numbers.map(number => make({ pages: number })))
    const [first] = made
    await store().get(books, first?.pk ?? '')
    const pks = [...made.map(({ pk }) => pk), 'none', first?.pk ?? '', 'nul\0', '', '{},"']
    let found: (object | null)[] = []
    const statements = await statementsOf(store(), async () => {
      found = await Promise.all(pks.map(pk => store().get(books, pk)))
    })
    expect(found).toEqual([...made, null, first, null, null, null])
    expect(statements).toBeLessThan(5)
  })
})
