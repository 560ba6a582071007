// Pages of the records of a moment are read in the order of an index: as many rows as the page has, however many records there are.

import { everyThird } from '@plinth/test-kit/extent'
import { describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { integer, text, timestamp } from '../../src/core/model/fields.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import type { Query } from '../../src/core/model/query.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import { dialects } from './databases.ts'
import { pathTo, queryOf, sortBy } from './films.ts'
import { recordStatements } from './recorded.ts'

const registry = createRegistry([
  defineResource('notes', {
    about: 'For tests.',
    access: {},
    stamps: 'none',
    identifier: assigned(),
    history: true,
    label: 'title',
    fields: {
      title: text({ required: true }),
      topic: text({ indexed: true }),
      pages: integer(),
      read: timestamp({ activity: true }),
    },
  }),
])
const notes = registry.resource('notes')

const count = 3000
const padded = (at: number) => String(at).padStart(4, '0')
const pkOf = (at: number) => `n${padded(at)}`
const valuesOf = (at: number) => ({
  title: `Note ${padded(count - at)}`,
  topic: at % 4 === 0 ? null : `Topic ${at % 7}`,
  pages: at % 5,
})

/** What was there then, in the order of the keys. */
const then = Array.from({ length: count }, (_, at) => ({ pk: pkOf(at), ...valuesOf(at) }))

describe.each(dialects)('on %s', dialect => {
  let moment = ''
  const recorded = recordStatements(
    dialect,
    async tx => {
      await tx.insertAll(
        notes,
        then.map((_, at) => ({ pk: pkOf(at), values: valuesOf(at) })),
      )
      moment = new Date().toISOString()
      while (new Date().toISOString() === moment) await new Promise(resolve => setImmediate(resolve))
      for (let at = 0; at < count; at += 100) {
        await tx.update(notes, pkOf(at), { title: `Changed ${at}`, topic: 'Changed', pages: 9 })
        await tx.update(notes, pkOf(at), { title: `Changed again ${at}` })
        await tx.remove(notes, pkOf(at + 1))
        await tx.insert(notes, `later${at}`, { title: `Later ${at}` })
      }
    },
    registry,
  )
  const find = async (parts: Partial<Query>) => {
    recorded().sent()
    const source = { kind: 'asOf', moment } as const
    const { records, ...page } = await recorded().reader.find(notes, queryOf(notes, { source, ...parts }))
    return { ...page, pks: records.map(({ pk }) => pk) }
  }

  test.each(everyThird([['title'], ['-title'], ['topic'], ['-topic'], ['pk']]))(
    'sorted by %s, they are right',
    async key => {
      const isDown = key.startsWith('-')
      const name = key.replace('-', '') as 'title' | 'topic' | 'pk'
      const sort = (name === 'pk' ? sortBy(notes) : sortBy(notes, name)).map(one => ({ ...one, descending: isDown }))
      const keyOf = (note: (typeof then)[number]) => `${note[name] ?? ''} ${note.pk}`
      const ordered = then.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      if (isDown) ordered.reverse()
      const pks = ordered.map(({ pk }) => pk)
      for (const offset of [0, 90, 740, 1490, 2990]) {
        const window = { kind: 'offset', offset, limit: 20 } as const
        expect((await find({ sort, window })).pks, `from ${offset}`).toEqual(pks.slice(offset, offset + 20))
      }
      for (const at of [0, 99, 749, 750, 1500]) {
        const note = ordered[at]
        const values = name === 'pk' ? [note?.pk] : [note?.[name] ?? null, note?.pk]
        const after = await find({ sort, window: { kind: 'after', values, limit: 20 } })
        expect(after.pks, `after ${at}`).toEqual(pks.slice(at + 1, at + 21))
        const before = await find({ sort, window: { kind: 'before', values, limit: 20 } })
        expect(before.pks, `before ${at}`).toEqual(pks.slice(Math.max(0, at - 20), at))
      }
    },
  )

  test('what the history does not hold, or a search by another field, is no obstacle', async () => {
    const absent = { op: 'null', path: pathTo(notes, 'read'), isNull: true } as const
    const late = { op: 'gt', path: pathTo(notes, 'read'), value: '2020-01-01T00:00:00.000Z' } as const
    const long = { op: 'eq', path: pathTo(notes, 'pages'), value: 4 } as const
    const sort = sortBy(notes, 'title')
    const window = { kind: 'offset', offset: 0, limit: 5 } as const
    expect((await find({ filter: absent, sort, window })).total).toBe(count)
    expect((await find({ filter: late, sort, window })).total).toBe(0)
    expect((await find({ filter: long, sort, window })).pks).toEqual([2999, 2994, 2989, 2984, 2979].map(pkOf))
  })

  // SQLite reads both parts of a union in the order of an index by itself.
  const measured = dialect === 'postgres' ? [['title'], ['topic'], ['pk']] : []
  test.each(everyThird(measured))('sorted by %s, they are found in an index', async key => {
    const sort = key === 'pk' ? sortBy(notes) : sortBy(notes, key)
    for (const window of [
      { kind: 'offset', offset: 0, limit: 20 },
      { kind: 'after', values: key === 'pk' ? ['n0500'] : ['T', 'n0500'], limit: 20 },
    ] as const) {
      await find({ sort, window, total: 'none' })
      expect(await recorded().visits(), window.kind).toBeLessThan(count / 4)
    }
  })
})
