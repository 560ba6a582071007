// Where backups are stored: a folder by default, a bucket when one is given. A backup is a folder of parts. Its last part, the
// digest of the manifest, makes it complete: what a killed process leaves behind is never taken for a backup.

import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { errorCode, Problem } from '../../core/problem.ts'
import { digestPath, manifestPath } from './archive.ts'
import { encryptedEnding } from './encryption.ts'
import { backupSettings } from './settings.ts'

export type Bytes = AsyncIterable<Uint8Array>

export interface BackupPlace {
  /** For people to read. */
  readonly address: string
  /** The names of all backups and the paths of the parts that each has directly in its folder. */
  list(): Promise<ReadonlyMap<string, readonly string[]>>
  /** The paths of all parts of a backup, below its folder. */
  parts(backup: string): Promise<readonly string[]>
  /** The part is durable when this returns. */
  write(path: string, content: Bytes): Promise<void>
  /** Problem `not_found` when there is no such part. */
  read(path: string): Promise<Bytes>
  remove(backup: string): Promise<void>
}

export const placeOf = async (config: Config, target = config.get(backupSettings).target): Promise<BackupPlace> => {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(target) ?? []
  if (bucket === undefined) return folderPlace(target || join(config.get(appSettings).dataDir, 'backups'))
  // Loaded only when needed: the client of the bucket is large.
  const { bucketPlace } = await import('./s3-place.ts')
  return bucketPlace(config, { bucket, prefix: prefix.replace(/\/+$/, '') })
}

export const folderPlace = (given: string): BackupPlace => {
  const folder = resolve(given)
  return {
    address: folder,
    list: async () => {
      const backups = new Map<string, readonly string[]>()
      for (const one of await readdir(folder, { withFileTypes: true }).catch(unlessMissing))
        if (one.isDirectory()) backups.set(one.name, await readdir(join(folder, one.name)))
      return backups
    },
    parts: async backup => {
      const found = await readdir(join(folder, backup), { recursive: true, withFileTypes: true })
      const files = found.filter(one => one.isFile())
      return files.map(one => relative(join(folder, backup), join(one.parentPath, one.name)).split(sep).join('/'))
    },
    write: (path, content) => replaceFile(join(folder, path), Readable.from(content)),
    read: async path => {
      const content = createReadStream(join(folder, path))
      await new Promise<void>((done, fail) => content.once('open', () => done()).once('error', fail)).catch(error => {
        throw isMissing(error) ? missingPart(path, error) : error
      })
      return content
    },
    remove: backup => rm(join(folder, backup), { recursive: true, force: true }),
  }
}

const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT'

const unlessMissing = (error: unknown): never[] => {
  if (isMissing(error)) return []
  throw error
}

export const missingPart = (path: string, cause: unknown): Problem =>
  new Problem('not_found', { detail: `The backup has no part ${path}.`, cause })

// Which backups there are, and which are too many.

const namePattern = /^plinth-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-([0-9a-f]{8}))?-[0-9a-f]{4}$/

/** When the backup of this name was begun, and of which database; null for anything else in the folder. */
const readName = (name: string): Pick<BackupEntry, 'created' | 'installation'> | null => {
  const [, year, month, day, hour, minute, second, installation = null] = namePattern.exec(name) ?? []
  if (year === undefined) return null
  return { created: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`), installation }
}

export interface BackupEntry {
  readonly name: string
  readonly created: Date
  /** Null in the names of old backups. */
  readonly installation: string | null
  readonly isComplete: boolean
  readonly isEncrypted: boolean
}

/** The newest first. */
export const listBackups = async (place: BackupPlace): Promise<readonly BackupEntry[]> =>
  [...(await place.list())]
    .flatMap(([name, parts]) => {
      const read = readName(name)
      const isEncrypted = parts.includes(manifestPath + encryptedEnding)
      return read ? [{ name, ...read, isComplete: parts.includes(digestPath), isEncrypted }] : []
    })
    .sort((left, right) => (left.name < right.name ? 1 : -1))

/** The newest complete backup of this installation, or of any when it is unknown; null when there is none. */
export const newestBackup = async (config: Config, installation: string | null): Promise<BackupEntry | null> => {
  const backups = await listBackups(await placeOf(config))
  const isOurs = (one: BackupEntry) => installation === null || one.installation === installation
  return backups.find(one => one.isComplete && isOurs(one)) ?? null
}

/** The name itself, or that of the newest backup for `latest`. */
export const findBackup = async (place: BackupPlace, name: string): Promise<string> => {
  const backups = (await listBackups(place)).filter(({ isComplete }) => isComplete)
  if (name === 'latest' && new Set(backups.map(({ installation }) => installation)).size > 1)
    throw new Problem(
      'conflict',
      `${place.address} has backups of several installations: name the one to restore. \`plinth backup --list\` lists them.`,
    )
  const found = name === 'latest' ? backups[0] : backups.find(one => one.name === name)
  if (found) return found.name
  const known = backups.map(one => one.name).join(', ') || 'none'
  throw new Problem('not_found', `There is no backup ${name} in ${place.address}. There are: ${known}.`)
}

/** A backup that takes longer is taken for one whose process was killed. */
const unfinishedMs = 24 * 3600_000

export interface Retention {
  /** How many of the newest; 0 keeps all. */
  readonly keep: number
  readonly now: Date
  /** Whose backups: those of others that share the place are left alone. */
  readonly installation: string
}

/** Removes all but the newest, and what killed processes left behind. Gives the names. */
export const removeOldBackups = async (
  place: BackupPlace,
  { keep, now, installation }: Retention,
): Promise<readonly string[]> => {
  const backups = (await listBackups(place)).filter(one => one.installation === installation)
  const complete = backups.filter(({ isComplete }) => isComplete)
  const surplus = keep === 0 ? [] : complete.slice(keep)
  const abandoned = backups.filter(
    ({ isComplete, created }) => !isComplete && now.getTime() - created.getTime() > unfinishedMs,
  )
  const removed = [...surplus, ...abandoned].map(({ name }) => name)
  for (const name of removed) await place.remove(name)
  return removed
}
