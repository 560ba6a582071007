import { assigned, defineResource } from '../../core/model/define.ts'
import { many, ref, text, textList } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { publicReading } from './access.ts'

export const countries = defineResource('countries', {
  about: 'Countries and territories, by their ISO 3166 codes of two letters.',
  label: 'name',
  identifier: assigned(/^[A-Z]{2}$/, 2),
  fields: {
    name: text({ required: true, max: 100 }),
    nativeName: text({ max: 100 }),
    callingCode: text({ max: 50 }),
    capital: text({ max: 100 }),
    currency: text({ max: 50, about: 'ISO 4217 codes, separated by commas.' }),
    languages: textList({ max: 20, about: 'ISO 639 codes.' }),
    parent: ref('continents', { title: 'Continent' }),
    ...treeFields,
    children: many('localities', { by: 'parent', title: 'Localities' }),
  },
  hooks: treeHooks,
  access: publicReading,
})
