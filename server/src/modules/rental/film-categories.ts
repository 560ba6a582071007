import { defineResource } from '../../core/model/define.ts'
import { many, ref, text } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { catalogueAccess } from './access.ts'

export const filmCategories = defineResource('filmCategories', {
  about: 'Kinds of films, each within a wider one.',
  label: 'name',
  stamps: 'people',
  showsId: true,
  fields: {
    name: text({ required: true, max: 100 }),
    parent: ref('filmCategories'),
    ...treeFields,
    children: many('filmCategories', { by: 'parent' }),
    films: many('films', { by: 'filmCategories' }),
  },
  hooks: treeHooks,
  access: catalogueAccess,
})
