// GET …/files and …/files/{name}, for callers who can read the record. Browsers save every file and run none.

import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { FairQueue } from '../../core/fair-queue.ts'
import type { Operation } from '../../core/model/access-rules.ts'
import { integer, text, timestamp } from '../../core/model/fields.ts'
import { toFilter } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { defineShape, list, object, type ShapeValue } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/context.ts'
import type { Call } from '../../core/rest/endpoint.ts'
import { rangeHeaders, readRange } from '../../core/rest/ranges.ts'
import { addressOf } from '../../core/rest/written.ts'
import { endingOf, isImage } from './file-types.ts'
import { createdOf, type FileRecord, files, isYoungerThan } from './files.ts'
import { toLoadingError } from './image-package.ts'
import type { Storage } from './storage.ts'

/** The record that files belong to. */
export interface Owner {
  readonly resource: Resource
  readonly pk: string
  readonly created: string | null
}

/** 404 unless the caller sees the record, 403 unless the operation is allowed on it. */
export const findOwner = async (
  { platform, caller }: Context,
  { resource, pk }: Pick<Owner, 'resource' | 'pk'>,
  operation: Operation,
): Promise<Owner> => {
  const { access, store } = platform
  const allowed = access.permit(resource, operation, caller)
  const visible = toFilter(access.permit(resource, 'read', caller))
  const record = await store.get(resource, pk, { visible })
  if (!record) throw new Problem('not_found')
  if (allowed !== true && !(await store.get(resource, pk, { visible: allowed }))) throw new Problem('forbidden')
  return { resource, pk, created: createdOf(record) }
}

const file = {
  name: text({ required: true }),
  mediaType: text({ required: true }),
  size: integer({ required: true, min: 0 }),
  uploaded: timestamp({ required: true }),
  url: text({ required: true, format: 'uri-reference' }),
}

export const fileList = defineShape('FileList', { files: list(object(file), { required: true }) }, { element: 'files' })

export const describeFile = (
  { name, mediaType, size, uploaded }: Pick<FileRecord, 'name' | 'mediaType' | 'size' | 'uploaded'>,
  { resource, pk }: Owner,
): ShapeValue<typeof file> => ({ name, mediaType, size, uploaded, url: `${addressOf(resource, pk)}/files/${name}` })

const filesOf = async ({ platform }: Context, { resource, pk, created }: Owner): Promise<readonly FileRecord[]> => {
  const found = await platform.records.find(files, { where: { resource: resource.name, owner: pk } })
  return found.filter(file => isYoungerThan(created, file))
}

export const listFiles = async (context: Context, owner: Owner): Promise<ShapeValue<typeof fileList.fields>> => {
  const all = await filesOf(context, owner)
  const found = all.filter(({ field }) => field === null).sort((one, other) => (one.name < other.name ? -1 : 1))
  return { files: found.map(file => describeFile(file, owner)) }
}

interface Download {
  readonly owner: Owner
  readonly storage: Storage
  /** The edge that a preview must fit into; null for the file itself. */
  readonly edge: number | null
}

export const serveFile = async (
  { context, request }: Pick<Call, 'context' | 'request'>,
  { owner, storage, edge }: Download,
): Promise<Answer> => {
  const file = (await filesOf(context, owner)).find(({ name }) => name === request.params.name)
  // A file of a field that the caller may not read does not exist.
  if (!file || (file.field !== null && !context.visibility.view(owner.resource).fields.has(file.field)))
    throw new Problem('not_found')
  const name = file.title ?? file.name
  if (edge === null) {
    const ending = name.includes('.') ? '' : endingOf(file.mediaType)
    const etag = `"${file.sha256}"`
    const part = readRange(request, { size: file.size, etag })
    return {
      kind: 'bytes',
      status: part ? 206 : 200,
      mediaType: file.mediaType,
      body: await storage.read(file.pk, part),
      etag,
      headers: { ...harmless(name + ending), ...rangeHeaders(part, file.size) },
    }
  }
  return {
    kind: 'bytes',
    mediaType: 'image/webp',
    body: await preview(file, edge, async () => buffer(await storage.read(file.pk))),
    etag: `"${file.sha256}-${edge}"`,
    headers: harmless(`${name}.webp`),
  }
}

/** RFC 6266: names beyond plain ASCII have a second form, and the first is for clients that do not know it. */
const dispositionOf = (name: string): string => {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_')
  const attachment = `attachment; filename="${plain}"`
  return plain === name ? attachment : `${attachment}; filename*=UTF-8''${encodeRfc8187(name)}`
}

const encodeRfc8187 = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const harmless = (name: string) => ({
  'Content-Disposition': dispositionOf(name),
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
})

// Previews of pictures. Pictures come from callers, so their decoding is limited: pixels, pictures at a time, and seconds.

export const maxPixels = 25_000_000

/** A request for a preview can be repeated. A whole body should not be sent twice, so an upload waits. */
export const turns = new FairQueue({ places: 2, waiting: 50 })

/** Loaded with the first picture: the library is large, most services never need it, and it may not be installed. */
const loadSharp = async () => {
  try {
    return (await import('sharp')).default
  } catch (cause) {
    throw toLoadingError(cause)
  }
}

/** A smaller picture that fits into a square; `picture` is the content, or the path of a file. */
export const shrink = async (picture: Buffer | string, edge: number): Promise<Buffer> => {
  const sharp = await loadSharp()
  try {
    return await sharp(picture, { limitInputPixels: maxPixels, failOn: 'error' })
      .rotate()
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: 10 })
      .toBuffer()
  } catch (cause) {
    throw new Problem('unprocessable', {
      detail: { en: 'The image cannot be read.', de: 'Das Bild lässt sich nicht lesen.' },
      cause,
    })
  }
}

export const smallestPreview = 16
export const largestPreview = 512

const kept = new LRUCache<string, Buffer>({ maxSize: 16_777_216, sizeCalculation: picture => picture.length })

/** The most megapixels of a picture that previews are made of. */
export const maxMegapixels = maxPixels / 1_000_000

/** Can it be shown? All of it is decoded, since a good header may stand before data that is cut off. */
export const isPicture = async (path: string, mediaType: string): Promise<boolean> => {
  if (!isImage(mediaType)) return false
  try {
    await turns.run(() => shrink(path, smallestPreview))
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'unprocessable') return false
    throw error
  }
}

/** `read` gives the content of the file; it is asked only when the preview is not at hand. */
export const preview = async (file: FileRecord, edge: number, read: () => Promise<Buffer>): Promise<Buffer> => {
  if (!isImage(file.mediaType))
    throw new Problem('unprocessable', { en: 'The file is not an image.', de: 'Die Datei ist kein Bild.' })
  const key = `${file.sha256} ${edge}`
  const known = kept.get(key)
  if (known) return known
  const make = async (): Promise<Buffer> => {
    const picture = await shrink(await read(), edge)
    kept.set(key, picture)
    return picture
  }
  return turns.run(make, { mayWait: false })
}
