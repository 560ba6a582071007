// A bucket of Amazon S3, or of a service with the same interface. Its library is loaded when a bucket is first opened.

import type { Readable } from 'node:stream'
import { loadPackages } from '../../core/config/optional-packages.ts'
import type { Config } from '../../core/config/settings.ts'

/** Objects by their keys. */
export interface Bucket {
  put(key: string, content: Readable): Promise<void>
  /** The content, or the part of it in `range`, such as `bytes=0-99`; null if there is no such object. */
  get(key: string, range?: string): Promise<Readable | null>
  /** The keys that begin with `prefix`. */
  keys(prefix: string): Promise<readonly string[]>
  remove(keys: readonly string[]): Promise<void>
}

const packages = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage']

/** The bucket of this name. `setting` is the name of the setting that asks for it. */
export const openBucket = (
  config: Pick<Config, 'get'>,
  { name, setting }: { name: string; setting: string },
): Promise<Bucket> =>
  loadPackages({ setting, names: packages }, async () => {
    const { createBucket } = await import('./s3-bucket.ts')
    return createBucket(config, name)
  })
