// Definitions as the compiler sees them. `tsc` checks this file: a line below that should not compile fails the build if it does.

import { expect, expectTypeOf, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import type { Field } from '../../src/core/model/field.ts'
import { json } from '../../src/core/model/fields/collection.ts'
import { listOf, refPart, structure } from '../../src/core/model/fields/structure.ts'
import {
  boolean,
  choice,
  counted,
  date,
  decimal,
  integer,
  links,
  longText,
  many,
  map,
  money,
  ref,
  secret,
  text,
  textList,
  timestamp,
  webLink,
} from '../../src/core/model/fields.ts'
import type { Row } from '../../src/core/model/row.ts'
import type { ResourceSchema } from '../../src/core/model/schema-of.ts'

const shared = { required: true, readble: "caller.has('ROLE_STAFF')" } as const
const staff = "caller.has('ROLE_STAFF')"

test('an unknown option does not compile, whatever other options are there', () => {
  const fields: Field[] = [
    // @ts-expect-error: readable
    text({ max: 200, readble: staff }),
    // @ts-expect-error: readable
    text({ readble: staff }),
    // @ts-expect-error: also when it comes with others
    text({ ...shared, max: 200 }),
    // @ts-expect-error: also in a value that was declared before
    text(shared),
    // @ts-expect-error: required
    longText({ requried: true, max: 3 }),
    // @ts-expect-error: min
    secret({ max: 3, mim: 1 }),
    // @ts-expect-error: a web link has its own pattern
    webLink({ title: 'Home', pattern: { is: /x/, says: 'x' } }),
    // @ts-expect-error: unique
    integer({ min: 1, uniqe: true }),
    // @ts-expect-error: scale
    decimal({ scale: 2, scales: 2 }),
    // @ts-expect-error: whole numbers have no scale
    integer({ min: 1, scale: 2 }),
    // @ts-expect-error: scale
    money({ scal: 2, min: 0 }),
    // @ts-expect-error: writable
    boolean({ title: 'Open', writeable: staff }),
    // @ts-expect-error: aliases
    choice(['a', 'b'], { default: 'a', alias: {} }),
    // @ts-expect-error: indexed
    date({ title: 'Day', index: true }),
    // @ts-expect-error: indexed
    timestamp({ title: 'Moment', index: true }),
    // @ts-expect-error: maxItems
    textList({ max: 3, maxItem: 3 }),
    // @ts-expect-error: maxEntries
    map({ title: 'Notes', maxItems: 3 }),
    // @ts-expect-error: maxLength
    json({ title: 'Anything', max: 3 }),
    // @ts-expect-error: onDelete
    ref('countries', { required: true, ondelete: 'cascade' }),
    // @ts-expect-error: the other side says what is required
    many('books', { by: 'author', required: true }),
    // @ts-expect-error: links are no column that could be unique
    links('authors', { embed: true, unique: true }),
    // @ts-expect-error: a count is never written
    counted('books', { title: 'Books', fixed: true }),
    // @ts-expect-error: identity
    structure({ street: text() }, { identity: 'street', identiy: 'street' }),
    // @ts-expect-error: maxItems
    listOf({ street: text() }, { identity: 'street', max: 3 }),
    // @ts-expect-error: a part is not deleted by itself
    refPart('postalCodes', { required: true, onDelete: 'clear' }),
  ]
  expect(fields).toHaveLength(25)
})

test('a default is a value of the field, or a function that makes one', () => {
  const wrong: Field[] = [
    // @ts-expect-error: a number
    integer({ default: 'none' }),
    // @ts-expect-error: a number
    integer({ default: () => 'none' }),
    // @ts-expect-error: one of the choices
    choice(['a', 'b'], { default: 'c' }),
    // @ts-expect-error: one of the choices
    choice(['a', 'b'], { aliases: { x: 'c' } }),
    // @ts-expect-error: a text
    text({ default: 1 }),
    // @ts-expect-error: a text
    text({ default: null }),
    // @ts-expect-error: true or false
    boolean({ default: 'true' }),
    // @ts-expect-error: a list
    textList({ default: 'a' }),
    // @ts-expect-error: texts
    map({ default: { a: 1 } }),
    // @ts-expect-error: a text, in UTC
    timestamp({ default: new Date() }),
    // @ts-expect-error: a pk
    ref('countries', { default: 7 }),
    // @ts-expect-error: the parts
    structure({ street: text() }, { identity: 'street', default: { town: 'x' } }),
  ]
  const right: Field[] = [
    integer({ default: 1 }),
    integer({ default: () => 1 }),
    choice(['a', 'b'], { default: 'b', aliases: { x: 'a' } }),
    text({ default: 'x', required: true }),
    textList({ default: ['a'] }),
    map({ default: {} }),
    timestamp({ default: () => new Date().toISOString() }),
    ref('countries', { default: 'GR' }),
    listOf({ street: text() }, { identity: 'street', default: [] }),
  ]
  expect([wrong.length, right.length]).toEqual([12, 9])
})

test('a state machine knows its states, and the types of clients its steps', () => {
  const wrong: Field[] = [
    // @ts-expect-error: a state
    choice(['a', 'b'], { transitions: { a: ['c'] } }),
    // @ts-expect-error: a state
    choice(['a', 'b'], { transitions: { a: ['b'], c: ['a'] } }),
    // @ts-expect-error: a state
    choice(['a', 'b'], { transitions: { a: ['b'] }, initial: ['c'] }),
  ]
  expect(wrong).toHaveLength(3)
  const repairs = defineResource('repairs', {
    about: 'Repairs.',
    fields: {
      state: choice(['new', 'done', 'lost'], { transitions: { new: ['done', 'lost'], done: [] } }),
      payment: choice(['open', 'paid'], { initial: ['open', 'paid'], transitions: { open: ['paid'] } }),
    },
    access: {},
  })
  type Repair = ResourceSchema<typeof repairs>
  expectTypeOf<Row<typeof repairs>['state']>().toEqualTypeOf<'new' | 'done' | 'lost'>()
  expectTypeOf<Repair['values']['state']>().toEqualTypeOf<'new' | 'done' | 'lost'>()
  expectTypeOf<Repair['create']['state']>().toEqualTypeOf<'new' | undefined>()
  expectTypeOf<Repair['create']['payment']>().toEqualTypeOf<'open' | 'paid' | undefined>()
  expectTypeOf<Repair['steps']['state']>().toEqualTypeOf<{ readonly new: 'done' | 'lost'; readonly done: never }>()
  expectTypeOf<keyof Repair['steps']>().toEqualTypeOf<'state' | 'payment'>()
})

test('a record has the types of its fields', () => {
  const books = defineResource('books', {
    about: 'Books.',
    label: 'title',
    fields: {
      title: text({ required: true, max: 200 }),
      subtitle: text(),
      pages: integer({ default: 1 }),
      binding: choice(['hardcover', 'paperback'], { default: 'paperback', title: 'Binding' }),
      price: money({ scale: 3 }),
      tags: textList({ required: true }),
      author: ref('authors', { required: true, onDelete: 'cascade' }),
      shelf: ref('shelves'),
    },
    access: {},
  })
  type Book = Row<typeof books>
  expectTypeOf<Book['title']>().toEqualTypeOf<string>()
  expectTypeOf<Book['subtitle']>().toEqualTypeOf<string | null>()
  expectTypeOf<Book['pages']>().toEqualTypeOf<number>()
  expectTypeOf<Book['binding']>().toEqualTypeOf<'hardcover' | 'paperback'>()
  expectTypeOf<Book['price']>().toEqualTypeOf<number | null>()
  expectTypeOf<Book['tags']>().toEqualTypeOf<readonly string[]>()
  expectTypeOf<Book['author']>().toEqualTypeOf<{ readonly pk: string; readonly label: string | null }>()
  expectTypeOf<Book['shelf']>().toEqualTypeOf<{ readonly pk: string; readonly label: string | null } | null>()
})

test('a definition has no options and no operations but the known ones', () => {
  const fields = { title: text() }
  const definitions = [
    // @ts-expect-error: label
    defineResource('books', { about: 'Books.', labl: 'title', fields, access: {} }),
    // @ts-expect-error: read
    defineResource('books', { about: 'Books.', fields, access: { raed: 'true' } }),
    // @ts-expect-error: title
    defineResource('books', { about: 'Books.', label: 'titel', fields, access: {} }),
  ]
  expect(definitions).toHaveLength(3)
})
