// Where uploaded files are kept.

import { integer, text, webAddress } from '../kinds.ts'
import { setting } from '../load.ts'

export const filesSettings = {
  'app.files.maxBytes': setting({
    is: integer(1024, 10_737_418_240),
    default: 10_485_760,
    meaning: 'The largest file that can be uploaded.',
  }),
  'app.files.maxBytesPerUser': setting({
    is: integer(0, 1_099_511_627_776),
    default: 268_435_456,
    meaning: 'How many bytes of files one user may have uploaded; 0 sets no limit.',
  }),
  'app.files.s3.bucket': setting({
    is: text('the name of a bucket'),
    default: '',
    meaning:
      'The S3 bucket that holds uploaded files; when empty, they are kept in the folder `files` of the data folder.',
  }),
  'app.files.s3.endpoint': setting({
    is: webAddress,
    default: '',
    meaning: 'The address of an S3 service other than that of Amazon.',
  }),
  'app.files.s3.region': setting({ is: text('a region'), default: 'us-east-1', meaning: 'The region of the bucket.' }),
  'app.files.s3.accessKey': setting({
    is: text('a key'),
    default: '',
    secret: true,
    meaning: 'The access key for the bucket; when empty, the credentials of the machine are used.',
  }),
  'app.files.s3.secretKey': setting({
    is: text('a key'),
    default: '',
    secret: true,
    meaning: 'The secret that belongs to the access key.',
  }),
}
