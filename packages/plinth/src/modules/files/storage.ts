// Where the content of files lies.

import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { moveFile } from '../../core/durable-files.ts'
import { Problem } from '../../core/problem.ts'
import type { Part } from '../../core/rest/ranges.ts'

export interface Storage {
  /** Takes over the content of a local file, which must be synced and may be gone afterwards. */
  put(key: string, path: string): Promise<void>
  /** The content, or a part of it. */
  read(key: string, part?: Part | null): Promise<Readable>
  /** What is not there is not missed. */
  remove(key: string): Promise<void>
}

/** Files in a folder of this machine. */
export const folderStorage = (folder: string): Storage => {
  // Keys are UUIDs that grow with time, so their ends spread over the folders.
  const pathOf = (key: string): string => join(folder, key.slice(-2), key)
  return {
    put: (key, path) => moveFile(path, pathOf(key)),
    read: async (key, part) => {
      // Opened at once, so that a missing file is a fault before the answer has begun.
      const handle = await open(pathOf(key)).catch((cause: unknown) => {
        throw new Problem('not_found', {
          detail: { en: 'The content of the file no longer exists.', de: 'Den Inhalt der Datei gibt es nicht mehr.' },
          cause,
        })
      })
      return handle.createReadStream(part ? { start: part.first, end: part.last } : {})
    },
    remove: key => rm(pathOf(key), { force: true }),
  }
}
