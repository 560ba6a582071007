// A disk after a power cut: of every file the content that was synced last, of every folder the names that were synced last.
// Nothing else that was written is there.

import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { emptyFolder } from './service-process.ts'

/** One call of fsync: a file with its content in base64, or a folder with its entries. */
export type Sync =
  | { readonly id: string; readonly content: string }
  | { readonly id: string; readonly entries: readonly Entry[] }

interface Entry {
  readonly name: string
  readonly id: string
  readonly isFolder: boolean
}

/** The environment of a service whose syncs are recorded in a file. */
export const recordingSyncs = (journal: string): Record<string, string> => ({
  SYNC_JOURNAL: journal,
  NODE_OPTIONS: `--import=${import.meta.resolve('tsx')} --import=${new URL('record-syncs.ts', import.meta.url)}`,
})

export const readSyncs = async (journal: string): Promise<readonly Sync[]> =>
  (await readFile(journal, 'utf8'))
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Sync)

export interface Disk {
  /** The files by path; folders are left out. */
  readonly files: ReadonlyMap<string, Buffer>
}

/** What the disk holds of a folder after these syncs. */
export const diskAfter = async (folder: string, syncs: readonly Sync[]): Promise<Disk> => {
  const latest = new Map(syncs.map(sync => [sync.id, sync]))
  const files = new Map<string, Buffer>()
  const visit = (id: string, path: string): void => {
    const synced = latest.get(id)
    for (const entry of synced && 'entries' in synced ? synced.entries : []) {
      const below = join(path, entry.name)
      if (entry.isFolder) visit(entry.id, below)
      else files.set(below, contentOf(latest.get(entry.id)))
    }
  }
  const { ino, birthtimeNs } = await stat(folder, { bigint: true })
  visit(`${ino}-${birthtimeNs}`, '')
  return { files }
}

/** A file that was never synced has a name and no content. */
const contentOf = (sync: Sync | undefined): Buffer =>
  Buffer.from(sync && 'content' in sync ? sync.content : '', 'base64')

const isDatabase = (name: string): boolean => name.startsWith('plinth.db')

/** A new folder with what the disk holds. The database files are copied as they are: SQLite syncs them by itself. */
export const restoreAfterPowerCut = async (folder: string, journal: string): Promise<string> => {
  const restored = await emptyFolder()
  const { files } = await diskAfter(folder, await readSyncs(journal))
  for (const [path, content] of files) {
    if (isDatabase(path)) continue
    await mkdir(join(restored, path, '..'), { recursive: true })
    await writeFile(join(restored, path), content)
  }
  for (const name of await readdir(folder))
    if (isDatabase(name)) await copyFile(join(folder, name), join(restored, name))
  return restored
}
