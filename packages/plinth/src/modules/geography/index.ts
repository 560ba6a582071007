// Geography: places that other resources refer to.

import * as world from 'countries-list'
import { defineModule, type Seed } from '../../core/module.ts'
import { continents, countries, localities, postalCodes } from './places.ts'

// The continents and the countries of ISO 3166, from a public data package.

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

export { continents, countries, localities, postalCodes } from './places.ts'

export const geography = defineModule({
  name: 'geography',
  title: { de: 'Geografie' },
  about: {
    en: 'Continents, countries, localities and postal codes.',
    de: 'Kontinente, Länder, Orte und Postleitzahlen.',
  },
  resources: [continents, countries, localities, postalCodes],
  seeds: [worldSeed],
})
