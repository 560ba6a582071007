import { defineResource } from '../../core/model/define.ts'
import { integer, ref, text, timestamp } from '../../core/model/fields.ts'
import type { Row } from '../../core/model/row.ts'

/** What is known of each file. The pk is also the key of its content: no name that a caller chose becomes a path. */
export const files = defineResource('files', {
  about: 'Files that belong to records.',
  internal: true,
  stamps: 'none',
  fields: {
    resource: text({ required: true, max: 100 }),
    owner: text({ required: true, max: 255 }),
    name: text({ required: true, max: 100 }),
    mediaType: text({ required: true, max: 100 }),
    size: integer({ required: true }),
    sha256: text({ required: true, max: 64 }),
    uploaded: timestamp({ required: true }),
    uploader: ref('users', { onDelete: 'clear' }),
  },
  uniqueTogether: [['resource', 'owner', 'name']],
  access: {},
})

export type FileRecord = Pick<Row<typeof files>, 'pk' | 'name' | 'mediaType' | 'size' | 'sha256' | 'uploaded'>
