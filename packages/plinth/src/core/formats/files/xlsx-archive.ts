// The archive that a spreadsheet is (XLSX). A small archive can unfold to any size and depth, so both are limited.

import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Problem } from '../../problem.ts'

export const unreadable = (cause?: unknown): Problem =>
  new Problem('bad_request', { detail: 'The file is not a spreadsheet (XLSX) that can be read.', cause })

/** Entries beyond these are not those of a spreadsheet with records: a small archive can unfold to any size. */
const maxEntries = 10_000
const maxUnpackedBytes = 2_000_000_000
/** What an archive may unfold to: so many bytes in any case, and so many for each byte of the archive. */
const [freeBytes, maxRatio] = [100_000_000, 100]
/** Elements in elements: a cell is the sixth. */
export const maxDepth = 32
export const maxAttributes = 100
export const suspicious = (why: string): Problem =>
  new Problem(
    'bad_request',
    `The spreadsheet is not read: ${why}. Save it again with a spreadsheet program, or use CSV.`,
  )

export interface Archive {
  readonly zip: ZipFile
  readonly entries: ReadonlyMap<string, Entry>
}

export const openArchive = async (path: string): Promise<Archive> => {
  const zip = await openPromise(path, { autoClose: false }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall ? error : unreadable(error)
  })
  try {
    const entries = new Map<string, Entry>()
    let [bytes, packed] = [0, 0]
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry)
      bytes += entry.uncompressedSize
      packed += entry.compressedSize
      if (entries.size > maxEntries) throw suspicious(`it has more than ${maxEntries} parts`)
      if (bytes > maxUnpackedBytes) throw suspicious('it is too large when it is unpacked')
    }
    if (bytes > freeBytes + maxRatio * packed)
      throw suspicious(`it unpacks to more than ${maxRatio} times its size, as no spreadsheet with records does`)
    return { zip, entries }
  } catch (error) {
    zip.close()
    throw error instanceof Problem ? error : unreadable(error)
  }
}

/**
 * Returns null when there is no such part. The archive says how large it is, and reading it ends where it is larger.
 */
export const openPart = async (
  { zip, entries }: Archive,
  path: string,
  maxBytes = maxUnpackedBytes,
): Promise<Readable | null> => {
  const entry = entries.get(path)
  if (!entry) return null
  if (entry.uncompressedSize > maxBytes) throw suspicious('it has too many sheets')
  return (await zip.openReadStreamPromise(entry)).setEncoding('utf8')
}
