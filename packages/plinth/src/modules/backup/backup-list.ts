// Which backups there are, and which are too many. The last part of a backup, the digest of the manifest, makes it complete: what a
// killed process leaves behind is never taken for a backup.

import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import { digestPath, manifestPath } from './archive.ts'
import { encryptedEnding } from './encryption.ts'
import { type BackupPlace, placeOf } from './place.ts'

const namePattern = /^plinth-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-([0-9a-f]{8}))?-[0-9a-f]{4}$/

/** Reads the time and the database of the backup of this name; null for anything else in the folder. */
const readName = (name: string): Pick<BackupEntry, 'created' | 'installation'> | null => {
  const [, year, month, day, hour, minute, second, installation = null] = namePattern.exec(name) ?? []
  if (year === undefined) return null
  return { created: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`), installation }
}

export interface BackupEntry {
  readonly name: string
  readonly created: Date
  /** Is null in the names of old backups. */
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
  /** The installation of the backups: those of others that share the place are left alone. */
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
