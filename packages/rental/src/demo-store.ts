// The store of the demo: invented films, and past and present rentals. It is the same at every start.

import { type TransactionRecords, users } from 'plinth'
import { anonymous } from 'plinth/module'
import { checkDigit } from './barcodes.ts'
import { type Film, filmPricingStrategies, films } from './catalogue.ts'
import { clients } from './clients.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { payments } from './payments.ts'
import { dayLength, lateFee, rentalCost } from './pricing.ts'
import { rentals } from './rentals.ts'

export const strategies = [
  { name: 'New release', initialPrice: 40, daysFree: 1, dailyPrice: 40, bonusPoints: 2 },
  { name: 'Regular', initialPrice: 30, daysFree: 3, dailyPrice: 30, bonusPoints: 1 },
  { name: 'Old', initialPrice: 30, daysFree: 5, dailyPrice: 30, bonusPoints: 1 },
] as const

/** The categories by the name of the wider one; the empty name holds the widest. */
export const categories: Readonly<Record<string, readonly string[]>> = {
  '': ['Fiction', 'Documentary', 'Family'],
  Fiction: ['Action', 'Comedy', 'Crime', 'Drama', 'Horror', 'Romance', 'Science fiction', 'Western'],
  Documentary: ['History', 'Music', 'Nature', 'Travel'],
  Family: ['Animation', 'Fairy tale'],
}

const firstNames =
  'Alma Basil Clara Dorian Edda Florin Greta Hektor Ilse Jonas Kira Lorenz Maren Niklas Odile Pavel Renske Stellan Tessa Ulrik'.split(
    ' ',
  )
const lastNames =
  'Abendroth Brackwater Castellane Dunmarrow Eversole Fairwhistle Greyling Holloway Ingersten Kestrelby Lindqvarn Merriwold'.split(
    ' ',
  )

export const actors = firstNames.flatMap((firstName, at) =>
  [0, 5, 9].map(step => ({ firstName, lastName: lastNames[(at * 7 + step) % lastNames.length] ?? '' })),
)

const adjectives =
  'Crimson Hollow Silent Borrowed Paper Northern Second Velvet Broken Gilded Restless Painted Seventh Distant Wooden'.split(
    ' ',
  )
const nouns = 'Harbour Lantern Orchard Meridian Clockmaker Tide Sparrow Ferryman Winter Cartographer Bell Garden'.split(
  ' ',
)
const places = 'Valdoria Saltmarsh Port Amiel Kessel Bay Long Hollow Mirador Oststrand Thornby'.split(
  / (?=[A-Z][a-z]+(?: |$))/,
)

export interface DemoFilm {
  readonly title: string
  readonly description: string
  readonly mpaaRating: Film['mpaaRating']
  readonly releaseYear: number
  readonly runtimeInSeconds: number
  readonly replacementCost: number
  /** Places in the lists of strategies, actors and narrow categories. */
  readonly strategy: number
  readonly actors: readonly number[]
  readonly categories: readonly number[]
  readonly copies: number
}

/** Small numbers that look like chance and are none: the same for the same seed (a linear congruential generator). */
const createDice = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const pick = <T>(list: readonly T[], at: number): T => {
  const picked = list[at % list.length]
  if (picked === undefined) throw new Error('There is nothing to pick from.')
  return picked
}

const titleOf = (at: number): string => {
  const [adjective, noun, place] = [pick(adjectives, at), pick(nouns, Math.floor(at / 15)), pick(places, at * 3)]
  return pick([`The ${adjective} ${noun}`, `${noun} of ${place}`, `A ${adjective} ${noun} in ${place}`], at)
}

const ratings: readonly Film['mpaaRating'][] = [
  'G',
  'PG',
  'PG-13',
  'R',
  'NC-17',
  'unrated',
  'PG',
  'PG-13',
  'R',
  'PG-13',
]
export const narrowCategories = Object.entries(categories).flatMap(([wider, names]) => (wider === '' ? [] : names))

const inventedFilm = (at: number, roll: (sides: number) => number): DemoFilm => {
  const releaseYear = 1950 + roll(75)
  const [lead, partner] = [roll(actors.length), roll(actors.length)]
  const kind = roll(narrowCategories.length)
  const people = [lead, partner].map(one => `${actors[one]?.firstName} ${actors[one]?.lastName}`)
  return {
    title: titleOf(at),
    description: `${narrowCategories[kind]} with ${[...new Set(people)].join(' and ')}, ${releaseYear}.`,
    mpaaRating: pick(ratings, roll(ratings.length)),
    releaseYear,
    runtimeInSeconds: 60 * (75 + roll(90)),
    replacementCost: 150 + 10 * roll(20),
    strategy: releaseYear >= 2023 ? 0 : releaseYear >= 1990 ? 1 : 2,
    actors: [...new Set([lead, partner])],
    categories: [...new Set([kind, roll(narrowCategories.length)])],
    copies: 1 + roll(3),
  }
}

