// What a file is, by its first bytes: what the caller says of it counts for nothing.

interface Signature {
  readonly mediaType: string
  readonly ending: string
  readonly fits: (head: Buffer) => boolean
}

const begins = (bytes: string, at = 0) => {
  const wanted = Buffer.from(bytes, 'latin1')
  return (head: Buffer): boolean => head.subarray(at, at + wanted.length).equals(wanted)
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
