import { assigned, defineResource } from '../../core/model/define.ts'
import { many, ref, text } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { memberReading } from './access.ts'

export const localities = defineResource('localities', {
  about: 'Cities, towns and villages.',
  label: 'name',
  identifier: assigned(),
  fields: {
    name: text({ required: true, max: 200 }),
    parent: ref('countries', { title: 'Country' }),
    ...treeFields,
    children: many('postalCodes', { by: 'parent', title: 'Postal codes' }),
  },
  hooks: treeHooks,
  access: memberReading,
})
