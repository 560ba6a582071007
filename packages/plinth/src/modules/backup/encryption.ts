// Encryption of backups in the format of `age`. A passphrase is slow to check by design, so it protects a key that is made for
// the backup, and that key protects the parts. The program `age` can read both.

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Identity, Recipient } from 'age-encryption'
import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import type { Bytes } from './place.ts'
import { backupSettings } from './settings.ts'

/** The ending of encrypted parts. */
export const encryptedEnding = '.age'

const loadAge = () => import('age-encryption')

export interface BackupCipher {
  /** The key of the parts, encrypted by the passphrase; null when there is none. */
  readonly lockedKey: Uint8Array | null
  encrypt(content: Bytes): Bytes
}

/** Null when backups are not encrypted. */
export const createCipher = async (config: Config): Promise<BackupCipher | null> => {
  const { passphrase, recipient } = config.get(backupSettings)
  if (!passphrase && !recipient) return null
  const { Encrypter, generateX25519Identity, identityToRecipient } = await loadAge()
  const encrypter = new Encrypter()
  if (recipient) encrypter.addRecipient(recipient)
  let lockedKey: Uint8Array | null = null
  if (passphrase) {
    const identity = await generateX25519Identity()
    encrypter.addRecipient(await identityToRecipient(identity))
    const locker = new Encrypter()
    locker.addRecipient(passphraseRecipient(passphrase))
    lockedKey = await locker.encrypt(`${identity}\n`)
  }
  return { lockedKey, encrypt: content => through(content, stream => encrypter.encrypt(stream)) }
}

/** The key of the parts, encrypted by the passphrase; null in a backup for a recipient alone. */
type ReadLockedKey = () => Promise<Uint8Array | null>

/** Decrypts the parts of a backup with all keys that are configured: one of them must fit. */
export const createDecrypter = async (config: Config, readLockedKey: ReadLockedKey) => {
  const { passphrase, identityFile } = config.get(backupSettings)
  if (!identityFile && !passphrase)
    throw new Problem('conflict', 'The backup is encrypted: set app.backup.passphrase or app.backup.identityFile.')
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  for (const key of identityFile ? await keysIn(identityFile) : []) decrypter.addIdentity(key)
  const lockedKey = passphrase ? await readLockedKey() : null
  if (lockedKey) decrypter.addIdentity(await unlock(passphrase, lockedKey))
  else if (!identityFile)
    throw new Problem(
      'conflict',
      'The backup was made for a recipient, not with a passphrase: set app.backup.identityFile.',
    )
  const decrypt = (stream: WebStream) =>
    decrypter.decrypt(stream).catch(cause => {
      throw new Problem('conflict', { detail: 'The keys of app.backup.identityFile do not fit the backup.', cause })
    })
  return (content: Bytes): Bytes => through(content, decrypt)
}

const keysIn = async (file: string): Promise<readonly string[]> => {
  const lines = (await readFile(file, 'utf8')).split(/\r?\n/)
  const keys = lines.filter(line => line.startsWith('AGE-SECRET-KEY-')).map(line => line.trim())
  if (keys.length === 0) throw new Problem('conflict', 'The file app.backup.identityFile has no private key of age.')
  return keys
}

const unlock = async (passphrase: string, lockedKey: Uint8Array): Promise<string> => {
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  decrypter.addIdentity(passphraseIdentity(passphrase))
  try {
    return (await decrypter.decrypt(lockedKey, 'text')).trim()
  } catch (cause) {
    throw new Problem('conflict', { detail: 'The passphrase of app.backup.passphrase does not fit the backup.', cause })
  }
}

type WebStream = ReadableStream<Uint8Array>

async function* through(content: Bytes, transform: (stream: WebStream) => Promise<WebStream>): Bytes {
  const stream = await transform(Readable.toWeb(Readable.from(content)))
  yield* Readable.fromWeb(stream)
}

// Passphrases (age-encryption.org/v1, "The scrypt recipient type"). The functions of the library would hold up the service.

/** 128 MiB and a fraction of a second. */
const workFactor = 17
/** Of a backup that others have made: 1 GiB. */
const maxWorkFactor = 20

const tagLength = 16

const passphraseRecipient = (passphrase: string): Recipient => ({
  wrapFileKey: async fileKey => {
    const { Stanza } = await loadAge()
    const salt = randomBytes(16)
    const cipher = createCipheriv(...(await cipherOf(passphrase, salt, workFactor)))
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
    return [new Stanza(['scrypt', salt.toString('base64').replaceAll('=', ''), workFactor.toString()], body)]
  },
})

const passphraseIdentity = (passphrase: string): Identity => ({
  unwrapFileKey: async ([stanza]) => {
    const [type, salt = '', factor = ''] = stanza?.args ?? []
    if (!stanza || type !== 'scrypt' || !(Number(factor) <= maxWorkFactor)) return null
    const decipher = createDecipheriv(...(await cipherOf(passphrase, Buffer.from(salt, 'base64'), Number(factor))))
    const body = Buffer.from(stanza.body)
    decipher.setAuthTag(body.subarray(-tagLength))
    return Buffer.concat([decipher.update(body.subarray(0, -tagLength)), decipher.final()])
  },
})

const cipherOf = async (passphrase: string, salt: Buffer, factor: number) => {
  const key = await derive(passphrase, Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]), factor)
  // A key is used once, so the nonce can be zero.
  return ['chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: tagLength }] as const
}

const derive = (passphrase: string, salt: Buffer, factor: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const cost = { N: 2 ** factor, r: 8, p: 1, maxmem: 2 ** (factor + 11) }
    scrypt(passphrase, salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
