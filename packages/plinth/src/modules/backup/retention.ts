// Which backups there are, and which are too many.

import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import { digestPath } from './archive.ts'
import { type BackupPlace, placeOf } from './place.ts'

const namePattern = /^plinth-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{4}$/

/** When the backup of this name was begun; null for anything else in the folder. */
const begunAt = (name: string): Date | null => {
  const [, year, month, day, hour, minute, second] = namePattern.exec(name) ?? []
  return year === undefined ? null : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

export interface BackupEntry {
  readonly name: string
  readonly created: Date
  readonly isComplete: boolean
}

/** The newest first. */
export const listBackups = async (place: BackupPlace): Promise<readonly BackupEntry[]> =>
  [...(await place.list())]
    .flatMap(([name, parts]) => {
      const created = begunAt(name)
      return created ? [{ name, created, isComplete: parts.includes(digestPath) }] : []
    })
    .sort((left, right) => (left.name < right.name ? 1 : -1))

/** The newest complete backup; null when there is none. */
export const newestBackup = async (config: Config): Promise<BackupEntry | null> =>
  (await listBackups(await placeOf(config))).find(({ isComplete }) => isComplete) ?? null

/** The name itself, or that of the newest backup for `latest`. */
export const findBackup = async (place: BackupPlace, name: string): Promise<string> => {
  const backups = (await listBackups(place)).filter(({ isComplete }) => isComplete)
  const found = name === 'latest' ? backups[0] : backups.find(one => one.name === name)
  if (found) return found.name
  const known = backups.map(one => one.name).join(', ') || 'none'
  throw new Problem('not_found', `There is no backup ${name} in ${place.address}. There are: ${known}.`)
}

/** A backup that takes longer is taken for one whose process was killed. */
const unfinishedMs = 24 * 3600_000

/** Removes all but the newest, 0 keeps all, and what killed processes left behind. Gives the names. */
export const removeOldBackups = async (
  place: BackupPlace,
  { keep, now }: { readonly keep: number; readonly now: Date },
): Promise<readonly string[]> => {
  const backups = await listBackups(place)
  const complete = backups.filter(({ isComplete }) => isComplete)
  const surplus = keep === 0 ? [] : complete.slice(keep)
  const abandoned = backups.filter(
    ({ isComplete, created }) => !isComplete && now.getTime() - created.getTime() > unfinishedMs,
  )
  const removed = [...surplus, ...abandoned].map(({ name }) => name)
  for (const name of removed) await place.remove(name)
  return removed
}
