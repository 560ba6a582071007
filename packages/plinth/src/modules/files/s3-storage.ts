// Files in a bucket of Amazon S3, or of a service that speaks like it.

import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import { type Storage, s3Settings, streamOf } from './storage.ts'

export const bucketStorage = (config: Config): Storage => {
  const client = createClient(config)
  const place = (key: string) => ({ Bucket: config.get(s3Settings).bucket, Key: `files/${key}` })
  return {
    put: async (key, path) => {
      await new Upload({ client, params: { ...place(key), Body: streamOf(path) } }).done().catch(fail)
    },
    read: async (key, part) => {
      const range = part && { Range: `bytes=${part.first}-${part.last}` }
      const { Body } = await client.send(new GetObjectCommand({ ...place(key), ...range })).catch(fail)
      // On Node the content is always a stream; the types of the library include what browsers have.
      return Body instanceof Readable ? Body : fail(new Error('the bucket returned no content'))
    },
    remove: async key => {
      await client.send(new DeleteObjectCommand(place(key))).catch(fail)
    },
  }
}

const fail = (cause: unknown): never => {
  if (cause instanceof Error && cause.name === 'NoSuchKey')
    throw new Problem('not_found', { detail: 'The content of the file no longer exists.', cause })
  throw new Problem('unavailable', { detail: 'The file storage is not responding.', cause })
}

export const createClient = (config: Config): S3Client => {
  const [endpoint, accessKeyId] = [config.get(s3Settings).endpoint, config.get(s3Settings).accessKey]
  const credentials = { accessKeyId, secretAccessKey: config.get(s3Settings).secretKey }
  return new S3Client({
    region: config.get(s3Settings).region,
    // Other services seldom have a host name for each bucket.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && { credentials }),
  })
}
