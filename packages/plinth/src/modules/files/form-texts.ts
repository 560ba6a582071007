// The parts of a form that are no files: the record as a document, or its fields as texts. They are kept in memory, within the limit of a body.

import { isUtf8 } from 'node:buffer'
import { addAbortSignal, type Readable } from 'node:stream'
import { formatsByName } from '../../core/formats/index.ts'
import type { FilePart } from '../../core/http/multipart.ts'
import { Problem } from '../../core/problem.ts'
import { type Body, readBody } from '../../core/rest/body.ts'
import { type FormValue, toFields } from '../../core/rest/form-fields.ts'
import type { FormTask } from '../../core/rest/forms.ts'
import type { OtherParts } from './store-files.ts'

/** The name of the part with the record. */
export const recordPart = 'record'

/** The most parts beside files: a document, or a value for each field. */
const maxTexts = 1000

/** What a part takes in memory beside its text, about. */
const partBytes = 64

export interface FormTexts extends OtherParts {
  /** The record of the form. Called when all of it has arrived. */
  toBody(isStrict: boolean): Body
  /** What was sent, for comparison with an earlier request. */
  sent(): unknown
}

export const createFormTexts = ({ request, resource, format }: FormTask, maxBytes: number): FormTexts => {
  const documents: { readonly type: string | undefined; readonly content: Buffer }[] = []
  const values: FormValue[] = []
  let bytes = 0

  const read = async (content: Readable, signal: AbortSignal): Promise<Buffer> => {
    const pieces: Uint8Array[] = []
    bytes += partBytes
    for await (const piece of addAbortSignal(signal, content)) {
      bytes += piece.length
      if (bytes > maxBytes) throw new Problem('too_large')
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }

  const isDocument = ({ field, mediaType }: FilePart): boolean =>
    field === recordPart && (isJson.test(mediaType) || !resource.fields.has(recordPart))

  return {
    most: maxTexts,
    maxBytes,
    // A browser sends a part without a file name and content for a file that was not chosen.
    has: part => !part.isFile || part.fileName === '' || isDocument(part),
    take: async (part, stream, signal) => {
      const content = await read(stream, signal)
      if (isDocument(part)) documents.push({ type: isJson.test(part.mediaType) ? part.mediaType : undefined, content })
      else if (!part.isFile) values.push([part.field, textOf(part, content)])
      else if (content.length > 0) throw new Problem('bad_request', `The file for ${part.field} has no file name.`)
    },
    toBody: isStrict => {
      const [document] = documents
      if (documents.length > 1 || (document && values.length > 0))
        throw new Problem(
          'bad_request',
          `Send the record in one part '${recordPart}', or each field in a part of its own.`,
        )
      const options = { fallback: format, isStrict }
      const body = document
        ? readBody(
            { method: request.method, headers: { 'content-type': document.type }, body: document.content },
            options,
          )
        : { format: formatsByName.json, mergePatch: false, json: toFields(resource, values), isStrict }
      if (Array.isArray(body.json)) throw new Problem('bad_request', 'A form holds one record.')
      return body
    },
    sent: () => [documents.map(({ type, content }) => [type, content.toString('latin1')]), values],
  }
}

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i

const textOf = ({ field }: FilePart, content: Buffer): string => {
  if (!isUtf8(content)) throw new Problem('bad_request', `The value of ${field.slice(0, 100)} is not UTF-8.`)
  return content.toString('utf8')
}
