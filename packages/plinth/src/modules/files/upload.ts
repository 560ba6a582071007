// POST and DELETE …/files. Each file of an upload is stored under the name of its form field: all of them or none.

import { createHash } from 'node:crypto'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { uuidv7 } from 'uuidv7'
import { toDiskProblem } from '../../core/durable-files.ts'
import type { Request } from '../../core/http/exchange.ts'
import { readFiles } from '../../core/http/multipart.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/context.ts'
import type { Call } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { Received } from '../../core/rest/work.ts'
import { addressOf } from '../../core/rest/written.ts'
import { mediaTypeOf, readFileName } from './file-types.ts'
import {
  dropLoose,
  type FileRecord,
  files,
  forgetLoose,
  isYoungerThan,
  mustBeWithinQuota,
  mustHaveQuotaLeft,
  noteLoose,
} from './files.ts'
import { fileFault } from './problems.ts'
import { describeFile, fileList, isPicture, maxMegapixels, type Owner } from './serve.ts'
import type { Storage } from './storage.ts'

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
  const quota = { uploader: caller.pk ?? '', maxBytes: upload.maxBytesPerUser }
  await mustHaveQuotaLeft(platform.records, quota)
  const staged = await storeAll(platform, request, upload)
  const now = platform.clock().toISOString()
  // The clocks of two instances differ a little; a file is never older than its record.
  const uploaded = owner.created !== null && owner.created > now ? owner.created : now
  let replaced: readonly FileRecord[] = []
  return {
    digest: digestOf(staged),
    run: async ({ tx }) => {
      const records = recordsIn(tx)
      replaced = await note(records, { owner, staged, pictures, uploaded })
      await mustBeWithinQuota(records, quota)
      const files = staged.map(one => describeFile({ ...one, uploaded }, owner))
      return toValueAnswer(fileList, { files }, { status: replaced.length < staged.length ? 201 : 200 })
    },
    settle: () => dropLoose(platform.records, storage, [...keysOf(staged), ...replaced.map(({ pk }) => pk)]),
  }
}

const keysOf = (staged: readonly Staged[]): string[] => staged.map(({ key }) => key)

/** Names and content; how the body was framed does not count. */
const digestOf = (staged: readonly Staged[]): string => JSON.stringify(staged.map(({ name, sha256 }) => [name, sha256]))

/** Every file of the body, looked at and in the storage; or none. */
const storeAll = async (platform: Platform, request: Request, upload: Upload): Promise<readonly Staged[]> => {
  const staging: Promise<Staged>[] = []
  try {
    await readFiles(request, { maxBytes: upload.maxBytes, maxFiles }, async (field, content, signal) => {
      const one = stage(stagingOf(upload.dataDir), { name: readFileName(field), content, signal })
      staging.push(one)
      await one
    })
    const staged = await Promise.all(staging)
    await mustBeGood(staged, upload.pictures)
    await put(platform, upload.storage, staged)
    return staged
  } catch (error) {
    throw toDiskProblem(error)
  } finally {
    // A refusal in the middle of the body leaves a file half staged: it is waited for, and then discarded with the rest.
    const ended = await Promise.allSettled(staging)
    await Promise.all(ended.map(one => (one.status === 'fulfilled' ? discard(one.value.path) : null)))
  }
}

const put = async ({ records }: Platform, storage: Storage, staged: readonly Staged[]): Promise<void> => {
  await records.transaction(own => noteLoose(own, keysOf(staged), own.now.toISOString()))
  try {
    for (const { key, path } of staged) await storage.put(key, path)
  } catch (error) {
    await dropLoose(records, storage, keysOf(staged))
    throw error
  }
}

const mustBeGood = async (staged: readonly Staged[], pictures: readonly string[]): Promise<void> => {
  if (staged.length === 0) throw new Problem('bad_request', 'The body does not contain a file.')
  if (new Set(staged.map(({ name }) => name)).size < staged.length)
    throw new Problem('unprocessable', 'Two files have the same name.')
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
  if (known.length - replaced.length + staged.length > maxFilesOfOwner)
    throw new Problem('conflict', `A record can have at most ${maxFilesOfOwner} files.`)
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
    await records.remove(files, file.pk)
    await noteLoose(records, [file.pk], records.now.toISOString())
    if (pictures.includes(name)) await records.update(resource.definition, pk, { [name]: null })
    return file.pk
  })
  await dropLoose(context.platform.records, storage, [removed])
}

// A file on its way in: written beside the store, measured and checked, before anyone can read it.

export interface Staged {
  readonly key: string
  readonly name: string
  readonly path: string
  readonly mediaType: string
  readonly size: number
  readonly sha256: string
}

export interface Arriving {
  readonly name: string
  readonly content: Readable
  readonly signal: AbortSignal
}

export const stagingOf = (dataDir: string): string => join(dataDir, 'uploads')

/** The content is synced to the disk when this returns. Leaves nothing behind when it fails. */
export const stage = async (folder: string, { name, content, signal }: Arriving): Promise<Staged> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const key = uuidv7()
  const path = join(folder, key)
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  const look = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece)
      size += piece.length
      if (head.length < 16) head = Buffer.concat([head, piece.subarray(0, 16)])
      done(null, piece)
    },
  })
  const target = createWriteStream(path, { mode: 0o600, flush: true })
  try {
    await pipeline(content, look, target, { signal })
  } catch (error) {
    // Its opening may still be under way, and would bring back what is discarded.
    await closed(target)
    await discard(path)
    throw error
  }
  return { key, name, path, mediaType: mediaTypeOf(head), size, sha256: hash.digest('hex') }
}

const closed = (target: WriteStream): Promise<void> =>
  target.closed ? Promise.resolve() : new Promise(resolve => target.once('close', () => resolve()))

export const discard = (path: string): Promise<void> => rm(path, { force: true })
