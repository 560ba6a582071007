import { assigned, defineResource } from '../../core/model/define.ts'
import { ref, text } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { memberReading } from './access.ts'

export const postalCodes = defineResource('postalCodes', {
  about: 'Postal codes and the localities that they serve.',
  label: 'name',
  identifier: assigned(),
  fields: {
    name: text({ required: true, max: 100 }),
    parent: ref('localities', { title: 'Locality' }),
    ...treeFields,
  },
  hooks: treeHooks,
  access: memberReading,
})
