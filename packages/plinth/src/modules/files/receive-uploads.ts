// POST /api/rest/{resource}/files: files for fields of records that are written afterwards. Until then they belong to their uploader, and
// what no record has taken after a day is deleted.

import type { Request } from '../../core/http/exchange.ts'
import { integer, text } from '../../core/model/fields.ts'
import type { FileField } from '../../core/model/file-fields.ts'
import type { Records } from '../../core/model/records.ts'
import { defineShape, list, object, optional } from '../../core/model/shape.ts'
import type { Shape } from '../../core/model/value-field.ts'
import { recordsWithin } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/context.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import type { Received } from '../../core/rest/work.ts'
import {
  type FieldFile,
  faultsOfFiles,
  maxFiles,
  mustBeField,
  recordUploads,
  refusal,
  toFieldFiles,
} from './field-files.ts'
import { toFileName } from './file-types.ts'
import { dropLoose, holdQuota, looseContents, mustBeWithinQuota, mustHaveQuotaLeft } from './files.ts'
import type { Storage } from './storage.ts'
import { keysOf, storeFiles } from './store-files.ts'

export interface FieldUploads {
  readonly resource: string
  readonly fields: ReadonlyMap<string, FileField>
  readonly answer: Shape
  readonly storage: Storage
  readonly dataDir: string
  readonly maxBytes: number
  readonly maxBytesPerUser: number
}

const uploadedFile = {
  pk: text({ required: true, about: 'What a record refers to it by.' }),
  name: text({ required: true }),
  mediaType: text({ required: true }),
  size: integer({ required: true, min: 0 }),
}

export const oneUpload = optional(object(uploadedFile))

export const severalUploads = optional(list(object(uploadedFile)))

/** The files by field, as a record can be written with them. */
export const uploadsShape = (name: string, fields: ReadonlyMap<string, FileField>): Shape =>
  defineShape(
    name,
    Object.fromEntries(
      [...fields].map(([field, { limits }]) => [field, limits.most === null ? oneUpload : severalUploads]),
    ),
    { element: 'files' },
  )

export const receiveUploads = async (context: Context, request: Request, uploads: FieldUploads): Promise<Received> => {
  const { platform, caller } = context
  const { storage, dataDir } = uploads
  const quota = { uploader: caller.pk, maxBytes: uploads.maxBytesPerUser }
  await mustHaveQuotaLeft(platform.records, quota)
  const received = await storeFiles(request, {
    ...{ records: platform.records, storage, dataDir, maxBytes: largestIn(uploads), maxFiles },
    nameOf: ({ field, fileName }) => {
      mustBeField(context, field, uploads.fields)
      return toFileName(fileName, field)
    },
    check: files => mustFit(toFieldFiles(files, uploads.fields)),
  })
  const files = toFieldFiles(received, uploads.fields)
  return {
    digest: JSON.stringify(files.map(({ field, name, sha256 }) => [field, name, sha256])),
    run: async transaction => {
      const records = recordsWithin(transaction).asService
      await holdQuota(records, quota)
      await recordUploads(records, uploads.resource, files)
      await mustBeWithinQuota(records, quota)
      return toValueAnswer(uploads.answer, answerOf(files), { status: 201 })
    },
    // What is not recorded as an upload is of no use: the request was done before, or has failed.
    settle: () => dropUnrecorded(platform.records, storage, keysOf(files)),
  }
}

const mustFit = async (files: readonly FieldFile[]): Promise<void> => {
  const faults = (await faultsOfFiles(files)).map(({ field, isList, at, reason }) => ({
    pointer: isList ? `/${field}/${at}` : `/${field}`,
    member: field,
    ...reason,
  }))
  if (faults.length > 0) throw refusal(faults)
}

const largestIn = ({ fields, maxBytes }: FieldUploads): number =>
  Math.min(maxBytes, Math.max(...[...fields.values()].map(({ limits }) => limits.maxBytes ?? maxBytes)))

const answerOf = (files: readonly FieldFile[]): Record<string, unknown> => {
  const answer: Record<string, unknown> = {}
  for (const { key, field, target, name, type, size } of files) {
    const file = { pk: key, name, mediaType: type, size }
    const { limits } = target
    const known = answer[field]
    answer[field] = limits.most === null ? file : [...(Array.isArray(known) ? known : []), file]
  }
  return answer
}

const dropUnrecorded = async (records: Records, storage: Storage, keys: readonly string[]): Promise<void> => {
  const unrecorded = await records.find(looseContents, { where: { pk: { in: keys }, name: null } })
  await dropLoose(
    records,
    storage,
    unrecorded.map(({ pk }) => pk),
  )
}
