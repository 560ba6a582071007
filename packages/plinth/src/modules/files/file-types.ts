// Types and names of files. The type is detected from the first bytes, whatever the caller says. Names come from callers: they
// are part of addresses and headers, and may be saved on any system.

import { Problem } from '../../core/problem.ts'
import { fileFault } from './problems.ts'

interface Signature {
  readonly mediaType: string
  readonly ending: string
  readonly fits: (head: Buffer) => boolean
}

const begins = (bytes: string, at = 0) => {
  const signature = Buffer.from(bytes, 'latin1')
  return (head: Buffer): boolean => head.subarray(at, at + signature.length).equals(signature)
}

const signatures: readonly Signature[] = [
  { mediaType: 'image/png', ending: '.png', fits: begins('\x89PNG\r\n\x1a\n') },
  { mediaType: 'image/jpeg', ending: '.jpg', fits: begins('\xff\xd8\xff') },
  { mediaType: 'image/gif', ending: '.gif', fits: head => begins('GIF87a')(head) || begins('GIF89a')(head) },
  { mediaType: 'image/webp', ending: '.webp', fits: head => begins('RIFF')(head) && begins('WEBP', 8)(head) },
  { mediaType: 'application/pdf', ending: '.pdf', fits: begins('%PDF-') },
]

export const unknownType = 'application/octet-stream'

/** All that a file can come as. */
export const mediaTypes: readonly string[] = [unknownType, ...signatures.map(({ mediaType }) => mediaType)]

/** Everything else, among it HTML and SVG, is bytes that no browser will show. */
export const mediaTypeOf = (head: Buffer): string => signatures.find(({ fits }) => fits(head))?.mediaType ?? unknownType

export const endingOf = (mediaType: string): string => signatures.find(one => one.mediaType === mediaType)?.ending ?? ''

export const isImage = (mediaType: string): boolean => mediaType.startsWith('image/')

const safe = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Devices on Windows, whatever ending follows. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

export const isFileName = (name: string): boolean =>
  safe.test(name) && !reserved.test(name) && !name.includes('..') && !name.endsWith('.')

export const readFileName = (field: string): string => {
  if (isFileName(field)) return field
  throw new Problem('invalid', {
    detail: 'The name of a form field is not a valid file name.',
    errors: [{ pointer: '', ...fileFault('file_name') }],
  })
}

/** Control and format characters, among them those that change the direction of the text after them. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const longestFileName = 200

/** The last part of what a sender calls a file, fit to be shown and to be saved under. */
export const toFileName = (sent: string, fallback: string): string => {
  const parts = sent.normalize('NFC').toWellFormed().split(/[\\/]/)
  const name = (parts.at(-1) ?? '').replace(invisible, '').trim()
  if (name === '' || /^\.+$/.test(name)) return fallback
  if (name.length <= longestFileName) return name
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? ''
  return name.slice(0, longestFileName - ending.length).toWellFormed() + ending
}
