// Where the content of files lies: a folder by default, a bucket when one is configured.

import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { webAddress } from '../../core/config/fields.ts'
import { appSettings } from '../../core/config/service-settings.ts'
import { type Config, defineSettings } from '../../core/config/settings.ts'
import { moveFile } from '../../core/durable-files.ts'
import { lazy } from '../../core/lazy.ts'
import { integer, secret, text } from '../../core/model/fields.ts'
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

export const storageFor = (config: Config): (() => Promise<Storage>) => lazy(() => createStorage(config))

const createStorage = async (config: Config): Promise<Storage> => {
  if (!config.get(s3Settings).bucket) return folderStorage(join(config.get(appSettings).dataDir, 'files'))
  // Loaded only when needed: the client of the bucket is large.
  const { bucketStorage } = await import('./s3-storage.ts')
  return bucketStorage(config)
}

const folderStorage = (folder: string): Storage => {
  // Keys are UUIDs that grow with time, so their ends spread over the folders.
  const pathOf = (key: string): string => join(folder, key.slice(-2), key)
  return {
    put: (key, path) => moveFile(path, pathOf(key)),
    read: async (key, part) => {
      // Opened at once, so that a missing file is a fault before the answer has begun.
      const handle = await open(pathOf(key)).catch((cause: unknown) => {
        throw new Problem('not_found', { detail: 'The content of the file no longer exists.', cause })
      })
      return handle.createReadStream(part ? { start: part.first, end: part.last } : {})
    },
    remove: key => rm(pathOf(key), { force: true }),
  }
}

export const streamOf = (path: string): Readable => createReadStream(path)

// Settings of uploads and of where files are stored.

export const fileSettings = defineSettings('app.files', {
  maxBytes: integer({
    default: 10_485_760,
    min: 1024,
    max: 10_737_418_240,
    about: 'The maximum size of an uploaded file.',
  }),
  maxBytesPerUser: integer({
    default: 268_435_456,
    min: 0,
    max: 1_099_511_627_776,
    about: 'The storage quota of a user, in bytes; 0 is unlimited.',
  }),
})

export const s3Settings = defineSettings('app.files.s3', {
  bucket: text({
    default: '',
    about: 'The S3 bucket for uploaded files. If empty, the folder `files` in the data folder is used.',
  }),
  endpoint: webAddress({ default: '', about: 'The address of an S3-compatible service other than AWS.' }),
  region: text({ default: 'us-east-1', about: 'The region of the bucket.' }),
  accessKey: secret({
    default: '',
    about: 'The access key for the bucket. If empty, the credentials of the machine are used.',
  }),
  secretKey: secret({ default: '', about: 'The secret of the access key.' }),
})
