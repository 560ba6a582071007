// Fills the tables of the application: how many records, how skewed, how long their texts, all by a seed.

import { defineEndpoint, integer, type Platform } from 'plinth'
import { type Random, seededRandom } from '../../packages/plinth/test/support/seeded-random.ts'

/** What differs from one round to the next. */
interface Shape {
  readonly random: Random
  /** How many records there are, compared with the usual. */
  readonly scale: number
}

type Values = Record<string, unknown>

const batch = 500

/** Some in letters beyond ASCII, some long, some of one repeated letter, on which patterns with many wildcards have most to do. */
const alphabets = ['abcdefghij klmnop', 'äéßöÄΣςñ åç', 'ab', 'aé']

const createTexts = ({ random }: Shape) => {
  const alphabet = random.pick(alphabets)
  return (length: number): string => {
    let text = ''
    for (let at = 0; at < Math.min(length, 64); at++) text += random.pick([...alphabet])
    return text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length)
  }
}

/** A place in a list: evenly, mostly the first, or always the first. */
const createSkew = ({ random }: Shape): ((count: number) => number) => {
  const share = random.pick([0, 0.5, 0.99, 1])
  return count => (random.next() < share ? 0 : Math.floor(random.next() * count))
}

const now = new Date().toISOString()
const stamps = { createdDate: now, lastModifiedDate: now }

export const pkOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

interface Table {
  readonly name: string
  readonly count: number
  readonly valuesOf: (at: number) => Values
}

const tablesOf = (shape: Shape): readonly Table[] => {
  const { random, scale } = shape
  const texts = createTexts(shape)
  const [bySkew, byOtherSkew] = [createSkew(shape), createSkew(shape)]
  const many = (most: number) => Math.ceil(most * scale * random.pick([0.1, 0.5, 1]))
  const [offices, persons] = [random.pick([3, 40]), many(2000)]
  const [tickets, codes] = [many(120_000), random.pick([10, 200])]
  const long = random.pick([200, 2000, 20_000, 90_000])
  const categories = random.pick([1, 3, 400])
  const path = random.pick([20, 60, 380])
  const name = (at: number, length: number) => `${texts(length)} ${at}`
  return [
    { name: 'offices', count: offices, valuesOf: at => ({ name: name(at, 20) }) },
    {
      name: 'persons',
      count: persons,
      valuesOf: at => ({ name: name(at, 20), office: pkOf(bySkew(offices)), active: at % 2 === 0 }),
    },
    {
      name: 'tickets',
      count: tickets,
      valuesOf: at => ({
        title: name(at, 30),
        status: ['open', 'closed', 'waiting'][bySkew(3)],
        assignee: pkOf(bySkew(persons)),
        parent: at === 0 ? null : pkOf(byOtherSkew(at)),
        path: texts(path),
        priority: byOtherSkew(10),
        due: at % 3 === 0 ? null : now,
        tags: [texts(5), texts(8)],
      }),
    },
    {
      name: 'notices',
      count: Math.min(9500, many(9500)),
      valuesOf: at => ({
        title: name(at, 30),
        category: `c${bySkew(categories)}`,
        path: texts(random.pick([20, 60, 900])),
        author: pkOf(byOtherSkew(persons)),
        tags: [texts(5)],
      }),
    },
    {
      name: 'documents',
      // About fifty million characters at most.
      count: Math.ceil(Math.min(many(3000), (50_000_000 * scale) / long)),
      valuesOf: at => ({
        title: name(at, 200),
        category: `c${bySkew(categories)}`,
        summary: texts(Math.min(3900, long)),
        body: texts(long),
        author: pkOf(bySkew(persons)),
      }),
    },
    ...Array.from({ length: 12 }, (_, table) => ({
      name: `codes${table}`,
      count: codes,
      valuesOf: (at: number) => ({
        name: name(at, 20),
        group: `g${bySkew(5)}`,
        ...(table > 0 && { next: pkOf(bySkew(codes)) }),
      }),
    })),
    {
      name: 'forms',
      count: many(6000),
      valuesOf: at => ({
        title: name(at, 30),
        ...Object.fromEntries(Array.from({ length: 12 }, (_, field) => [`code${field}`, pkOf(bySkew(codes))])),
        ...Object.fromEntries(Array.from({ length: 40 }, (_, field) => [`field${field}`, texts(path)])),
      }),
    },
  ]
}

/** Links of the first tickets to some persons. */
const linksOf = (persons: number): readonly string[] =>
  Array.from({ length: Math.min(30, persons) }, (_, at) => pkOf(at))

export const fillTables = ({ store }: Platform) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/fill',
    id: 'fillTables',
    summary: 'Fill the tables',
    access: "caller.has('ROLE_ADMIN')",
    body: { seed: integer({ required: true }), percent: integer({ required: true }) },
    answers: { 204: 'They are filled.' },
    run: async ({ body }) => {
      const tables = tablesOf({ random: seededRandom(body.seed), scale: body.percent / 100 })
      for (const { name, count, valuesOf } of tables)
        for (let from = 0; from < count; from += batch) {
          const length = Math.min(batch, count - from)
          const records = Array.from({ length }, (_, at) => ({
            pk: pkOf(from + at),
            values: { ...valuesOf(from + at), ...stamps },
          }))
          await store.transaction(tx => tx.insertAll(tx.resource(name), records))
        }
      const persons = tables.find(({ name }) => name === 'persons')?.count ?? 0
      await store.transaction(async tx => {
        const resource = tx.resource('tickets')
        for (let at = 1; at < 200; at++) await tx.update(resource, pkOf(at), { watchers: linksOf(persons) })
        for (let at = 200; at < 230; at++)
          if (!(await tx.isReferenced(resource, pkOf(at)))) await tx.remove(resource, pkOf(at))
      })
    },
  })
