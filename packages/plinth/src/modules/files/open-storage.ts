// The storage of an application: a folder by default, a bucket when one is configured.

import { join } from 'node:path'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { lazy } from '../../core/lazy.ts'
import { bucketStorage } from './bucket-storage.ts'
import { folderStorage, type Storage } from './storage.ts'
import { s3Settings } from './storage-settings.ts'

type StorageConfig = Pick<Config, 'get'>

export const openStorage = async (config: StorageConfig): Promise<Storage> =>
  config.get(s3Settings).bucket ? bucketStorage(config) : folderStorage(join(config.get(appSettings).dataDir, 'files'))

export const storageFor = (config: StorageConfig): (() => Promise<Storage>) => lazy(() => openStorage(config))
