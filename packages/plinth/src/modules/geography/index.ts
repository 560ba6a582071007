// Continents, countries, localities and postal codes. Everyone reads them; administrators write them.

import * as world from 'countries-list'
import type { AccessRules } from '../../core/model/access-rules.ts'
import { defineResource } from '../../core/model/define.ts'
import { many, ref, text, textList } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { defineModule, type Seed } from '../../core/module.ts'

const write = "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')"

export const publicReading: AccessRules = { read: 'true', write }
export const memberReading: AccessRules = { read: 'caller.signedIn', write }

/** The standard resource `continents`. */
export const continents = defineResource('continents', {
  title: { de: 'Kontinente' },
  singularTitle: { de: 'Kontinent' },
  about: {
    en: 'Continents, by two-letter code.',
    de: 'Die Kontinente mit ihren Kürzeln aus zwei Buchstaben.',
  },
  label: 'name',
  identifier: assigned(/^[A-Z]{2}$/, 2),
  history: true,
  trash: true,
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    ...treeFields,
    children: many('countries', { by: 'parent', title: { en: 'Countries', de: 'Länder' } }),
  },
  hooks: treeHooks,
  families: { search: 'jsonApi', find: 'jsonApi', relationship: 'jsonApi' },
  access: publicReading,
})

/** The standard resource `countries`, by ISO 3166 codes. */
export const countries = defineResource('countries', {
  title: { de: 'Länder' },
  singularTitle: { de: 'Land' },
  about: {
    en: 'Countries and territories, by ISO 3166-1 alpha-2 code.',
    de: 'Länder und Gebiete nach dem zweistelligen Code der ISO 3166.',
  },
  label: 'name',
  identifier: assigned(/^[A-Z]{2}$/, 2),
  history: true,
  trash: true,
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    nativeName: text({ max: 100, title: { de: 'Eigener Name' } }),
    callingCode: text({ max: 50, title: { de: 'Vorwahl' } }),
    capital: text({ max: 100, title: { de: 'Hauptstadt' } }),
    currency: text({
      max: 50,
      about: { en: 'ISO 4217 codes, separated by commas.', de: 'Währungscodes nach ISO 4217, durch Kommas getrennt.' },
      title: { de: 'Währung' },
    }),
    languages: textList({
      max: 20,
      about: { en: 'ISO 639 codes.', de: 'Sprachcodes nach ISO 639.' },
      title: { de: 'Sprachen' },
    }),
    parent: ref('continents', { title: { en: 'Continent', de: 'Kontinent' } }),
    ...treeFields,
    children: many('localities', { by: 'parent', title: { en: 'Localities', de: 'Orte' } }),
  },
  hooks: treeHooks,
  families: { search: 'jsonApi', delete: 'jsonApi', patch: 'jsonApi', relationship: 'jsonApi' },
  access: publicReading,
})

/** The standard resource `localities`: towns and villages. */
export const localities = defineResource('localities', {
  title: { de: 'Orte' },
  singularTitle: { de: 'Ort' },
  about: { en: 'Cities, towns and villages.', de: 'Städte und Dörfer.' },
  label: 'name',
  identifier: assigned(),
  history: true,
  trash: true,
  fields: {
    name: text({ required: true, max: 200, title: { de: 'Name' } }),
    parent: ref('countries', { title: { en: 'Country', de: 'Land' } }),
    ...treeFields,
    children: many('postalCodes', { by: 'parent', title: { en: 'Postal codes', de: 'Postleitzahlen' } }),
  },
  hooks: treeHooks,
  families: { create: 'jsonApi', search: 'jsonApi', delete: 'jsonApi', patch: 'jsonApi', relationship: 'jsonApi' },
  access: memberReading,
})

/** The standard resource `postalCodes`. */
export const postalCodes = defineResource('postalCodes', {
  title: { de: 'Postleitzahlen' },
  singularTitle: { de: 'Postleitzahl' },
  about: { en: 'Postal codes and their localities.', de: 'Postleitzahlen und ihre Orte.' },
  label: 'name',
  identifier: assigned(),
  history: true,
  trash: true,
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    parent: ref('localities', { title: { en: 'Locality', de: 'Ort' } }),
    ...treeFields,
  },
  hooks: treeHooks,
  families: { create: 'jsonApi', patch: 'jsonApi' },
  access: memberReading,
})

// The continents and the countries of ISO 3166, from a public data package.

export const worldSeed: Seed = {
  name: 'geography.world',
  run: async ({ records }) => {
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
