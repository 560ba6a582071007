// The formats of files. This list is the only place that names them.

import { extname } from 'node:path'
import { errorCode, Problem } from '../../problem.ts'
import { readMediaType } from '../media-type.ts'
import { csv } from './csv.ts'
import type { FileFormat } from './file-format.ts'
import { jsonList, ndjson } from './json-lists.ts'
import { xlsx } from './xlsx.ts'

export const fileFormats: readonly FileFormat[] = [csv, ndjson, jsonList, xlsx]

export const fileFormatNames = fileFormats.map(({ name }) => name)

/** The formats whose media types stand for a file wherever a list of records is requested; JSON stands for a page. */
export const ownFileFormats: readonly FileFormat[] = fileFormats.filter(format => format !== jsonList)

/** Finds a format by its name; problem `bad_request` when there is none. */
export const fileFormatNamed = (name: string): FileFormat => {
  const found = fileFormats.find(one => one.name === name)
  if (found) return found
  throw new Problem('bad_request', `There is no format '${name}'. The formats are: ${fileFormatNames.join(', ')}.`)
}

/** Finds a format by its name, or by the ending of the file; CSV when there is neither. */
export const fileFormatOf = (name: string | undefined, file: string | undefined): FileFormat =>
  fileFormatNamed(name ?? (file === undefined ? 'csv' : extname(file).slice(1).toLowerCase()))

/** Finds the format of a body with this content type; null for any other. */
export const fileFormatOfBody = (contentType: string | undefined): FileFormat | null => {
  const type = readMediaType((contentType ?? '').trim())?.type
  return fileFormats.find(({ mediaType, aliases = [] }) => type === mediaType || aliases.includes(type ?? '')) ?? null
}

/** What the operating system or a reader says of a file, in words. */
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read by this user',
}

export const toFileProblem = (error: unknown, file: string): unknown => {
  const code = errorCode(error)
  return code in unreadable ? new Problem('bad_request', `${file} ${unreadable[code]}.`) : error
}
