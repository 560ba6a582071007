// Settings of backups: where they go, when they are made, how many are kept, who can read them, and which are believed.

import { defineSettings } from '../../core/config/settings.ts'
import { integer, secret, text } from '../../core/model/fields.ts'
import type { SettingsOf } from '../../core/model/settings.ts'

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
  passphrase: secret({
    default: '',
    about:
      'Encrypts and authenticates backups; restoring them needs it. Backups that are not encrypted leave out keys and sessions.',
  }),
  recipient: text({
    default: '',
    pattern: { is: /^age1[0-9a-z]+$/, says: 'must be a public key of age' },
    about: 'Encrypts backups for this public key of `age`, so that the service itself cannot read them.',
  }),
  signingKey: secret({
    default: '',
    min: 32,
    about:
      'Authenticates backups for a `recipient`, which anyone who knows the public key could write. Restoring them needs it.',
  }),
  identityFile: text({ default: '', about: 'A file with the private key of `age` for restoring encrypted backups.' }),
})

export type BackupSettings = SettingsOf<typeof backupSettings.fields>

/** Are backups made or read encrypted here? Then one that is not may be forged. */
export const isEncryptionConfigured = ({ passphrase, recipient, identityFile }: BackupSettings): boolean =>
  passphrase !== '' || recipient !== '' || identityFile !== ''
