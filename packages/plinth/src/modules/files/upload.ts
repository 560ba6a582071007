// POST and DELETE …/files. Each file of an upload is stored under the name of its form field: all of them or none.

import type { Request } from '../../core/http/exchange.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { recordsWithin } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/context.ts'
import type { Call } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import type { Received } from '../../core/rest/work.ts'
import { addressOf } from '../../core/rest/written.ts'
import { readFileName } from './file-types.ts'
import {
  dropLoose,
  type FileRecord,
  files,
  forgetLoose,
  holdQuota,
  isYoungerThan,
  mustBeWithinQuota,
  mustHaveQuotaLeft,
  noteLoose,
} from './files.ts'
import { fileFault } from './problems.ts'
import { describeFile, fileList, isPicture, maxMegapixels, type Owner } from './serve.ts'
import type { Staged } from './staging.ts'
import type { Storage } from './storage.ts'
import { keysOf, storeFiles } from './store-files.ts'

const maxFiles = 10
const maxFilesOfOwner = 100

export interface Upload {
  readonly owner: Owner
  readonly storage: Storage
  readonly dataDir: string
  readonly maxBytes: number
  readonly maxBytesPerUser: number
  /** Fields that point to the file of their name, which must be a picture. */
  readonly pictures: readonly string[]
}

/** The content is stored first, under random keys: a record never refers to a file that does not exist. */
export const receiveUpload = async (
  { platform, caller }: Context,
  request: Request,
  upload: Upload,
): Promise<Received> => {
  const { owner, storage, pictures } = upload
  const quota = { uploader: caller.pk, maxBytes: upload.maxBytesPerUser }
  await mustHaveQuotaLeft(platform.records, quota)
  const staged = await storeFiles(request, {
    ...{ records: platform.records, storage, dataDir: upload.dataDir, maxBytes: upload.maxBytes, maxFiles },
    nameOf: ({ field }) => readFileName(field),
    check: all => mustBeGood(all, pictures),
  })
  const now = platform.clock().toISOString()
  // The clocks of two instances differ a little; a file is never older than its record.
  const uploaded = owner.created !== null && owner.created > now ? owner.created : now
  let replaced: readonly FileRecord[] = []
  return {
    digest: digestOf(staged),
    run: async transaction => {
      const records = recordsWithin(transaction).asService
      await holdQuota(records, quota)
      replaced = await note(records, { owner, staged, pictures, uploaded })
      await mustBeWithinQuota(records, quota)
      const files = staged.map(one => describeFile({ ...one, uploaded }, owner))
      return toValueAnswer(fileList, { files }, { status: replaced.length < staged.length ? 201 : 200 })
    },
    settle: () => dropLoose(platform.records, storage, [...keysOf(staged), ...replaced.map(({ pk }) => pk)]),
  }
}

/** Names and content; how the body was framed does not count. */
const digestOf = (staged: readonly Staged[]): string => JSON.stringify(staged.map(({ name, sha256 }) => [name, sha256]))

const mustBeGood = async (staged: readonly Staged[], pictures: readonly string[]): Promise<void> => {
  if (new Set(staged.map(({ name }) => name)).size < staged.length)
    throw new Problem('unprocessable', {
      en: 'Two files have the same name.',
      de: 'Zwei Dateien haben denselben Namen.',
    })
  const faults: Fault[] = []
  for (const { name, path, mediaType } of staged)
    if (pictures.includes(name) && !(await isPicture(path, mediaType)))
      faults.push({ pointer: `/${name}`, member: name, ...fileFault('picture', { max: maxMegapixels }) })
  if (faults.length > 0) throw new Problem('unprocessable', { errors: faults })
}

interface Noting {
  readonly owner: Owner
  readonly staged: readonly Staged[]
  readonly pictures: readonly string[]
  readonly uploaded: string
}

/** Gives the files that had these names before. */
const note = async (records: TransactionRecords, noting: Noting): Promise<readonly FileRecord[]> => {
  const { owner, staged, uploaded } = noting
  const { resource, pk } = owner
  // Held, so that two uploads of one name come one after the other, and none comes after the record is gone.
  if (!(await records.lock(resource.definition, pk))) throw new Problem('not_found')
  const known = await records.find(files, { where: { resource: resource.name, owner: pk } })
  const names = new Set(staged.map(({ name }) => name))
  const replaced = known.filter(({ name }) => names.has(name))
  const ofField = replaced.find(({ field }) => field !== null)
  if (ofField)
    throw new Problem('conflict', `${ofField.name} is the file of the field ${ofField.field}; choose another name.`)
  if (known.length - replaced.length + staged.length > maxFilesOfOwner)
    throw new Problem('conflict', {
      en: `A record can have at most ${maxFilesOfOwner} files.`,
      de: `Ein Datensatz kann höchstens ${maxFilesOfOwner} Dateien haben.`,
    })
  for (const old of replaced) await records.remove(files, old.pk)
  for (const { key, name, mediaType, size, sha256 } of staged) {
    const file = { resource: resource.name, owner: pk, name, mediaType, size, sha256 }
    await records.create(files, { pk: key, ...file, uploaded, uploader: records.caller.pk })
  }
  await forgetLoose(records, keysOf(staged))
  await noteLoose(
    records,
    replaced.map(({ pk }) => pk),
    uploaded,
  )
  const urls = urlFields(noting)
  if (Object.keys(urls).length > 0) await records.update(resource.definition, pk, urls)
  return replaced
}

/** `avatarUrl` and its like point to the file of their name; each new content has a new address. */
const urlFields = ({ owner: { resource, pk }, staged, pictures }: Noting): Record<string, string> =>
  Object.fromEntries(
    staged
      .filter(({ name }) => pictures.includes(name))
      .map(({ name, sha256 }) => [name, `${addressOf(resource, pk)}/files/${name}?v=${sha256.slice(0, 12)}`]),
  )

/** The record goes first, and the content after it: a record never speaks of a file that is not there. */
export const removeFile = async (
  { context, request, records: { asService } }: Pick<Call, 'context' | 'request' | 'records'>,
  { owner: { resource, pk, created }, storage, pictures }: Pick<Upload, 'owner' | 'storage' | 'pictures'>,
): Promise<void> => {
  const name = request.params.name ?? ''
  const removed = await asService.transaction(async records => {
    // Held, so that an upload of the same name comes before or after.
    if (!(await records.lock(resource.definition, pk))) throw new Problem('not_found')
    const file = await records.first(files, { where: { resource: resource.name, owner: pk, name } })
    if (!file || !isYoungerThan(created, file)) throw new Problem('not_found')
    if (file.field !== null)
      throw new Problem('conflict', `The file belongs to the field ${file.field}; change the field.`)
    await records.remove(files, file.pk)
    await noteLoose(records, [file.pk], records.now.toISOString())
    if (pictures.includes(name)) await records.update(resource.definition, pk, { [name]: null })
    return file.pk
  })
  await dropLoose(context.platform.records, storage, [removed])
}
