import { defineResource } from '../../core/model/define.ts'
import { many, ref, text } from '../../core/model/fields.ts'
import { treeFields, treeHooks } from '../../core/model/tree.ts'
import { catalogueAccess } from './access.ts'

export const filmCategories = defineResource('filmCategories', {
  title: { de: 'Filmkategorien' },
  singularTitle: { de: 'Filmkategorie' },
  about: { en: 'Kinds of films, each within a wider one.', de: 'Filmkategorien, jede innerhalb einer übergeordneten.' },
  label: 'name',
  stamps: 'people',
  showsId: true,
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    parent: ref('filmCategories', { title: { de: 'Übergeordnet' } }),
    ...treeFields,
    children: many('filmCategories', { by: 'parent', title: { de: 'Untergeordnete Datensätze' } }),
    films: many('films', { by: 'filmCategories', title: { de: 'Filme' } }),
  },
  hooks: treeHooks,
  access: catalogueAccess,
})
