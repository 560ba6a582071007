// What the store starts with: its currency and three pricing strategies; in demo mode also films, copies, clients and rentals.

import {
  assigned,
  defineResource,
  type NewRow,
  Problem,
  type Records,
  type Seed,
  type TransactionRecords,
  text,
} from 'plinth'
import type { Platform } from 'plinth/module'
import { filmActors, filmCategories, filmPricingStrategies, films } from './catalogue.ts'
import {
  actors,
  categories,
  type DemoFilm,
  demoFilms,
  demoRentals,
  narrowCategories,
  storeBarcode,
  strategies,
} from './demo-store.ts'
import { filmInventoryEntries } from './film-inventory-entries.ts'
import { dayLength } from './pricing.ts'
import { type RentalSettings, readRentalSettings, rentalSettings } from './settings.ts'

export const rentalBooks = defineResource('rentalBooks', {
  about: 'The currency of all amounts.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { currency: text({ required: true, max: 3 }) },
  access: {},
})

export const booksSeed: Seed = {
  name: 'rental.books',
  run: async ({ records, settings }) => {
    await records.create(rentalBooks, { pk: 'currency', currency: settings(rentalSettings).currency })
  },
}

export const mustKeepCurrency = async ({ records }: Platform, currency: string): Promise<void> => {
  const known = await records.first(rentalBooks, { where: { pk: 'currency' } })
  if (!known || known.currency === currency) return
  throw new Problem('conflict', `Existing amounts are in ${known.currency}; app.rental.currency cannot be ${currency}.`)
}

const kinds = { strategy: 1, actor: 2, category: 3, film: 4, copy: 5, client: 6 } as const

/** The same at every start, so that examples can name them. */
export const demoPk = (kind: keyof typeof kinds, number: number): string =>
  `00000000-0000-7000-a00${kinds[kind]}-${number.toString().padStart(12, '0')}`

export const strategiesSeed: Seed = {
  name: 'rental.strategies',
  run: async ({ records, settings }) => {
    const unit = 10 ** readRentalSettings(settings).scale
    for (const [at, { initialPrice, dailyPrice, ...rest }] of strategies.entries()) {
      await records.create(filmPricingStrategies, {
        pk: demoPk('strategy', at),
        ...rest,
        initialPrice: initialPrice * unit,
        dailyPrice: dailyPrice * unit,
      })
    }
  },
}

/** The copies are older than the first rental of the demo. */
const copiesBoughtDaysAgo = 100

export const demoStoreSeed: Seed = {
  name: 'rental.demoStore',
  demo: true,
  run: async ({ records, settings }) => {
    await insertActors(records)
    await insertCategories(records)
    await insertFilms(records, readRentalSettings(settings))
    await demoRentals(records)
  },
}

const insertActors = (records: TransactionRecords): Promise<void> =>
  records.createMany(
    filmActors,
    actors.map(({ firstName, lastName }, at) => ({ pk: demoPk('actor', at), firstName, lastName })),
  )

const insertCategories = async (records: Records): Promise<void> => {
  const widest = categories[''] ?? []
  const pkOf = (name: string): string =>
    widest.includes(name)
      ? demoPk('category', 100 + widest.indexOf(name))
      : demoPk('category', narrowCategories.indexOf(name))
  for (const [wider, names] of Object.entries(categories))
    for (const name of names)
      await records.create(filmCategories, { pk: pkOf(name), name, parent: wider === '' ? null : pkOf(wider) })
}

const insertFilms = async (records: TransactionRecords, { scale }: RentalSettings): Promise<void> => {
  const all = demoFilms().map((film, at) => ({ ...film, pk: demoPk('film', at) }))
  await records.createMany(
    films,
    all.map(film => ({ pk: film.pk, ...filmValues(film, scale) })),
  )
  const bought = records.acting({ now: new Date(records.now.getTime() - copiesBoughtDaysAgo * dayLength) })
  const copies = all.flatMap(film => Array.from({ length: film.copies }, () => film.pk))
  await bought.createMany(
    filmInventoryEntries,
    copies.map((film, at) => ({ pk: demoPk('copy', at), film, barcode: storeBarcode('20', at) })),
  )
}

const filmValues = (film: DemoFilm, scale: number): NewRow<typeof films> => ({
  title: film.title,
  description: film.description,
  mpaaRating: film.mpaaRating,
  releaseYear: film.releaseYear,
  runtimeInSeconds: film.runtimeInSeconds,
  replacementCost: film.replacementCost * 10 ** scale,
  primaryLanguage: 'en',
  pricingStrategy: demoPk('strategy', film.strategy),
  filmActors: film.actors.map(at => demoPk('actor', at)),
  filmCategories: film.categories.map(at => demoPk('category', at)),
})
