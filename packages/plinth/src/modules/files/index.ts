import { givenBy } from '../../core/config/features.ts'
import type { Config } from '../../core/config/settings.ts'
import { startPolling } from '../../core/jobs/poll.ts'
import { defineModule } from '../../core/module.ts'
import { fileEndpoints } from './endpoints.ts'
import { files, looseContents } from './files.ts'
import { fileFault, fileProblem } from './problems.ts'
import { fileSettings, s3Settings } from './storage.ts'
import { removeOldFiles, sweepStagingFolder } from './sweep.ts'

export { type FileRules, fileEndpoints } from './endpoints.ts'
export { files } from './files.ts'
export { type Storage, storageFor } from './storage.ts'
export { discard, type Staged, stage, stagingOf } from './upload.ts'

/** Loaded only when needed: the client of the bucket is large. */
export const createS3Client = async (config: Config) => (await import('./s3-storage.ts')).createClient(config)

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
  endpoints: service => fileEndpoints(service, 'users', { uploadAs: 'patch', pictures: ['avatarUrl', 'bannerUrl'] }),
  onRename: async (records, { from, to }) => {
    await records.updateMany(files, { where: { resource: from } }, { resource: to })
  },
  jobs: [removeOldFiles],
  start: async service => startPolling(service, sweepStagingFolder),
})
