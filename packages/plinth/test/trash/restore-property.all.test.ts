// After any deletions, restorations and writes in between, what is restored is as it was: with all that went with it, its links
// and references to it.

import { runsAll } from '@plinth/test-kit/extent'
import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { decimal, links, map, ref, text } from '../../src/core/model/fields.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import { everything } from '../../src/core/model/query.ts'
import type { StoredRecord } from '../../src/core/model/record.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Store } from '../../src/core/store/store.ts'
import { onEachDatabase } from '../store/databases.ts'

const common = { about: 'Of the test.', identifier: assigned(), access: {}, stamps: 'none' } as const

/** Cascades of several levels, from two sides and in a circle; cleared and refused references, links. */
const registry = createRegistry([
  defineResource('houses', {
    ...common,
    trash: true,
    history: true,
    fields: { name: text({ unique: 'ignoreCase' }), main: ref('rooms', { onDelete: 'clear' }) },
  }),
  defineResource('rooms', {
    ...common,
    trash: true,
    fields: {
      house: ref('houses', { required: true, onDelete: 'cascade' }),
      size: decimal({ scale: 2 }),
      notes: map(),
      people: links('people', { embed: true }),
    },
  }),
  defineResource('things', {
    ...common,
    trash: true,
    history: true,
    fields: {
      room: ref('rooms', { onDelete: 'cascade' }),
      inside: ref('things', { onDelete: 'cascade' }),
      owner: ref('people', { onDelete: 'clear' }),
      maker: ref('people'),
    },
  }),
  defineResource('people', { ...common, trash: true, fields: { home: ref('houses', { onDelete: 'clear' }) } }),
  defineResource('leases', {
    ...common,
    fields: {
      room: ref('rooms', { required: true, onDelete: 'cascade' }),
      tenant: ref('people', { required: true, onDelete: 'cascade' }),
    },
  }),
])

const names = ['people', 'houses', 'rooms', 'things', 'leases'] as const
const rootNames = ['houses', 'rooms', 'things', 'people'] as const

const pk = (prefix: string, count: number) => fc.integer({ min: 0, max: count - 1 }).map(number => `${prefix}${number}`)
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })

const worlds = fc.record({
  people: fc.array(fc.record({ home: maybe(pk('h', 2)) }), { minLength: 3, maxLength: 3 }),
  mains: fc.array(maybe(pk('r', 3)), { minLength: 2, maxLength: 2 }),
  rooms: fc.array(
    fc.record({
      house: pk('h', 2),
      size: maybe(fc.constantFrom(1250, -1)),
      notes: fc.constantFrom(null, { kind: 'ünïcode' }),
      people: fc.uniqueArray(pk('p', 3), { maxLength: 3 }),
    }),
    { minLength: 3, maxLength: 3 },
  ),
  things: fc.array(
    fc.record({
      room: maybe(pk('r', 3)),
      inside: maybe(pk('t', 4)),
      owner: maybe(pk('p', 3)),
      maker: fc.option(pk('p', 3), { nil: null, freq: 1 }),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  leases: fc.array(fc.record({ room: pk('r', 3), tenant: pk('p', 3) }), { maxLength: 3 }),
})

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('delete' as const),
        name: fc.constantFrom(...rootNames),
        number: fc.nat(2),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), which: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize' as const), room: pk('r', 3), size: fc.nat(9) }) },
  ),
  { minLength: 3, maxLength: 10 },
)

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never

const resourceOf = (name: string) => registry.resource(name)

const fill = (store: Store, world: World): Promise<void> =>
  store.transaction(async tx => {
    for (const name of [...names].reverse()) {
      const resource = resourceOf(name)
      if (name === 'houses')
        for (const { pk: house } of (await tx.find(resource, everything(resource))).records)
          await tx.update(resource, house, { main: null })
      await tx.removeWhere(resource, { op: 'const', value: true })
    }
    for (const at of world.mains.keys()) await tx.insert(resourceOf('houses'), `h${at}`, { name: `House ${at}` })
    for (const [at, values] of world.people.entries()) await tx.insert(resourceOf('people'), `p${at}`, values)
    for (const [at, values] of world.rooms.entries()) await tx.insert(resourceOf('rooms'), `r${at}`, values)
    for (const [at, { inside: _, ...values }] of world.things.entries())
      await tx.insert(resourceOf('things'), `t${at}`, values)
    // Things lie in earlier ones, and some in themselves.
    for (const [at, { inside }] of world.things.entries())
      if (inside !== null && inside <= `t${at}`) await tx.update(resourceOf('things'), `t${at}`, { inside })
    for (const [at, values] of world.leases.entries()) await tx.insert(resourceOf('leases'), `l${at}`, values)
    for (const [at, main] of world.mains.entries()) await tx.update(resourceOf('houses'), `h${at}`, { main })
  })

