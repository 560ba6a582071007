// The types of fields of files: in records, in values that code writes, and in those of the client library.

import { expectTypeOf, test } from 'vitest'
import type { SentOf, ShownOf } from '../../src/core/model/schema-of.ts'
import { defineResource, file, image, type NewRow, type Row } from '../../src/index.ts'
import type { FileReference, ShownFile, StoredFile } from '../../src/module.ts'

const notes = defineResource('typedFileNotes', {
  about: 'Notes.',
  fields: {
    photo: image(),
    contract: file({ required: true }),
    papers: file({ several: true, most: 3 }),
    stamp: file({ serverOwned: true }),
  },
  access: {},
})

type Note = Row<typeof notes>
type New = NewRow<typeof notes>
type Fields = (typeof notes)['fields']

test('records have files, and null where there may be none', () => {
  expectTypeOf<Note['photo']>().toEqualTypeOf<StoredFile | null>()
  expectTypeOf<Note['contract']>().toEqualTypeOf<StoredFile>()
  expectTypeOf<Note['papers']>().toEqualTypeOf<readonly StoredFile[]>()
})

test('code gives references', () => {
  expectTypeOf<New['photo']>().toEqualTypeOf<FileReference | null | undefined>()
  expectTypeOf<New['contract']>().toEqualTypeOf<FileReference>()
  expectTypeOf<New['papers']>().toEqualTypeOf<readonly FileReference[] | undefined>()
})

test('callers see addresses, and send a pk or an object with one', () => {
  expectTypeOf<ShownOf<Fields['photo']>>().toEqualTypeOf<ShownFile | null>()
  expectTypeOf<ShownOf<Fields['papers']>>().toEqualTypeOf<readonly ShownFile[]>()
  expectTypeOf<SentOf<Fields['photo']>>().toEqualTypeOf<string | FileReference | Blob | null | undefined>()
  expectTypeOf<SentOf<Fields['papers']>>().toEqualTypeOf<readonly (string | FileReference | Blob)[] | undefined>()
  expectTypeOf<SentOf<Fields['stamp']>>().toBeNever()
})

test('options are known by the compiler', () => {
  // @ts-expect-error: images are of these types alone
  image({ mediaTypes: ['application/pdf'] })
  // @ts-expect-error: this type cannot be detected by the content
  file({ mediaTypes: ['text/csv'] })
  // @ts-expect-error: misspelt
  file({ maxByte: 5 })
  // @ts-expect-error: files cannot be searched
  file({ indexed: true })
})
