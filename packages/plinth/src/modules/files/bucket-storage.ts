// Files in a bucket, below `files/`.

import { createReadStream } from 'node:fs'
import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import { openBucket } from './bucket.ts'
import type { Storage } from './storage.ts'
import { s3Settings } from './storage-settings.ts'

export const bucketStorage = async (config: Pick<Config, 'get'>): Promise<Storage> => {
  const name = config.get(s3Settings).bucket
  const bucket = await openBucket(config, { name, setting: 'app.files.s3.bucket' })
  const keyOf = (key: string) => `files/${key}`
  return {
    put: (key, path) => bucket.put(keyOf(key), createReadStream(path)).catch(fail),
    read: async (key, part) => {
      const content = await bucket.get(keyOf(key), part ? `bytes=${part.first}-${part.last}` : undefined).catch(fail)
      if (!content)
        throw new Problem('not_found', {
          en: 'The content of the file no longer exists.',
          de: 'Den Inhalt der Datei gibt es nicht mehr.',
        })
      return content
    },
    remove: key => bucket.remove([keyOf(key)]).catch(fail),
  }
}

const fail = (cause: unknown): never => {
  throw new Problem('unavailable', {
    detail: { en: 'The file storage is not responding.', de: 'Der Dateispeicher antwortet nicht.' },
    cause,
  })
}
