import { assigned, defineResource } from '../../core/model/define.ts'
import { ref, text } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { memberReading } from './access.ts'

export const postalCodes = defineResource('postalCodes', {
  title: { de: 'Postleitzahlen' },
  singularTitle: { de: 'Postleitzahl' },
  about: { en: 'Postal codes and their localities.', de: 'Postleitzahlen und ihre Orte.' },
  label: 'name',
  identifier: assigned(),
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    parent: ref('localities', { title: { en: 'Locality', de: 'Ort' } }),
    ...treeFields,
  },
  hooks: treeHooks,
  families: { create: 'A', patch: 'A' },
  access: memberReading,
})
