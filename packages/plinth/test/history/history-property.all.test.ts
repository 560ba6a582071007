// After any writes, deletions and restorations: records at a moment are what was read then, and the history holds every change with
// the record before it.

import { runsAll } from '@plinth/test-kit/extent'
import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { decimal, links, map, ref, text } from '../../src/core/model/fields.ts'
import type { RecordedEntry } from '../../src/core/model/history.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import { everything } from '../../src/core/model/query.ts'
import { linksIn, type StoredRecord, type Values } from '../../src/core/model/record.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Store } from '../../src/core/store/store.ts'
import { onEachDatabase } from '../store/databases.ts'

const common = {
  about: 'Of the test.',
  identifier: assigned(),
  access: {},
  stamps: 'none',
  history: true,
  trash: true,
} as const

const registry = createRegistry([
  defineResource('shelves', {
    ...common,
    fields: {
      name: text(),
      favourite: ref('books', { onDelete: 'clear' }),
      within: ref('shelves', { onDelete: 'cascade' }),
    },
  }),
  defineResource('books', {
    ...common,
    fields: {
      shelf: ref('shelves', { onDelete: 'cascade' }),
      price: decimal({ scale: 2 }),
      notes: map(),
      tags: links('tags', { embed: true }),
    },
  }),
  defineResource('tags', { ...common, fields: { name: text({ unique: 'ignoreCase' }) } }),
])

const names = ['tags', 'shelves', 'books'] as const
type Name = (typeof names)[number]

const pkOf = (name: Name, number: number): string => `${name}${number}`
const among = (name: Name) => fc.nat(1).map(number => pkOf(name, number))
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })

const valuesOf = {
  tags: fc.record({ name: maybe(fc.constantFrom('red', 'blue')) }),
  shelves: fc.record({
    name: maybe(fc.constantFrom('low', 'höch')),
    favourite: maybe(among('books')),
    within: maybe(among('shelves')),
  }),
  books: fc.record({
    shelf: maybe(among('shelves')),
    price: maybe(fc.constantFrom(1250, -1)),
    notes: fc.constantFrom(null, { kind: 'ünïcode' }),
    tags: fc.uniqueArray(among('tags'), { maxLength: 2 }),
  }),
} as const satisfies Record<Name, fc.Arbitrary<Values>>

const writeTo = (name: Name) =>
  fc.record({
    kind: fc.constant('write' as const),
    name: fc.constant(name),
    pk: among(name),
    values: valuesOf[name] as fc.Arbitrary<Values>,
  })

const moveOf = <Kind extends 'delete' | 'restore'>(kind: Kind, name: Name) =>
  fc.record({ kind: fc.constant(kind), name: fc.constant(name), pk: among(name) })

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.oneof(...names.map(writeTo)) },
    { weight: 2, arbitrary: fc.oneof(...names.map(name => moveOf('delete', name))) },
    { weight: 2, arbitrary: fc.oneof(...names.map(name => moveOf('restore', name))) },
  ),
  { minLength: 5, maxLength: 14 },
)

type Step = typeof steps extends fc.Arbitrary<readonly (infer T)[]> ? T : never

/** A refused step changes nothing. */
const take = async (store: Store, step: Step): Promise<void> => {
  const resource = registry.resource(step.name)
  try {
    await store.transaction(async tx => {
      if (step.kind === 'delete') return tx.remove(resource, step.pk)
      if (step.kind === 'restore') return tx.restore(resource, step.pk)
      const isThere = (await tx.get(resource, step.pk)) !== null
      return isThere ? tx.update(resource, step.pk, step.values) : tx.insert(resource, step.pk, step.values)
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

/** Each look at the clock is later than the one before. */
let time = Date.now()
const clock = (): Date => new Date(time++)

type State = Readonly<Record<string, readonly StoredRecord[]>>

interface Snapshot {
  readonly moment: string
  readonly state: State
}

const stateAt = async (store: Store, moment?: string): Promise<State> => {
  const state: Record<string, readonly StoredRecord[]> = {}
  for (const name of names) {
    const resource = registry.resource(name)
    const source = moment === undefined ? undefined : ({ kind: 'asOf', moment } as const)
    state[name] = (await store.find(resource, { ...everything(resource), source })).records
  }
  return state
}

/** Links to records that are gone now are shown in no list of the past. */
const withoutLostLinks = (state: State, present: State): State => {
  const there = new Set(present.tags?.map(({ pk }) => pk))
  const books = state.books?.map(book => ({ ...book, tags: linksIn(book, 'tags').filter(({ pk }) => there.has(pk)) }))
  return { ...state, ...(books && { books }) }
}

const recordIn = ({ state }: Snapshot, name: Name, pk: string): StoredRecord | null =>
  state[name]?.find(one => one.pk === pk) ?? null

const snapshot = async (store: Store): Promise<Snapshot> => ({
  state: await stateAt(store),
  moment: clock().toISOString(),
})

/**
 * Requires that entries explain the changes between two snapshots: the first holds the record before, and without one
 * nothing has changed.
 */
const mustExplain = (entries: readonly RecordedEntry[], from: StoredRecord | null, to: StoredRecord | null): void => {
  const [first] = entries
  if (!first) {
    expect(to).toEqual(from)
    return
  }
  expect(first.before).toEqual(from)
  const last = entries.at(-1)
  expect(last?.change === 'deleted').toBe(to === null)
  if (to) expect(last?.version).toBe(to.version)
}

const shelf = (pk: string, within: string | null): Step => ({
  kind: 'write',
  name: 'shelves',
  pk,
  values: { name: 'low', favourite: null, within },
})

/** A shelf within a shelf, and a book on it, which go with the outer shelf. */
const nested: Step[] = [
  shelf('shelves0', null),
  shelf('shelves1', 'shelves0'),
  { kind: 'write', name: 'books', pk: 'books0', values: { shelf: 'shelves1', price: null, notes: null, tags: [] } },
  { kind: 'delete', name: 'shelves', pk: 'shelves0' },
  { kind: 'restore', name: 'shelves', pk: 'shelves0' },
]

onEachDatabase(
  registry,
  storeOf => {
    test('the past is as it was read', { timeout: 60_000 }, async () => {
      const property = fc.asyncProperty(steps, async taken => {
        const store = storeOf()
        const snapshots = [await snapshot(store)]
        for (const step of taken) {
          await take(store, step)
          snapshots.push(await snapshot(store))
        }
        const present = await stateAt(store)
        for (const { moment, state } of snapshots)
          expect(await stateAt(store, moment)).toEqual(withoutLostLinks(state, present))
        for (const name of names)
          for (const pk of [0, 1].map(number => pkOf(name, number))) {
            const newestFirst = await store.history(registry.resource(name), { pk, limit: 1000 })
            for (const [at, after] of snapshots.slice(1).entries()) {
              const before = snapshots[at] ?? after
              const within = newestFirst.filter(entry => entry.time > before.moment && entry.time <= after.moment)
              mustExplain(within.toReversed(), recordIn(before, name, pk), recordIn(after, name, pk))
            }
          }
      })
      await checkProperty(property, { runs: runsAll ? 100 : 5, examples: [[nested]] })
    })
  },
  { clock },
)
