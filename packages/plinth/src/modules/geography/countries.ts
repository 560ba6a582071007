import { assigned, defineResource } from '../../core/model/define.ts'
import { many, ref, text, textList } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { publicReading } from './access.ts'

export const countries = defineResource('countries', {
  title: { de: 'Länder' },
  singularTitle: { de: 'Land' },
  about: {
    en: 'Countries and territories, by ISO 3166-1 alpha-2 code.',
    de: 'Länder und Gebiete nach dem zweistelligen Code der ISO 3166.',
  },
  label: 'name',
  identifier: assigned(/^[A-Z]{2}$/, 2),
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
  families: { search: 'A', delete: 'A', patch: 'A', relationship: 'A' },
  access: publicReading,
})
