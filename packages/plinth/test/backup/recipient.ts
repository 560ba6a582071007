// A key pair that encrypts backups. Unlike a passphrase, it takes no time.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'

export const signingKey = 'the signing key of these backups, long enough'

/** Settings below `app.backup`, of which those that restore need the second. */
export const createRecipient = async (folder: string) => {
  const identity = await generateX25519Identity()
  const identityFile = join(folder, 'backup-identity')
  await writeFile(identityFile, `${identity}\n`, { mode: 0o600 })
  return { recipient: await identityToRecipient(identity), identityFile }
}
