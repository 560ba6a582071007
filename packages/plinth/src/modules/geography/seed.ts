// The continents and the countries of ISO 3166, from a public data package.

import * as world from 'countries-list'
import type { Seed } from '../../core/module.ts'
import { continents } from './continents.ts'
import { countries } from './countries.ts'

export const worldSeed: Seed = {
  name: 'geography.world',
  run: async records => {
    for (const [pk, name] of Object.entries(world.continents)) await records.create(continents, { pk, name })
    for (const [pk, { name, native, phone, capital, currency, languages, continent }] of Object.entries(
      world.countries,
    )) {
      await records.create(countries, {
        pk,
        name,
        nativeName: native,
        callingCode: phone.map(code => `+${code}`).join(','),
        capital: capital || null,
        currency: currency.join(','),
        languages,
        parent: continent,
      })
    }
  },
}
