// Exports that people have asked for: they wait for the job, and then for the download.

import { expires, type Sweep } from '../../core/jobs/sweep.ts'
import { defineResource } from '../../core/model/define.ts'
import { choice, ref, text, timestamp } from '../../core/model/fields.ts'
import type { Row } from '../../core/model/row.ts'
import { file } from '../files/index.ts'

export const dataExports = defineResource('dataExports', {
  about: 'Exports of what is stored about users, until they are deleted.',
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    state: choice(['waiting', 'ready', 'failed'], { required: true }),
    requested: timestamp({ required: true }),
    /** It is deleted then. */
    until: timestamp({ required: true, indexed: true }),
    archive: file({ serverOwned: true, mediaTypes: ['application/zip'] }),
    /** The instance that makes it, and until when. */
    instance: text(),
    heldUntil: timestamp(),
  },
  access: {},
})

export type DataExport = Row<typeof dataExports>

export const sweepExports: Sweep = expires(dataExports, ({ now }) => ({ until: { le: now } }))
