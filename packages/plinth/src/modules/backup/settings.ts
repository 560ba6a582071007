// Settings of backups: where they go, when they are made, how many are kept, and who can read them.

import { defineSettings } from '../../core/config/settings.ts'
import { integer, secret, text } from '../../core/model/fields.ts'

export const backupSettings = defineSettings('app.backup', {
  target: text({
    default: '',
    about:
      'Where backups go: a folder, or `s3://bucket/prefix` at the service of `app.files.s3.*`; when empty, the folder `backups` in the data folder.',
  }),
  everyHours: integer({
    default: 0,
    min: 0,
    max: 8760,
    about: 'Hours from one scheduled backup to the next; 0 makes none.',
  }),
  keep: integer({ default: 7, min: 0, max: 10_000, about: 'How many backups are kept; 0 keeps all.' }),
  passphrase: secret({ default: '', about: 'Encrypts backups; restoring them needs it.' }),
  recipient: text({
    default: '',
    pattern: { is: /^age1[0-9a-z]+$/, says: 'must be a public key of age' },
    about: 'Encrypts backups for this public key of `age`, so that the service itself cannot read them.',
  }),
  identityFile: text({ default: '', about: 'A file with the private key of `age` for restoring encrypted backups.' }),
})
