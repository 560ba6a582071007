// POST /api/rest/{resource}/files: files for fields of records that are written afterwards. Until then they belong to their uploader, and
// what no record has taken after a day is deleted.

import { type FaultReason, fault } from '../../core/fault.ts'
import { isAllowedType } from '../../core/formats/allowed-type.ts'
import type { Request } from '../../core/http/exchange.ts'
import { integer, text } from '../../core/model/fields.ts'
import type { Records, TransactionRecords } from '../../core/model/records.ts'
import type { ResourceField } from '../../core/model/resource.ts'
import { defineShape, list, object, optional } from '../../core/model/shape.ts'
import type { FileLimits, Shape } from '../../core/model/value-field.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { recordsWithin } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/context.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import type { Received } from '../../core/rest/work.ts'
import { detectType } from './detect-type.ts'
import { toFileName } from './file-types.ts'
import { dropLoose, holdQuota, looseContents, mustBeWithinQuota, mustHaveQuotaLeft } from './files.ts'
import { fileFault } from './problems.ts'
import { isPicture, maxMegapixels } from './serve.ts'
import type { Storage } from './storage.ts'
import { type FormFile, keysOf, storeFiles } from './store-files.ts'

/** A field of files that callers can upload to. */
export interface UploadField {
  readonly field: ResourceField
  readonly limits: FileLimits
}

export interface FieldUploads {
  readonly resource: string
  readonly fields: ReadonlyMap<string, UploadField>
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
export const uploadsShape = (name: string, fields: ReadonlyMap<string, UploadField>): Shape =>
  defineShape(
    name,
    Object.fromEntries(
      [...fields].map(([field, { limits }]) => [field, limits.most === null ? oneUpload : severalUploads]),
    ),
    { element: 'files' },
  )

interface FieldFile extends FormFile {
  readonly target: UploadField
  /** Detected more closely than that of files under names of their own. */
  readonly type: string
}

const maxFiles = 20

export const receiveUploads = async (context: Context, request: Request, uploads: FieldUploads): Promise<Received> => {
  const { platform, caller } = context
  const { storage, dataDir } = uploads
  const quota = { uploader: caller.pk, maxBytes: uploads.maxBytesPerUser }
  await mustHaveQuotaLeft(platform.records, quota)
  const received = await storeFiles(request, {
    ...{ records: platform.records, storage, dataDir, maxBytes: largestIn(uploads), maxFiles },
    nameOf: ({ field, fileName }) => {
      mustBeField(context, field, uploads)
      return toFileName(fileName, field)
    },
    check: files => mustFit(toFieldFiles(files, uploads)),
  })
  const files = toFieldFiles(received, uploads)
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

const largestIn = ({ fields, maxBytes }: FieldUploads): number =>
  Math.min(maxBytes, Math.max(...[...fields.values()].map(({ limits }) => limits.maxBytes ?? maxBytes)))

const mustBeField = ({ platform, caller }: Context, name: string, { fields }: FieldUploads): void => {
  const target = fields.get(name)
  if (!target) {
    const shortName = name.slice(0, 100)
    const reason = fileFault('file_field', { fields: [...fields.keys()].join(', ') })
    throw refusal([{ pointer: `/${shortName}`, member: shortName, ...reason }])
  }
  if (!platform.access.mayWrite(target.field, caller)) throw new Problem('forbidden')
}

const toFieldFiles = (files: readonly FormFile[], { fields }: FieldUploads): readonly FieldFile[] =>
  files.flatMap(file => {
    const target = fields.get(file.field)
    return target ? [{ ...file, target, type: detectType(file.head) }] : []
  })

/** All faults of all files together. */
const mustFit = async (files: readonly FieldFile[]): Promise<void> => {
  const faults: Fault[] = []
  const counts = new Map<string, number>()
  for (const file of files) {
    const { limits } = file.target
    const name = file.field
    const at = counts.get(name) ?? 0
    counts.set(name, at + 1)
    const reason = await faultOfFile({ ...file, limits }, at)
    const pointer = limits.most === null ? `/${name}` : `/${name}/${at}`
    if (reason) faults.push({ pointer, member: name, ...reason })
  }
  if (faults.length > 0) throw refusal(faults)
}

export const refusal = (errors: readonly Fault[]): Problem => {
  const [first] = errors
  const detail = errors.length === 1 ? `${first?.member} ${first?.message}.` : `${errors.length} files are refused.`
  return new Problem('unprocessable', { detail, errors })
}

/** A file that has arrived, with the limits of its field. */
interface LimitedFile extends Pick<FormFile, 'size' | 'path'> {
  readonly limits: FileLimits
  readonly type: string
}

/** What is wrong with a file at this place of its field; null if nothing is. */
export const faultOfFile = async (
  { limits, size, type, path }: LimitedFile,
  at: number,
): Promise<FaultReason | null> => {
  const { most, maxBytes, mediaTypes, areImages } = limits
  if (most === null && at > 0) return fileFault('one_file')
  if (most !== null && at === most) return fault('max_entries', { max: most })
  if (maxBytes !== null && size > maxBytes) return fileFault('file_size', { max: maxBytes })
  if (mediaTypes && !isAllowedType(type, mediaTypes)) return fileFault('file_type', { types: mediaTypes.join(', ') })
  return areImages && !(await isPicture(path, type)) ? fileFault('picture', { max: maxMegapixels }) : null
}

const recordUploads = async (
  records: TransactionRecords,
  resource: string,
  files: readonly FieldFile[],
): Promise<void> => {
  for (const { key, field, name, type, size, sha256 } of files) {
    const known = { resource, field, name, mediaType: type, size, sha256 }
    await records.update(looseContents, key, { ...known, uploader: records.caller.pk })
  }
}

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
