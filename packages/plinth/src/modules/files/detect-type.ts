// The media type of a file that becomes the value of a field: by its first bytes, whatever the sender calls it.

import { isUtf8 } from 'node:buffer'
import { mediaTypeOf, unknownType } from './file-types.ts'

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** Media types that are detected by the content of a file. */
export type DetectedType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/gif'
  | 'image/webp'
  | 'application/pdf'
  | 'application/zip'
  | `${typeof office}.${'wordprocessingml.document' | 'spreadsheetml.sheet' | 'presentationml.presentation'}`
  | `${typeof openDocument}.${'text' | 'spreadsheet' | 'presentation'}`
  | 'audio/mpeg'
  | 'video/mp4'
  | 'text/plain'

/** What a field can allow: a media type, or all of a kind. */
export type AllowedType = DetectedType | 'image/*' | 'audio/*' | 'video/*' | 'text/*'

/** Office documents are archives: by the names of the files in them. */
const archives: readonly (readonly [name: string, type: DetectedType])[] = [
  ['word/', `${office}.wordprocessingml.document`],
  ['xl/', `${office}.spreadsheetml.sheet`],
  ['ppt/', `${office}.presentationml.presentation`],
  [`mimetype${openDocument}.text`, `${openDocument}.text`],
  [`mimetype${openDocument}.spreadsheet`, `${openDocument}.spreadsheet`],
  [`mimetype${openDocument}.presentation`, `${openDocument}.presentation`],
]

const begins = (head: Buffer, bytes: string, at = 0): boolean =>
  head.subarray(at, at + bytes.length).toString('latin1') === bytes

const isMpegAudio = (head: Buffer): boolean =>
  begins(head, 'ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)

const mp4Brands = /^(isom|iso\d|mp4\d|avc1|M4V |dash|qt {2})/

const isMp4 = (head: Buffer): boolean =>
  begins(head, 'ftyp', 4) && mp4Brands.test(head.subarray(8, 12).toString('latin1'))

/** Control characters do not occur in texts, except those that move the place of writing. */
const isControl = (byte: number): boolean => byte < 32 && (byte < 9 || byte > 13)

const mostBytesOfCharacter = 4

/** The first bytes may end in the middle of a character. */
const isText = (head: Buffer): boolean => {
  if (head.length === 0 || head.some(isControl)) return false
  for (let cut = 0; cut < mostBytesOfCharacter; cut++) {
    const part = head.subarray(0, head.length - cut)
    if (part.length > 0 && isUtf8(part)) return true
  }
  return false
}

const archiveType = (head: Buffer): DetectedType => {
  const names = head.toString('latin1')
  return archives.find(([name]) => names.includes(name))?.[1] ?? 'application/zip'
}

/** `application/octet-stream` for everything else, among it all that browsers would run. */
export const detectType = (head: Buffer): string => {
  const known = mediaTypeOf(head)
  if (known !== unknownType) return known
  if (begins(head, 'PK\x03\x04')) return archiveType(head)
  if (isMp4(head)) return 'video/mp4'
  if (isMpegAudio(head)) return 'audio/mpeg'
  return isText(head) ? 'text/plain' : unknownType
}
