// The only file that knows the library of Amazon S3.

import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Config } from '../../core/config/settings.ts'
import type { Bucket } from './bucket.ts'
import { s3Settings } from './storage-settings.ts'

/** What one request may delete. */
const mostRemoved = 1000

const clientFor = (config: Pick<Config, 'get'>): S3Client => {
  const { endpoint, accessKey: accessKeyId, secretKey: secretAccessKey, region } = config.get(s3Settings)
  return new S3Client({
    region,
    // Other services seldom have a host name for each bucket.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
  })
}

const isMissingKey = (error: unknown): boolean => error instanceof Error && error.name === 'NoSuchKey'

export const createBucket = (config: Pick<Config, 'get'>, name: string): Bucket => {
  const client = clientFor(config)
  return {
    put: async (key, content) => {
      await new Upload({ client, params: { Bucket: name, Key: key, Body: content } }).done()
    },
    get: async (key, range) => {
      try {
        const request = new GetObjectCommand({ Bucket: name, Key: key, ...(range && { Range: range }) })
        const { Body } = await client.send(request)
        // On Node the content is always a stream; the types of the library include what browsers have.
        if (Body instanceof Readable) return Body
        throw new Error('the bucket returned no content')
      } catch (error) {
        if (isMissingKey(error)) return null
        throw error
      }
    },
    keys: async prefix => {
      const keys: string[] = []
      let token: string | undefined
      do {
        const listing = new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken: token })
        const { Contents = [], NextContinuationToken } = await client.send(listing)
        for (const { Key } of Contents) if (Key) keys.push(Key)
        token = NextContinuationToken
      } while (token)
      return keys
    },
    remove: async keys => {
      const [first, ...others] = keys
      // Services with the interface of S3 delete single objects more often than lists of them.
      if (first !== undefined && others.length === 0) {
        await client.send(new DeleteObjectCommand({ Bucket: name, Key: first }))
        return
      }
      for (let at = 0; at < keys.length; at += mostRemoved) {
        const Objects = keys.slice(at, at + mostRemoved).map(Key => ({ Key }))
        await client.send(new DeleteObjectsCommand({ Bucket: name, Delete: { Objects } }))
      }
    },
  }
}
