// Settings of uploads and of where files are stored.

import { webAddress } from '../../core/config/fields.ts'
import { defineSettings } from '../../core/config/settings.ts'
import { integer, secret, text } from '../../core/model/fields.ts'

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
