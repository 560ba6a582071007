import { describe, expect, test } from 'vitest'
import { defineResource, type ResourceOptions } from '../../model/define.ts'
import type { Field } from '../../model/field.ts'
import { choice, counted, integer, links, longText, many, map, ref, text } from '../../model/fields.ts'
import { createRegistry } from '../../model/registry.ts'
import type { Table } from './table.ts'
import { tablesOf } from './tables.ts'

const one = (name: string, fields: Record<string, Field>, options: Partial<ResourceOptions<typeof fields>> = {}) =>
  defineResource(name, { about: name, access: {}, stamps: 'none', ...options, fields })

const tableOf = (fields: Record<string, Field>, options: Parameters<typeof one>[2] = {}): Table => {
  const [table] = tablesOf(createRegistry([one('films', fields, options)]))
  if (!table) throw new Error('no table')
  return table
}

const indexNames = (table: Table): string[] => table.indexes.map(index => index.name)

test('values and references have columns, inverse relations and counts have none, links have a table', () => {
  const registry = createRegistry([
    one('films', {
      title: text(),
      sequelOf: ref('films'),
      sequels: many('films', { by: 'sequelOf' }),
      howMany: counted('sequels'),
    }),
    one('actors', { films: links('films') }),
  ])
  expect(tablesOf(registry).map(table => [table.name, ...table.columns.map(column => column.name)])).toEqual([
    ['films', 'pk', 'title', 'sequelOf', 'version'],
    ['actors', 'pk', 'version'],
    ['actors_films', 'owner', 'target'],
  ])
})

describe('indexes', () => {
  test.each([
    ['a plain field has none', text(), {}, []],
    ['an indexed field has one that ends in the pk', text({ indexed: true }), {}, ['plinth_i_films__m__pk']],
    ['a reference has one', ref('films'), {}, ['plinth_i_films__m__pk']],
    [
      'the label has one, and two for texts',
      text(),
      { label: 'm' },
      ['plinth_i_films__m__pk', 'plinth_c_films__m', 'plinth_t_films__m'],
    ],
    [
      'so has a text searched anywhere',
      text({ indexed: 'anywhere' }),
      {},
      ['plinth_i_films__m__pk', 'plinth_c_films__m', 'plinth_t_films__m'],
    ],
    ['an internal table has none of these', text(), { label: 'm', internal: true }, ['plinth_i_films__m__pk']],
    ['a unique field has a unique one', text({ unique: true }), {}, ['plinth_u_films__m']],
    [
      'unique and required gives order as well',
      text({ unique: true, required: true, indexed: true }),
      {},
      ['plinth_u_films__m'],
    ],
    [
      'unique and indexed has both where values may be absent',
      integer({ unique: true, indexed: true }),
      {},
      ['plinth_u_films__m', 'plinth_i_films__m__pk'],
    ],
    [
      'without regard to case it lies on the folded column',
      text({ unique: 'ignoreCase', indexed: true }),
      {},
      ['plinth_u_films__m_folded', 'plinth_i_films__m__pk'],
    ],
    [
      'groups have theirs',
      text(),
      { uniqueTogether: [['m', 'pk']], indexes: [['pk', 'm']] },
      ['plinth_u_films__m__pk', 'plinth_i_films__pk__m'],
    ],
    ['the same index twice is one', text({ indexed: true }), { indexes: [['m', 'pk']] }, ['plinth_i_films__m__pk']],
    ['text that may not fit into an index entry has none', longText({ indexed: true }), {}, []],
    ['a choice is as long as its longest word', choice(['a', 'bc'], { indexed: true }), {}, ['plinth_i_films__m__pk']],
    ['JSON has none', map({ indexed: true }), {}, []],
    [
      'a reference that only the service writes has one',
      ref('films', { serverOwned: true }),
      {},
      ['plinth_i_films__m__pk'],
    ],
  ] as const)('%s', (_, field, options, names) => {
    expect(indexNames(tableOf({ m: field }, options))).toEqual(names)
  })

  test('a reference has another in the order of the label, unless the table is internal', () => {
    const fields = { name: text(), of: ref('films'), by: ref('films', { serverOwned: true }) }
    const own = ['plinth_i_films__name__pk', 'plinth_i_films__of__pk', 'plinth_i_films__by__pk']
    expect(new Set(indexNames(tableOf(fields, { label: 'name' })))).toEqual(
      new Set([...own, 'plinth_i_films__of__name__pk', 'plinth_c_films__name', 'plinth_t_films__name']),
    )
    expect(indexNames(tableOf(fields, { label: 'name', internal: true }))).toEqual(own)
    const long = { ...fields, name: longText() }
    expect(indexNames(tableOf(long, { label: 'name' }))).toEqual(own.slice(1))
  })

  test('long names are cut to what PostgreSQL keeps, differ, and stay the same from start to start', () => {
    const long = 'aMemberWithAVeryLongNameThatGoesOnAndOnUntilTheEnd'
    const names = indexNames(tableOf({ [`${long}One`]: ref('films'), [`${long}Two`]: ref('films') }))
    expect(names.every(name => name.length <= 63)).toBe(true)
    expect(new Set(names).size).toBe(2)
    expect(names[0]).toBe('plinth_i_films__aMemberWithAVeryLongNameThatGoesOnAn_3524639fab')
  })
})

describe('definitions that make no sound tables', () => {
  test.each([
    [
      'names that differ only in case',
      { oneName: text(), onename: text() },
      "the column of films 'onename' is there twice, but for case",
    ],
    [
      'two fields with the same former name',
      { first: text({ renamedFrom: 'title' }), second: text({ renamedFrom: 'title' }) },
      "several claim to be the former column of films 'title'",
    ],
    ['names that PostgreSQL would cut', { [`a${'b'.repeat(63)}`]: text() }, 'has more than 63 characters'],
    [
      'a unique text that may not fit into an index entry',
      { m: longText({ unique: true }) },
      "films: m can be too long for an index; lower 'max' to 866 in all",
    ],
    ['unique JSON', { m: map({ unique: true }) }, 'films: m can be too long for an index'],
  ])('%s: the start stops', (_, fields, says) => {
    expect(() => tableOf(fields)).toThrow(says)
  })
})
