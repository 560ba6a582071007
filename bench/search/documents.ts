// Documents that are searched by words, and the same without an index of words.

import { defineResource } from '../../packages/plinth/src/core/model/define.ts'
import { ref, text } from '../../packages/plinth/src/core/model/fields.ts'
import { defineModule } from '../../packages/plinth/src/core/module.ts'

const fields = {
  title: text({ required: true, max: 200 }),
  body: text({ max: 5000 }),
  owner: ref('users'),
}

const access = {
  read: "record.owner == caller.pk || caller.has('ROLE_STAFF')",
  write: "caller.has('ROLE_STAFF')",
}

const documents = defineResource('documents', {
  about: 'Documents.',
  search: ['title', 'body'],
  fields,
  access,
})

/** Further resources, for a search of all. */
const shelves = Array.from({ length: 9 }, (_, at) =>
  defineResource(`shelves${at}`, { about: 'More documents.', search: ['title', 'body'], fields, access }),
)

export const searchedTables: readonly string[] = ['documents', ...shelves.map(({ name }) => name)]

const plainDocuments = defineResource('plainDocuments', { about: 'Documents without search.', fields, access })

export const documentModule = defineModule({
  name: 'documents',
  about: 'Documents.',
  resources: [documents, plainDocuments, ...shelves],
})
