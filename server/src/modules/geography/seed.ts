// The continents and the countries of ISO 3166, from a public data package.

import { continents, countries } from 'countries-list'
import type { Seed } from '../../core/module.ts'

const separator = ': '

export const worldSeed: Seed = {
  name: 'geography.world',
  run: async (tx, now) => {
    const stamps = { createdDate: now.toISOString(), lastModifiedDate: now.toISOString() }
    const [continent, country] = [tx.resource('continents'), tx.resource('countries')]
    for (const [pk, name] of Object.entries(continents)) {
      await tx.insert(continent, pk, { name, path: name, pathLevel: 0, ...stamps })
    }
    for (const [pk, data] of Object.entries(countries)) {
      const parent = data.continent
      await tx.insert(country, pk, {
        name: data.name,
        nativeName: data.native,
        callingCode: data.phone.map(code => `+${code}`).join(','),
        capital: data.capital || null,
        currency: data.currency.join(','),
        languages: data.languages,
        parent,
        path: continents[parent] + separator + data.name,
        pathLevel: 1,
        ...stamps,
      })
    }
  },
}
