import { assigned, defineResource } from '../../core/model/define.ts'
import { many, text } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { publicReading } from './access.ts'

export const continents = defineResource('continents', {
  title: { de: 'Kontinente' },
  singularTitle: { de: 'Kontinent' },
  about: {
    en: 'Continents, by two-letter code.',
    de: 'Die Kontinente mit ihren Kürzeln aus zwei Buchstaben.',
  },
  label: 'name',
  identifier: assigned(/^[A-Z]{2}$/, 2),
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    ...treeFields,
    children: many('countries', { by: 'parent', title: { en: 'Countries', de: 'Länder' } }),
  },
  hooks: treeHooks,
  families: { search: 'A', find: 'A', relationship: 'A' },
  access: publicReading,
})
