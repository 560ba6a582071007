// Backups in a bucket of Amazon S3, or of a service with the same interface.

import { Readable } from 'node:stream'
import { DeleteObjectsCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import { createS3Client } from '../files/index.ts'
import { type BackupPlace, missingPart } from './place.ts'

interface BucketFolder {
  readonly bucket: string
  /** The prefix without a slash at its end; empty for the whole bucket. */
  readonly prefix: string
}

export const bucketPlace = async (config: Config, { bucket, prefix }: BucketFolder): Promise<BackupPlace> => {
  const client = await createS3Client(config)
  const base = prefix === '' ? '' : `${prefix}/`
  const keysBelow = async (below: string): Promise<string[]> => {
    const keys: string[] = []
    let token: string | undefined
    do {
      const listing = new ListObjectsV2Command({ Bucket: bucket, Prefix: below, ContinuationToken: token })
      const { Contents = [], NextContinuationToken } = await client.send(listing).catch(unavailable)
      for (const { Key } of Contents) if (Key) keys.push(Key)
      token = NextContinuationToken
    } while (token)
    return keys
  }
  return {
    address: `s3://${bucket}/${prefix}`,
    list: async () => {
      const backups = new Map<string, string[]>()
      for (const key of await keysBelow(base)) {
        const [name = '', part = '', ...deeper] = key.slice(base.length).split('/')
        if (!backups.has(name)) backups.set(name, [])
        if (deeper.length === 0) backups.get(name)?.push(part)
      }
      return backups
    },
    parts: async backup => {
      const below = `${base}${backup}/`
      return (await keysBelow(below)).map(key => key.slice(below.length))
    },
    write: async (path, content) => {
      const params = { Bucket: bucket, Key: base + path, Body: Readable.from(content) }
      await new Upload({ client, params }).done().catch(unavailable)
    },
    read: async path => {
      const part = new GetObjectCommand({ Bucket: bucket, Key: base + path })
      const { Body } = await client.send(part).catch(error => {
        throw error instanceof Error && error.name === 'NoSuchKey' ? missingPart(path, error) : error
      })
      // On Node the content is always a stream; the types of the library include what browsers have.
      if (Body instanceof Readable) return Body
      throw missingPart(path, null)
    },
    remove: async backup => {
      const keys = await keysBelow(`${base}${backup}/`)
      const batch = 1000
      for (let at = 0; at < keys.length; at += batch) {
        const Objects = keys.slice(at, at + batch).map(Key => ({ Key }))
        await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } })).catch(unavailable)
      }
    },
  }
}

const unavailable = (cause: unknown): never => {
  throw new Problem('unavailable', { detail: 'The bucket for backups does not answer.', cause })
}
