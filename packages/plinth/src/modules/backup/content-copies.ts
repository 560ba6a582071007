// The contents of uploaded files, copied into a backup.

import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { DatabaseSnapshot } from '../../core/store/snapshot.ts'
import { files, type Storage } from '../files/index.ts'
import type { BackupManifest, BackupPart, BackupWriter } from './archive.ts'

/** The pk of a file is the key of its content. */
export const contentKeys = async ({ registry }: Platform, snapshot: DatabaseSnapshot): Promise<readonly string[]> => {
  const table = snapshot.tables.find(({ name }) => name === registry.resource(files).name)
  if (!table) return []
  const at = table.columns.findIndex(column => column.name === 'pk')
  const keys: string[] = []
  for await (const rows of snapshot.rows(table)) keys.push(...rows.map(row => row[at]).filter(isText))
  return keys
}

const isText = (value: unknown): value is string => typeof value === 'string'

export class ContentCopies {
  readonly #writer: BackupWriter
  readonly #storage: Storage
  readonly #copied = new Map<string, BackupPart>()
  /** Missing when the backup began. */
  readonly #lost = new Set<string>()
  #isFirst = true

  constructor(writer: BackupWriter, storage: Storage) {
    this.#writer = writer
    this.#storage = storage
  }

  /** Copies those that are not copied yet. False when one was deleted in between. */
  async copy(keys: readonly string[]): Promise<boolean> {
    let isComplete = true
    for (const key of keys) {
      if (this.#copied.has(key) || this.#lost.has(key)) continue
      const content = await this.#storage.read(key).catch(unlessGone)
      if (content) this.#copied.set(key, await this.#writer.writePart(`files/${key}`, content))
      else if (this.#isFirst) this.#lost.add(key)
      else isComplete = false
    }
    this.#isFirst = false
    return isComplete
  }

  of(keys: readonly string[]): Pick<BackupManifest, 'contents' | 'lostContents'> {
    return {
      contents: keys.flatMap(key => {
        const part = this.#copied.get(key)
        return part ? [{ key, part }] : []
      }),
      lostContents: keys.filter(key => !this.#copied.has(key)),
    }
  }
}

const unlessGone = (error: unknown): null => {
  if (error instanceof Problem && error.code === 'not_found') return null
  throw error
}
