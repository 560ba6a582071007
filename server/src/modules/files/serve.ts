// GET …/files and …/files/{name}. Whatever is in a file, a browser saves it and runs none of it.

import { buffer } from 'node:stream/consumers'
import type { ShapeValue } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Call } from '../../core/rest/endpoint.ts'
import type { Context } from '../../core/rest/platform.ts'
import { rangeHeaders, readRange } from '../../core/rest/range.ts'
import { type FileRecord, files } from './files.ts'
import { endingOf } from './media-types.ts'
import { describeFile, type fileList, type Owner } from './owner.ts'
import { preview } from './preview.ts'
import type { Storage } from './storage.ts'

const filesOf = ({ platform }: Context, { resource, pk }: Owner): Promise<readonly FileRecord[]> =>
  platform.records.find(files, { where: { resource: resource.name, owner: pk } })

export const listFiles = async (context: Context, owner: Owner): Promise<ShapeValue<typeof fileList.fields>> => {
  const found = [...(await filesOf(context, owner))].sort((one, other) => (one.name < other.name ? -1 : 1))
  return { files: found.map(file => describeFile(file, owner)) }
}

interface Download {
  readonly owner: Owner
  readonly storage: Storage
  /** That a preview must fit into; null for the file itself. */
  readonly edge: number | null
}

export const serveFile = async (
  { context, request }: Pick<Call, 'context' | 'request'>,
  { owner, storage, edge }: Download,
): Promise<Answer> => {
  const file = (await filesOf(context, owner)).find(({ name }) => name === request.params.name)
  if (!file) throw new Problem('not_found')
  if (edge === null) {
    const ending = file.name.includes('.') ? '' : endingOf(file.mediaType)
    const etag = `"${file.sha256}"`
    const part = readRange(request, { size: file.size, etag })
    return {
      kind: 'bytes',
      status: part ? 206 : 200,
      mediaType: file.mediaType,
      body: await storage.read(file.pk, part),
      etag,
      headers: { ...harmless(file.name + ending), ...rangeHeaders(part, file.size) },
    }
  }
  return {
    kind: 'bytes',
    mediaType: 'image/webp',
    body: await preview(file, edge, async () => buffer(await storage.read(file.pk))),
    etag: `"${file.sha256}-${edge}"`,
    headers: harmless(`${file.name}.webp`),
  }
}

/** Names are plain ASCII (`names.ts`), so the simple form of RFC 6266 will do. */
const harmless = (name: string) => ({
  'Content-Disposition': `attachment; filename="${name}"`,
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
})
