import { beforeEach, describe, expect, test } from 'vitest'
import type { Filter } from '../../src/core/model/query.ts'
import type { Transaction } from '../../src/core/model/transaction.ts'
import { Problem } from '../../src/core/problem.ts'
import type { ProblemCode } from '../../src/core/problem-types.ts'
import { onEachDatabase } from './databases.ts'
import { actors, films, pathTo, registry, reviews, studios } from './films.ts'

const problem = async (work: Promise<unknown>): Promise<Problem> => {
  const error = await work.then(
    () => new Error('it was accepted'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Problem)) throw error
  return error
}

onEachDatabase(registry, store => {
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => store().transaction(work)

  beforeEach(() =>
    inTransaction(async tx => {
      const all: Filter = { op: 'const', value: true }
      for (const resource of [reviews, films, actors]) await tx.removeWhere(resource, all)
      await tx.removeWhere(studios, all)
      await tx.insert(studios, 'ghibli', { name: 'Ghibli' })
      await tx.insert(actors, 'a', { name: 'Ann' })
      await tx.insert(actors, 'b', { name: 'Bob' })
    }),
  )

  describe('insert', () => {
    test('gives the record as get would show it', async () => {
      const made = await inTransaction(tx =>
        tx.insert(films, '1', { title: 'Totoro', studio: 'ghibli', actors: ['b', 'a'], tags: ['x'] }),
      )
      expect(made).toEqual(await store().get(films, '1'))
      expect(made).toMatchObject({
        version: 1,
        studio: { label: 'Ghibli' },
        actors: [{ label: 'Ann' }, { label: 'Bob' }],
      })
    })

    test('alone, costs PostgreSQL one statement and gives the record under its link filters', async () => {
      const before = store().statements
      const linkFilters = new Map([['studio', false]] as const)
      const made = await store().single.insert(films, '1', { title: 'Totoro', studio: 'ghibli' }, { linkFilters })
      expect(store().statements - before).toBe(store().database === 'postgres' ? 1 : 2)
      expect(made).toMatchObject({ title: 'Totoro', studio: { pk: 'ghibli', label: null }, actors: [] })
      expect(await store().get(films, '1', { linkFilters })).toEqual(made)
    })

    test('alone, with links, writes both', async () => {
      const made = await store().single.insert(films, '1', { title: 'Totoro', actors: ['a'] })
      expect(made.actors).toEqual([{ pk: 'a', label: 'Ann' }])
    })

    test('shows a record that refers to itself with its own label', async () => {
      const made = await store().single.insert(studios, 's', { name: 'Self', owner: 's' })
      expect(made.owner).toEqual({ pk: 's', label: 'Self' })
    })
  })

  describe('insertAll', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ pk: `f${at}`, values: { title: `Film ${at}`, minutes: at } }))

    test('writes what insert would, in a statement for each hundred', async () => {
      const before = store().statements
      await inTransaction(tx => tx.insertAll(films, many(230)))
      // Besides the statements themselves, one for each of them that tells of the change.
      expect(store().statements - before).toBeLessThan(12)
      expect(await store().count(films, null)).toBe(230)
      expect(await store().get(films, 'f229')).toMatchObject({
        title: 'Film 229',
        minutes: 229,
        version: 1,
        actors: [],
      })
      const values = {
        title: 'Totoro',
        studio: 'ghibli',
        actors: ['b', 'a'],
        tags: ['x'],
        notes: { a: 'b' },
        code: 'ÄB',
      }
      await inTransaction(tx =>
        tx.insertAll(films, [
          { pk: '1', values },
          { pk: '2', values: {} },
        ]),
      )
      const { code: _, ...others } = values
      await inTransaction(tx => tx.insert(films, '3', { ...others, code: 'other' }))
      const [first, third] = [await store().get(films, '1'), await store().get(films, '3')]
      expect({ ...first, pk: '3', code: 'other' }).toEqual(third)
      expect((await problem(inTransaction(tx => tx.insert(films, '4', { code: 'äb' })))).code).toBe('taken')
    })

    test('of nothing does nothing, and of one that is refused writes none', async () => {
      await inTransaction(tx => tx.insertAll(films, []))
      const twice = [...many(150), { pk: 'f3', values: {} }]
      expect((await problem(inTransaction(tx => tx.insertAll(films, twice)))).code).toBe('taken')
      const lost = [...many(3), { pk: 'x', values: { studio: 'nowhere' } }]
      expect((await problem(inTransaction(tx => tx.insertAll(films, lost)))).code).toBe('unprocessable')
      expect(await store().count(films, null)).toBe(0)
    })
  })

  describe('update', () => {
    beforeEach(() => inTransaction(tx => tx.insert(films, '1', { title: 'Totoro', minutes: 86, actors: ['a'] })))

    test('writes the given fields only and raises the version', async () => {
      const updated = await inTransaction(tx => tx.update(films, '1', { minutes: null, studio: 'ghibli' }))
      expect(updated).toMatchObject({
        title: 'Totoro',
        minutes: null,
        version: 2,
        studio: { label: 'Ghibli' },
        actors: [{ pk: 'a' }],
      })
      expect(await store().get(films, '1')).toEqual(updated)
    })

    test('with links alone replaces them and raises the version', async () => {
      const updated = await inTransaction(tx => tx.update(films, '1', { actors: ['b'] }))
      expect(updated).toMatchObject({ version: 2, actors: [{ pk: 'b', label: 'Bob' }] })
      expect(await inTransaction(tx => tx.update(films, '1', { actors: [] }))).toMatchObject({ version: 3, actors: [] })
    })

    test('of no record is null', async () => {
      expect(await inTransaction(tx => tx.update(films, 'none', { title: 'x', actors: ['a'] }))).toBeNull()
      const visible: Filter = { op: 'const', value: false }
      expect(await inTransaction(tx => tx.update(films, '1', { title: 'x' }, { visible }))).toBeNull()
    })

    test('keeps the folded companion in step', async () => {
      await inTransaction(tx => tx.update(films, '1', { code: 'ÄB' }))
      await inTransaction(tx => tx.update(films, '1', { code: 'CD' }))
      await inTransaction(tx => tx.insert(films, '2', { code: 'äb' }))
      expect((await problem(inTransaction(tx => tx.update(films, '2', { code: 'cd' })))).code).toBe('taken')
    })

    test('of a record that refers to itself shows its new label', async () => {
      await inTransaction(tx => tx.insert(studios, 's', { name: 'Old', owner: 's' }))
      const updated = await inTransaction(tx => tx.update(studios, 's', { name: 'New' }))
      expect(updated?.owner).toEqual({ pk: 's', label: 'New' })
    })
  })

  describe('refusals', () => {
    beforeEach(() =>
      inTransaction(async tx => {
        await tx.insert(films, '1', { title: 'Totoro', code: 'ΟΔΟΣ', vault: 'x', studio: 'ghibli' })
      }),
    )

    const refused: [string, (tx: Transaction) => Promise<unknown>, ProblemCode, string[]][] = [
      ['a taken pk', tx => tx.insert(films, '1', {}), 'taken', ['/pk']],
      ['a taken value', tx => tx.insert(studios, 's', { name: 'Ghibli' }), 'taken', ['/name']],
      ['a value taken but for its case', tx => tx.insert(films, '2', { code: 'οδος' }), 'taken', ['/code']],
      [
        'values taken together',
        tx => tx.insert(films, '2', { title: 'Totoro', vault: 'x' }),
        'taken',
        ['/title', '/vault'],
      ],
      ['a reference to nothing', tx => tx.insert(films, '2', { studio: 'none' }), 'unprocessable', ['/studio']],
      ['an update to nothing', tx => tx.update(films, '1', { studio: 'none' }), 'unprocessable', ['/studio']],
      ['a link to nothing', tx => tx.insert(films, '2', { actors: ['a', 'none'] }), 'unprocessable', ['/actors']],
      ['a new link to nothing', tx => tx.update(films, '1', { actors: ['none'] }), 'unprocessable', ['/actors']],
      ['an absent required value', tx => tx.insert(reviews, 'r', { film: '1' }), 'invalid', ['/stars']],
      ['a cleared required value', tx => tx.update(studios, 'ghibli', { name: null }), 'invalid', ['/name']],
    ]

    test.each(refused)('%s is a problem that names the field', async (_, work, code, pointers) => {
      const refusal = await problem(inTransaction(work))
      expect(refusal.code).toBe(code)
      expect(refusal.details.errors?.map(fault => fault.pointer)).toEqual(pointers)
    })

    test('outside a transaction is the same problem', async () => {
      const refusal = await problem(store().single.insert(films, '2', { studio: 'none', actors: [] }))
      expect(refusal.details.errors).toEqual([
        {
          pointer: '/studio',
          member: 'studio',
          message: 'does not exist in studios',
          code: 'missing',
          params: { resource: 'studios' },
        },
      ])
    })

    test('of a deletion names who still refers', async () => {
      const refusal = await problem(inTransaction(tx => tx.remove(studios, 'ghibli')))
      expect(refusal.code).toBe('referenced')
      expect(refusal.message).toBe('Records of films still refer to this one.')
      expect(await store().get(studios, 'ghibli')).not.toBeNull()
    })

    test('fails the transaction even when the work goes on', async () => {
      const work = inTransaction(async tx => {
        await tx.insert(films, '2', {})
        await tx.insert(films, '1', {}).catch(() => {})
      })
      await expect(work).rejects.toThrow()
      expect(await store().get(films, '2')).toBeNull()
    })
  })

  describe('remove', () => {
    test('takes away what belongs to the record and clears what points to it', async () => {
      await inTransaction(async tx => {
        await tx.insert(studios, 's', { name: 'Sub', owner: 'ghibli' })
        await tx.insert(films, '1', { actors: ['a'] })
        await tx.insert(reviews, 'r', { stars: 1, film: '1' })
      })
      expect(await inTransaction(tx => tx.remove(films, '1'))).toBe(true)
      expect(await inTransaction(tx => tx.remove(studios, 'ghibli'))).toBe(true)
      expect(await store().get(reviews, 'r')).toBeNull()
      expect(await store().get(studios, 's')).toMatchObject({ owner: null })
      expect(await inTransaction(tx => tx.remove(films, '1'))).toBe(false)
    })

    test('of all that match answers how many', async () => {
      await inTransaction(async tx => {
        await tx.insert(films, '1', { studio: 'ghibli' })
        await tx.insert(films, '2', { studio: 'ghibli' })
        await tx.insert(films, '3', {})
      })
      const ofGhibli: Filter = { op: 'eq', path: pathTo(films, 'studio.name'), value: 'Ghibli' }
      expect(await inTransaction(tx => tx.removeWhere(films, ofGhibli))).toBe(2)
      expect(await store().count(films, null)).toBe(1)
    })
  })

  describe('links', () => {
    beforeEach(() =>
      inTransaction(async tx => {
        await tx.insert(films, '1', { actors: ['a'] })
        await tx.insert(films, '2', {})
      }),
    )

    test('are added and removed, which changes the record', async () => {
      await inTransaction(tx => tx.update(films, '1', { actors: ['a', 'b', 'b'] }))
      expect(await store().get(films, '1')).toMatchObject({ actors: [{ pk: 'a' }, { pk: 'b' }], version: 2 })
      await inTransaction(tx => tx.update(films, '1', { actors: ['b'] }))
      expect(await store().get(films, '1')).toMatchObject({ actors: [{ pk: 'b' }], version: 3 })
    })
  })

  describe('transactions', () => {
    test('are all or nothing', async () => {
      const work = inTransaction(async tx => {
        await tx.insert(films, '1', {})
        expect(await tx.get(films, '1')).not.toBeNull()
        throw new Error('changed my mind')
      })
      await expect(work).rejects.toThrow('changed my mind')
      expect(await store().get(films, '1')).toBeNull()
    })

    test('are not seen by others before they end', async () => {
      const seen: unknown[] = []
      await inTransaction(async tx => {
        await tx.insert(films, '1', {})
        seen.push(await store().get(films, '1'))
      })
      seen.push(await store().get(films, '1'))
      expect(seen).toEqual([null, expect.objectContaining({ pk: '1' })])
    })

    test('that hold a record take turns', async () => {
      await inTransaction(tx => tx.insert(films, '1', { minutes: 0 }))
      const raise = () =>
        inTransaction(async tx => {
          const film = await tx.lock(films, '1')
          await tx.update(films, '1', { minutes: Number(film?.minutes) + 1 })
        })
      await Promise.all(Array.from({ length: 20 }, raise))
      expect(await store().get(films, '1')).toMatchObject({ minutes: 20, version: 21 })
    })

    test('go on after an attempt that failed, without what it wrote', async () => {
      await inTransaction(async tx => {
        await tx.insert(films, '1', { studio: 'ghibli' })
        const refused = tx.attempt(async () => {
          await tx.insert(films, '2', {})
          await tx.insert(films, '3', { studio: 'nowhere' })
        })
        expect((await problem(refused)).details.errors).toMatchObject([{ member: 'studio' }])
        const outer = tx.attempt(async () => {
          await tx.insert(films, '4', {})
          await problem(tx.attempt(() => tx.insert(films, '1', {})))
          await tx.insert(films, '5', {})
          throw new Problem('conflict', 'changed my mind')
        })
        expect((await problem(outer)).message).toBe('changed my mind')
        expect(await tx.attempt(() => tx.insert(films, '6', {}))).toMatchObject({ pk: '6' })
      })
      expect(await Promise.all(['1', '2', '3', '4', '5', '6'].map(pk => store().get(films, pk)))).toEqual([
        ...[expect.objectContaining({ pk: '1' }), null, null, null, null, expect.objectContaining({ pk: '6' })],
      ])
    })

    test('fail when a statement failed inside of an attempt that hid it', async () => {
      await inTransaction(async tx => {
        const hiding = tx.attempt(async () => {
          await tx.insert(films, '1', {})
          await tx.insert(films, '2', { studio: 'nowhere' }).catch(() => {})
        })
        await expect(hiding).rejects.toThrow(/foreign key/i)
      })
      expect(await store().count(films, null)).toBe(0)
    })

    test('that are long are all or nothing too, and others write after them', async () => {
      const long = (work: (tx: Transaction) => Promise<unknown>) =>
        store().transaction(work, undefined, { isLong: true })
      const insert = (pk: string) => store().single.insert(films, pk, {})
      await Promise.all([insert('1'), long(tx => tx.insert(films, '2', {})), insert('3')])
      const failed = long(async tx => {
        await tx.insert(films, '4', {})
        throw new Error('changed my mind')
      })
      await expect(failed).rejects.toThrow('changed my mind')
      await insert('5')
      expect(await store().count(films, null)).toBe(4)
    })

    test('that fail do not take along those that wait beside them', async () => {
      const results = await Promise.allSettled(
        ['1', '2', '1', '3'].map(pk => store().single.insert(films, pk, { title: pk })),
      )
      expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(3)
      expect(await store().count(films, null)).toBe(3)
    })
  })
})