const known = (title: string, releaseYear: number, strategy: number): DemoFilm => ({
  title,
  description: `${title}, as rented at the counter of the demo.`,
  mpaaRating: 'PG-13',
  releaseYear,
  runtimeInSeconds: 7200,
  replacementCost: 250,
  strategy,
  actors: [strategy, strategy + 3],
  categories: [strategy],
  copies: 3,
})

const inventedCount = 210

export const demoFilms = (): readonly DemoFilm[] => {
  const roll = createDice(20240229)
  return [
    known('Matrix 11', 2024, 0),
    known('Spider-Man', 2002, 1),
    known('Spider-Man 2', 2004, 1),
    known('Out of Africa', 1985, 2),
    ...Array.from({ length: inventedCount }, (_, at) => inventedFilm(at, roll)),
  ]
}

/** An EAN-13 of the range that stores give out themselves. */
export const storeBarcode = (prefix: '20' | '21', number: number): string => {
  const digits = prefix + number.toString().padStart(10, '0')
  return digits + checkDigit(digits)
}

interface DemoRental {
  readonly username: string
  readonly copy: number
  readonly daysAgo: number
  readonly days: number
  /** How many days it was kept; null while it is out. */
  readonly kept: number | null
}

/** The copies of the films at the counter of the demo come first, and stay at hand. */
const firstFree = 12

const plans: readonly DemoRental[] = [
  { username: 'client', copy: 0, daysAgo: 90, days: 3, kept: 2 },
  { username: 'client', copy: 5, daysAgo: 61, days: 1, kept: 4 },
  { username: 'client', copy: 9, daysAgo: 30, days: 5, kept: 5 },
  { username: 'simple', copy: 14, daysAgo: 12, days: 2, kept: 1 },
  { username: 'client', copy: 20, daysAgo: 9, days: 2, kept: null },
  { username: 'client', copy: 24, daysAgo: 1, days: 5, kept: null },
  { username: 'simple', copy: 31, daysAgo: 4, days: 3, kept: null },
]

export const demoRentals = async (records: TransactionRecords): Promise<void> => {
  const staff = await records.first(users, { where: { username: 'staff' } })
  const points = new Map<string, number>()
  for (const [at, plan] of plans.entries()) {
    const customer = await records.first(users, { where: { username: plan.username } })
    if (!customer || !staff) continue
    const earned = await insertRental(records, plan, { at, customer: customer.pk, staff: staff.pk })
    points.set(customer.pk, (points.get(customer.pk) ?? 0) + earned)
  }
  let cards = 0
  for (const [user, bonusPoints] of points) {
    const cardBarcode = storeBarcode('21', cards)
    await records.create(clients, { pk: pkOf(4, cards++), user, bonusPoints, cardBarcode })
  }
}

interface Scene {
  readonly at: number
  readonly customer: string
  readonly staff: string
}

const pkOf = (kind: number, number: number): string =>
  `00000000-0000-7000-b00${kind}-${number.toString().padStart(12, '0')}`

/** Gives the points that it earned. */
const insertRental = async (
  records: TransactionRecords,
  plan: DemoRental,
  { at, customer, staff }: Scene,
): Promise<number> => {
  const copy = await copyOf(records, plan)
  const film = await records.get(films, copy.film.pk)
  const strategy = await records.get(filmPricingStrategies, film.pricingStrategy.pk)
  const daysAfter = (days: number) => new Date(records.now.getTime() - (plan.daysAgo - days) * dayLength)
  const returned = plan.kept === null ? null : daysAfter(plan.kept)
  const by = (now: Date) => records.acting({ caller: { ...anonymous, pk: staff }, now })
  const rental = await by(daysAfter(0)).create(rentals, {
    pk: pkOf(1, at),
    customer,
    inventory: copy.pk,
    days: plan.days,
    returnDate: returned?.toISOString() ?? null,
    returnedBy: returned && customer,
    bonusPoints: strategy.bonusPoints,
  })
  const about = { customer, rental: rental.pk, selfServed: false }
  const { days } = plan
  await by(daysAfter(0)).create(payments, {
    ...{ pk: pkOf(2, at), kind: 'rental', amount: rentalCost(strategy, days), days },
    ...about,
  })
  if (plan.kept !== null && returned) {
    const late = Math.max(0, plan.kept - days)
    await by(returned).create(payments, {
      ...{ pk: pkOf(3, at), kind: 'return', amount: lateFee(strategy, late), days: late },
      ...about,
    })
  }
  return strategy.bonusPoints
}

const copyOf = async (records: TransactionRecords, plan: DemoRental): Promise<Copy> => {
  const barcode = storeBarcode('20', firstFree + plan.copy)
  const copy = await records.first(filmInventoryEntries, { where: { barcode } })
  if (!copy) throw new Error(`the demo has no copy ${barcode}`)
  return copy
}
