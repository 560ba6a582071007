// Backups in a bucket of Amazon S3, or of a service with the same interface.

import { Readable } from 'node:stream'
import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import { openBucket } from '../files/index.ts'
import { type BackupPlace, missingPart } from './place.ts'

interface BucketFolder {
  readonly name: string
  /** The prefix without a slash at its end; empty for the whole bucket. */
  readonly prefix: string
}

export const bucketPlace = async (config: Config, { name, prefix }: BucketFolder): Promise<BackupPlace> => {
  const bucket = await openBucket(config, { name, setting: 'app.backup.target' })
  const base = prefix === '' ? '' : `${prefix}/`
  const keysBelow = (below: string) => bucket.keys(below).catch(unavailable)
  return {
    address: `s3://${name}/${prefix}`,
    list: async () => {
      const backups = new Map<string, string[]>()
      for (const key of await keysBelow(base)) {
        const [backup = '', part = '', ...deeper] = key.slice(base.length).split('/')
        if (!backups.has(backup)) backups.set(backup, [])
        if (deeper.length === 0) backups.get(backup)?.push(part)
      }
      return backups
    },
    parts: async backup => {
      const below = `${base}${backup}/`
      return (await keysBelow(below)).map(key => key.slice(below.length))
    },
    write: (path, content) => bucket.put(base + path, Readable.from(content)).catch(unavailable),
    read: async path => {
      const content = await bucket.get(base + path)
      if (!content) throw missingPart(path, null)
      return content
    },
    remove: async backup => {
      await bucket.remove(await keysBelow(`${base}${backup}/`)).catch(unavailable)
    },
  }
}

const unavailable = (cause: unknown): never => {
  throw new Problem('unavailable', { detail: 'The bucket for backups does not answer.', cause })
}
