// The tables of the application as a seed shapes them: how many records, how skewed, how long their texts.

// By its file: the service bundles this application, and imports packages as they are.
import { type Random, seededRandom } from '../../packages/test-kit/src/seeded-random.ts'

type Values = Record<string, unknown>

/** Values of a record, drawn from the numbers of its batch. */
interface Draw {
  readonly text: (length: number) => string
  /** A place in a list: evenly, mostly the first, or always the first. */
  readonly place: (count: number) => number
  /** The same with another skew. */
  readonly otherPlace: (count: number) => number
  readonly pick: Random['pick']
}

export interface ShapedTable {
  readonly name: string
  readonly count: number
  readonly valuesOf: (at: number, draw: Draw) => Values
}

export const pkOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

const now = new Date().toISOString()
const stamps = { createdDate: now, lastModifiedDate: now }

/** The letters of names: some beyond ASCII, some repeated, on which patterns with many wildcards have most to do. */
const alphabets = ['abcdefghij klmnop', 'äéßöÄΣςñ åç', 'ab', 'aé'].map(letters => [...letters])

export interface TableShape {
  readonly tables: readonly ShapedTable[]
  /** The records of one batch. */
  recordsOf(
    table: ShapedTable,
    from: number,
    length: number,
  ): readonly { readonly pk: string; readonly values: Values }[]
}

/** `scale`: how many records there are, compared with the usual. */
export const shapeOf = (seed: number, scale: number): TableShape => {
  const random = seededRandom(seed)
  const alphabet = random.pick(alphabets)
  const [share, otherShare] = [random.pick([0, 0.5, 0.99, 1]), random.pick([0, 0.5, 0.99, 1])]
  const placeBy = (own: Random, first: number) => (count: number) =>
    own.next() < first ? 0 : Math.floor(own.next() * count)
  const drawOf = (own: Random): Draw => ({
    text: length => {
      let text = ''
      for (let at = 0; at < Math.min(length, 64); at++) text += own.pick(alphabet)
      return text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length)
    },
    place: placeBy(own, share),
    otherPlace: placeBy(own, otherShare),
    pick: own.pick,
  })
  return {
    tables: tablesOf(random, scale),
    recordsOf: ({ name, valuesOf }, from, length) => {
      const draw = drawOf(seededRandom(seed + 31 * from + name.length))
      return Array.from({ length }, (_, at) => ({
        pk: pkOf(from + at),
        values: { ...valuesOf(from + at, draw), ...stamps },
      }))
    },
  }
}

const tablesOf = (random: Random, scale: number): readonly ShapedTable[] => {
  const many = (most: number) => Math.ceil(most * scale * random.pick([0.1, 0.5, 1]))
  const [offices, persons] = [random.pick([3, 40]), many(2000)]
  const [tickets, codes] = [many(120_000), random.pick([10, 200])]
  const long = random.pick([200, 2000, 20_000, 90_000])
  const categories = random.pick([1, 3, 400])
  const path = random.pick([20, 60, 380])
  return [
    { name: 'offices', count: offices, valuesOf: (at, { text }) => ({ name: `${text(20)} ${at}` }) },
    {
      name: 'persons',
      count: persons,
      valuesOf: (at, { text, place }) => ({
        name: `${text(20)} ${at}`,
        office: pkOf(place(offices)),
        active: at % 2 === 0,
      }),
    },
    {
      name: 'tickets',
      count: tickets,
      valuesOf: (at, { text, place, otherPlace }) => ({
        title: `${text(30)} ${at}`,
        status: ['open', 'closed', 'waiting'][place(3)],
        assignee: pkOf(place(persons)),
        parent: at === 0 ? null : pkOf(otherPlace(at)),
        path: text(path),
        priority: otherPlace(10),
        due: at % 3 === 0 ? null : now,
        tags: [text(5), text(8)],
      }),
    },
    {
      name: 'notices',
      count: Math.min(9500, many(9500)),
      valuesOf: (at, { text, place, otherPlace, pick }) => ({
        title: `${text(30)} ${at}`,
        category: `c${place(categories)}`,
        path: text(pick([20, 60, 900])),
        author: pkOf(otherPlace(persons)),
        tags: [text(5)],
      }),
    },
    {
      name: 'documents',
      // About fifty million characters at most.
      count: Math.ceil(Math.min(many(3000), (50_000_000 * scale) / long)),
      valuesOf: (at, { text, place }) => ({
        title: `${text(200)} ${at}`,
        category: `c${place(categories)}`,
        summary: text(Math.min(3900, long)),
        body: text(long),
        author: pkOf(place(persons)),
      }),
    },
    ...Array.from(
      { length: 12 },
      (_, table): ShapedTable => ({
        name: `codes${table}`,
        count: codes,
        valuesOf: (at, { text, place }) => ({
          name: `${text(20)} ${at}`,
          group: `g${place(5)}`,
          ...(table > 0 && { next: pkOf(place(codes)) }),
        }),
      }),
    ),
    {
      name: 'forms',
      count: many(6000),
      valuesOf: (at, { text, place }) => ({
        title: `${text(30)} ${at}`,
        ...Object.fromEntries(Array.from({ length: 12 }, (_, field) => [`code${field}`, pkOf(place(codes))])),
        ...Object.fromEntries(Array.from({ length: 40 }, (_, field) => [`field${field}`, text(path)])),
      }),
    },
  ]
}