type State = Record<string, readonly StoredRecord[]>

const stateOf = async (store: Store): Promise<State> => {
  const state: State = {}
  for (const name of names) state[name] = (await store.find(resourceOf(name), everything(resourceOf(name)))).records
  return state
}

const resized = (state: State, room: string, size: number): State => ({
  ...state,
  rooms: (state.rooms ?? []).map(one => (one.pk === room ? { ...one, size, version: one.version + 1 } : one)),
})

const refused = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    const done = await work
    return done === false || done === null
  } catch (error) {
    if (!(error instanceof Problem && error.status === 409)) throw error
    return true
  }
}

/** A thing in a thing in a room, inside of another that is deleted later. */
const nested: World = {
  people: [{ home: null }, { home: null }, { home: null }],
  mains: [null, null],
  rooms: Array.from({ length: 3 }, () => ({ house: 'h0', size: null, notes: null, people: [] })),
  things: [
    { room: null, inside: null, owner: null, maker: null },
    { room: null, inside: null, owner: null, maker: null },
    { room: 'r2', inside: 't1', owner: null, maker: null },
    { room: null, inside: 't2', owner: null, maker: null },
  ],
  leases: [],
}
/** An odd number: restored in the order of the deletions. */
const deletedOneByOne: Steps = [
  { kind: 'delete', name: 'rooms', number: 2 },
  { kind: 'delete', name: 'houses', number: 1 },
  { kind: 'delete', name: 'things', number: 1 },
]

type DeletedRecord = readonly [name: string, pk: string]

onEachDatabase(registry, storeOf => {
  const restore = ([name, root]: DeletedRecord) =>
    refused(storeOf().transaction(tx => tx.restore(resourceOf(name), root)))

  /** Restores all records in rounds: some can be restored only after others. */
  const restoreAll = async (deleted: DeletedRecord[]): Promise<void> => {
    while (deleted.length > 0) {
      const count = deleted.length
      for (const one of deleted.splice(0)) if (await restore(one)) deleted.push(one)
      expect(deleted.length, `nothing of ${JSON.stringify(deleted)} can be restored`).toBeLessThan(count)
    }
  }

  test('all is as it was', { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(worlds, steps, async (world, taken) => {
      const store = storeOf()
      await fill(store, world)
      let expected = await stateOf(store)
      const deleted: DeletedRecord[] = []
      for (const step of taken) {
        if (step.kind === 'delete') {
          const root = `${step.name.charAt(0)}${step.number}`
          const isRefused = await refused(store.transaction(tx => tx.remove(resourceOf(step.name), root)))
          if (!isRefused) deleted.unshift([step.name, root])
        } else if (step.kind === 'restore') {
          const [chosen] = deleted.splice(step.which % Math.max(1, deleted.length), 1)
          if (chosen && (await restore(chosen))) deleted.push(chosen)
        } else {
          const { room, size } = step
          const isRefused = await refused(store.transaction(tx => tx.update(resourceOf('rooms'), room, { size })))
          if (!isRefused) expected = resized(expected, room, size)
        }
      }
      await restoreAll(taken.length % 2 === 0 ? deleted : deleted.reverse())
      expect(await stateOf(store)).toEqual(expected)
      for (const name of names)
        for (const number of [0, 1, 2, 3])
          expect(await store.isInTrash(resourceOf(name), `${name.charAt(0)}${number}`)).toBe(false)
    })
    await checkProperty(property, { runs: runsAll ? 100 : 6, examples: [[nested, deletedOneByOne]] })
  })
})
