import { assigned, defineResource } from '../../core/model/define.ts'
import { many, text } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { publicReading } from './access.ts'

export const continents = defineResource('continents', {
  about: 'The continents, by their two-letter codes.',
  label: 'name',
  identifier: assigned(/^[A-Z]{2}$/, 2),
  fields: {
    name: text({ required: true, max: 100 }),
    ...treeFields,
    children: many('countries', { by: 'parent', title: 'Countries' }),
  },
  hooks: treeHooks,
  access: publicReading,
})
