// What the store starts with: its three pricing strategies; in the demo also films, copies, clients and some rentals.

import type { Values } from '../../core/model/record.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import type { Seed } from '../../core/module.ts'
import {
  actors,
  categories,
  type DemoFilm,
  demoFilms,
  narrowCategories,
  storeBarcode,
  strategies,
} from './demo-catalogue.ts'
import { demoRentals } from './demo-rentals.ts'
import type { RentalSettings } from './settings.ts'

const kinds = { strategy: 1, actor: 2, category: 3, film: 4, copy: 5, client: 6 } as const

/** The same at every start, so that examples can name them. */
export const demoPk = (kind: keyof typeof kinds, number: number): string =>
  `00000000-0000-7000-a00${kinds[kind]}-${String(number).padStart(12, '0')}`

const stampsOf = (now: Date): Values => ({ createdDate: now.toISOString(), lastModifiedDate: now.toISOString() })

export const strategiesSeed = ({ scale }: RentalSettings): Seed => ({
  name: 'rental.strategies',
  run: async (tx, now) => {
    const unit = 10 ** scale
    for (const [at, { initialPrice, dailyPrice, ...rest }] of strategies.entries()) {
      await tx.insert(tx.resource('filmPricingStrategies'), demoPk('strategy', at), {
        ...rest,
        initialPrice: initialPrice * unit,
        dailyPrice: dailyPrice * unit,
        ...stampsOf(now),
      })
    }
  },
})

export const demoStoreSeed = (settings: RentalSettings): Seed => ({
  name: 'rental.demoStore',
  demo: true,
  run: async (tx, now) => {
    const stamps = stampsOf(now)
    await insertActors(tx, stamps)
    await insertCategories(tx, stamps)
    await insertFilms(tx, settings, stamps)
    await demoRentals(tx, settings, now)
  },
})

const insertActors = async (tx: Transaction, stamps: Values): Promise<void> => {
  for (const [at, { firstName, lastName }] of actors.entries()) {
    const name = `${firstName} ${lastName}`
    await tx.insert(tx.resource('filmActors'), demoPk('actor', at), { firstName, lastName, name, ...stamps })
  }
}

const insertCategories = async (tx: Transaction, stamps: Values): Promise<void> => {
  const resource = tx.resource('filmCategories')
  const widest = categories[''] ?? []
  const pkOf = (name: string): string =>
    widest.includes(name)
      ? demoPk('category', 100 + widest.indexOf(name))
      : demoPk('category', narrowCategories.indexOf(name))
  for (const [wider, names] of Object.entries(categories)) {
    const above = wider === '' ? { parent: null, pathLevel: 0 } : { parent: pkOf(wider), pathLevel: 1 }
    for (const name of names) {
      const path = wider === '' ? name : `${wider}: ${name}`
      await tx.insert(resource, pkOf(name), { name, path, ...above, ...stamps })
    }
  }
}

const insertFilms = async (tx: Transaction, { scale }: RentalSettings, stamps: Values): Promise<void> => {
  let copies = 0
  for (const [at, film] of demoFilms().entries()) {
    const pk = demoPk('film', at)
    await tx.insert(tx.resource('films'), pk, { ...filmValues(film, scale), ...stamps })
    for (let copy = 0; copy < film.copies; copy++) {
      await tx.insert(tx.resource('filmInventoryEntries'), demoPk('copy', copies), {
        film: pk,
        barcode: storeBarcode('20', copies),
        status: 'good',
        available: true,
        ...stamps,
      })
      copies++
    }
  }
}

const filmValues = (film: DemoFilm, scale: number): Values => ({
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
