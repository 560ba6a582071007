// The application of this repository as its clients see it: resources and endpoints of all modules, derived from the definitions alone.

import { allModules } from '@plinth/test-kit/platform'
import type { SchemaOf } from 'plinth'
import { expect, expectTypeOf, test } from 'vitest'
import type platform from '../../../plinth.config.ts'
import type { FullRecord } from '../src/index.ts'

type Platform = SchemaOf<typeof platform>

test('the schema has the resources of every module', () => {
  type Known = keyof Platform['resources']
  const names = ['films', 'rentals', 'payments', 'clients', 'users', 'webhooks', 'apiKeys', 'friendships'] as const
  expectTypeOf<(typeof names)[number]>().toExtend<Known>()
  const published = allModules.flatMap(({ resources }) => resources).filter(({ internal }) => internal !== true)
  expect(published.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]))
})

test('fields of rental are typed', () => {
  type Film = FullRecord<Platform, 'films'>
  expectTypeOf<Film['title']>().toEqualTypeOf<string>()
  expectTypeOf<Film['replacementCost']>().toEqualTypeOf<number | null>()
  expectTypeOf<FullRecord<Platform, 'rentals'>['currency']>().toEqualTypeOf<string>()
})

test('the schema has the endpoints of rental, with their input and answers', () => {
  type Endpoints = Platform['endpoints']
  expectTypeOf<'submitOrders' | 'calculateOrder' | 'voidPayment' | 'countTakings'>().toExtend<keyof Endpoints>()
  expectTypeOf<Endpoints['submitOrders']['route']>().toEqualTypeOf<'POST /api/rest/order/orders'>()
  expectTypeOf<Endpoints['submitOrders']['answer']['totalCost']>().toEqualTypeOf<number>()
  expectTypeOf<Endpoints['describeStore']['answer']>().toEqualTypeOf<{
    readonly currency: string
    readonly timeZone: string
  }>()
  // @ts-expect-error: no such endpoint
  expectTypeOf<Endpoints['submitOrder']>().toBeAny()
})
