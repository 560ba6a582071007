// Where backups are stored: a folder by default, a bucket when one is given. A backup is a folder of parts.

import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { errorCode, Problem } from '../../core/problem.ts'
import { backupSettings } from './settings.ts'

export type Bytes = AsyncIterable<Uint8Array>

export interface BackupPlace {
  /** The address, for people to read. */
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
  const { bucketPlace } = await import('./bucket-place.ts')
  return bucketPlace(config, { name: bucket, prefix: prefix.replace(/\/+$/, '') })
}

export const folderPlace = (location: string): BackupPlace => {
  const folder = resolve(location)
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
