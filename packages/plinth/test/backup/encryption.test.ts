// Who can read an encrypted backup: by passphrase, by private key, by both, and why not.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { testAll } from '@plinth/test-kit/extent'
import { loadConfig } from '@plinth/test-kit/platform'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCipher, createDecrypter } from '../../src/modules/backup/encryption.ts'
import { backupSettings } from '../../src/modules/backup/settings.ts'

let folder: string
let own: { readonly recipient: string; readonly file: string }
let foreign: { readonly file: string }
const passphrase = 'correct horse battery staple'

const makeKey = async (name: string) => {
  const identity = await generateX25519Identity()
  const file = join(folder, name)
  await writeFile(file, `# a comment\n${identity}\n`)
  return { recipient: await identityToRecipient(identity), file }
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-keys-'))
  own = await makeKey('own.txt')
  foreign = await makeKey('foreign.txt')
  await writeFile(join(folder, 'empty.txt'), '\n')
})
afterAll(() => rm(folder, { recursive: true }))

const settingsOf = (settings: Record<string, string>) => {
  const named = Object.entries(settings).map(([name, value]) => [`app.backup.${name}`, value])
  return loadConfig({ env: {}, cwd: folder, overrides: Object.fromEntries(named) }).get(backupSettings)
}

async function* content() {
  yield Buffer.from('all records')
}

/** A backup that was made with these settings, and what is read of it with others. */
const backUp = async (settings: Record<string, string>) => {
  const cipher = await createCipher(settingsOf(settings))
  if (!cipher) throw new Error('not encrypted')
  return async (read: Record<string, string>): Promise<string> => {
    const { decrypt } = await createDecrypter(settingsOf(read), async () => cipher.lockedKey)
    return (await buffer(decrypt(cipher.encrypt(content())))).toString()
  }
}

testAll('a backup with a passphrase and a recipient opens by either, and by both', async () => {
  const read = await backUp({ passphrase, recipient: own.recipient })
  expect(await read({ passphrase, recipient: own.recipient })).toBe('all records')
  expect(await read({ identityFile: own.file })).toBe('all records')
  expect(await read({ passphrase, identityFile: own.file })).toBe('all records')
})

test('a backup for a recipient opens by the private key, also when a passphrase has been configured since', async () => {
  const read = await backUp({ recipient: own.recipient })
  expect(await read({ passphrase, identityFile: own.file })).toBe('all records')
  await expect(read({ passphrase })).rejects.toThrow('set app.backup.identityFile')
})

test('keys that do not fit are refused with the setting to correct', async () => {
  const read = await backUp({ recipient: own.recipient })
  await expect(read({ identityFile: foreign.file })).rejects.toThrow('app.backup.identityFile do not fit')
  await expect(read({ identityFile: join(folder, 'empty.txt') })).rejects.toThrow('has no private key')
  await expect(read({})).rejects.toThrow('is encrypted')
})
