import { givenBy } from '../../core/config/features.ts'
import { startPolling } from '../../core/jobs/poll.ts'
import { defineModule } from '../../core/module.ts'
import { recordsWithin } from '../../core/records/records.ts'
import { fileEndpoints } from './endpoints.ts'
import { files, looseContents, releaseFiles } from './files.ts'
import { findMissingImagePackage } from './image-package.ts'
import { openStorage, storageFor } from './open-storage.ts'
import { fileFault, fileProblem } from './problems.ts'
import { fileSettings, s3Settings } from './storage-settings.ts'
import { removeDiscarded, removeOldFiles, sweepStagingFolder } from './sweep.ts'

export { type Bucket, openBucket } from './bucket.ts'
export type { AllowedType, DetectedType } from './detect-type.ts'
export { type FileOptions, file, type ImageOptions, image } from './fields.ts'
export { toFileName } from './file-types.ts'
export { files, releaseFiles } from './files.ts'
export { findMissingImagePackage } from './image-package.ts'
export { storageFor } from './open-storage.ts'
export { readContent } from './read-content.ts'
export { createFormReceiver } from './receive-forms.ts'
export { discard, type Staged, stage, stagingOf } from './staging.ts'
export type { Storage } from './storage.ts'
export { type FileContext, type NewFile, storeFile, storeFileUpTo } from './store-file.ts'
export type { FileReference, SentFile, ShownFile, StoredFile } from './stored-file.ts'
export type { FileEndpoint } from './typed-endpoints.ts'

export const filesModule = defineModule({
  name: 'files',
  title: { de: 'Dateien' },
  about: {
    en: 'Files that belong to records, in a folder or a bucket.',
    de: 'Dateien, die zu Datensätzen gehören, in einem Ordner oder Bucket.',
  },
  problems: fileProblem.table,
  faults: fileFault.table,
  settings: [fileSettings, s3Settings],
  features: [givenBy('files.s3', s3Settings, 'bucket')],
  resources: [files, looseContents],
  endpoints: fileEndpoints,
  onRename: async (records, { from, to }) => {
    await records.updateMany(files, { where: { resource: from } }, { resource: to })
    await records.updateMany(looseContents, { where: { resource: from } }, { resource: to })
  },
  onPurge: async (transaction, { resource, pk }) => {
    const records = recordsWithin(transaction).asService
    const owned = await records.find(files, { where: { resource: resource.name, owner: pk } })
    await releaseFiles(
      records,
      owned.map(file => file.pk),
    )
  },
  // The package for buckets may be missing.
  check: async ({ config }) => void (await openStorage(config)),
  jobs: [removeOldFiles],
  start: async service => {
    const missing = findMissingImagePackage(service)
    if (missing) service.logs.named('app').warn(`${missing.explanation} ${missing.remedy}`)
    const polls = [sweepStagingFolder, removeDiscarded(storageFor(service.config))]
    const stops = polls.map(poll => startPolling(service, poll))
    return async () => {
      for (const stop of stops) await stop()
    }
  },
})
