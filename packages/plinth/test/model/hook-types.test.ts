// Hooks as the compiler sees them: typed by the fields of their resource, also where they name the resource itself.

import {
  boolean,
  defineResource,
  extendResource,
  type HookContextOf,
  integer,
  type Link,
  type Row,
  ref,
  type TransactionRecords,
  text,
  users,
} from 'plinth'
import { expect, expectTypeOf, test } from 'vitest'

const loans = defineResource('loans', {
  about: 'Who has which book.',
  fields: {
    title: text({ required: true }),
    borrower: ref('users', { serverOwned: true }),
    days: integer({ default: 21 }),
    returned: boolean(),
  },
  access: {},
  hooks: {
    beforeCreate: ({ values, before, records, caller, now }) => {
      expectTypeOf(values.title).toEqualTypeOf<string>()
      expectTypeOf(values.days).toEqualTypeOf<number | null | undefined>()
      expectTypeOf(before).toEqualTypeOf<null>()
      expectTypeOf(records).toEqualTypeOf<TransactionRecords>()
      values.borrower = caller.pk
      values.days = now.getUTCDay()
      // @ts-expect-error: a number of days
      values.days = 'many'
      // @ts-expect-error: no such field
      values.titel = 'Emma'
    },
    afterCreate: async ({ record, records }) => {
      expectTypeOf(record.borrower).toEqualTypeOf<Link | null>()
      expectTypeOf(record.days).toEqualTypeOf<number>()
      // The resource itself, in a block.
      const all = await records.find(loans, { where: { title: record.title } })
      expectTypeOf(all[0]?.title).toEqualTypeOf<string | undefined>()
      await remember(record)
    },
    beforeUpdate: ({ values, before }) => {
      expectTypeOf(before.title).toEqualTypeOf<string>()
      expectTypeOf(values.title).toEqualTypeOf<string | undefined>()
      if (values.returned && !before.returned) values.days = 0
    },
    afterUpdate: async context => {
      await follow(context)
    },
    beforeDelete: ({ before }) => {
      expectTypeOf(before.title).toEqualTypeOf<string>()
    },
    // @ts-expect-error: nothing is written
    afterDelete: ({ values }) => values,
    afterRestore: ({ record }) => {
      expectTypeOf(record.version).toEqualTypeOf<number>()
    },
  },
})

const remembered: string[] = []
const remember = async ({ title }: Row<typeof loans>): Promise<void> => void remembered.push(title)

const follow = async ({ before, record }: HookContextOf<typeof loans, 'afterUpdate'>): Promise<void> => {
  expectTypeOf(record).toEqualTypeOf(before)
  await remember(record)
}

test('the type of a resource does not depend on its hooks', () => {
  expectTypeOf<Row<typeof loans>['title']>().toEqualTypeOf<string>()
  expect(remembered).toEqual([])
})

test('hooks of an extension know the fields of the resource and those that are added', () => {
  const customers = extendResource(users, {
    fields: { points: integer({ default: 0 }) },
    hooks: {
      beforeUpdate: ({ before, values }) => {
        expectTypeOf(before.username).toEqualTypeOf<string>()
        expectTypeOf(before.points).toEqualTypeOf<number>()
        values.points = 1
        // @ts-expect-error: points are numbers
        values.points = 'one'
      },
    },
  })
  expect(customers.name).toBe('users')
})

test('a hook of another name does not compile', () => {
  const notes = defineResource('notes', {
    about: 'Notes.',
    fields: { title: text() },
    access: {},
    // @ts-expect-error: beforeCreate
    hooks: { beforCreate: () => {} },
  })
  expect(notes.name).toBe('notes')
})
