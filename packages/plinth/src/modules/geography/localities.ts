import { assigned, defineResource } from '../../core/model/define.ts'
import { many, ref, text } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { memberReading } from './access.ts'

export const localities = defineResource('localities', {
  title: { de: 'Orte' },
  singularTitle: { de: 'Ort' },
  about: { en: 'Cities, towns and villages.', de: 'Städte und Dörfer.' },
  label: 'name',
  identifier: assigned(),
  fields: {
    name: text({ required: true, max: 200, title: { de: 'Name' } }),
    parent: ref('countries', { title: { en: 'Country', de: 'Land' } }),
    ...treeFields,
    children: many('postalCodes', { by: 'parent', title: { en: 'Postal codes', de: 'Postleitzahlen' } }),
  },
  hooks: treeHooks,
  families: { create: 'A', search: 'A', delete: 'A', patch: 'A', relationship: 'A' },
  access: memberReading,
})
