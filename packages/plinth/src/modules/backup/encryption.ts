// Encryption of backups in the format of `age`. A passphrase is slow to check by design, so it protects a key that is made for
// the backup, and that key protects the parts. The program `age` can read both.

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import type { Identity, Recipient } from 'age-encryption'
import { Problem } from '../../core/problem.ts'
import { toMacKey } from './authenticity.ts'
import type { Bytes } from './place.ts'
import type { BackupSettings } from './settings.ts'

/** The ending of encrypted parts. */
export const encryptedEnding = '.age'

const loadAge = () => import('age-encryption')

export interface BackupCipher {
  /** The key of the parts, encrypted by the passphrase; null when there is none. */
  readonly lockedKey: Uint8Array | null
  /** The key that only who has the passphrase knows; null when there is none. */
  readonly macKey: Buffer | null
  encrypt(content: Bytes): Bytes
}

/** Returns null when backups are not encrypted. */
export const createCipher = async ({
  passphrase,
  recipient,
}: Pick<BackupSettings, 'passphrase' | 'recipient'>): Promise<BackupCipher | null> => {
  if (!passphrase && !recipient) return null
  const { Encrypter, generateX25519Identity, identityToRecipient } = await loadAge()
  const encrypter = new Encrypter()
  if (recipient) encrypter.addRecipient(recipient)
  let [lockedKey, macKey]: [Uint8Array | null, Buffer | null] = [null, null]
  if (passphrase) {
    const identity = await generateX25519Identity()
    encrypter.addRecipient(await identityToRecipient(identity))
    const locker = new Encrypter()
    locker.addRecipient(passphraseRecipient(passphrase))
    lockedKey = await locker.encrypt(`${identity}\n`)
    macKey = toMacKey(identity)
  }
  return { lockedKey, macKey, encrypt: content => through(content, stream => encrypter.encrypt(stream)) }
}

/** The key of the parts, encrypted by the passphrase; null in a backup for a recipient alone. */
type ReadLockedKey = () => Promise<Uint8Array | null>

export interface BackupDecrypter {
  /** Is null when the backup was opened by a private key: then anyone who knows the public key may have written it. */
  readonly macKey: Buffer | null
  decrypt(content: Bytes): Bytes
}

/**
 * Decrypts the parts of a backup with the passphrase if it has one, else with the private keys that are configured. Never with
 * both: a part that only a private key opens was not written with the passphrase.
 */
export const createDecrypter = async (
  { passphrase, identityFile }: Pick<BackupSettings, 'passphrase' | 'identityFile'>,
  readLockedKey: ReadLockedKey,
): Promise<BackupDecrypter> => {
  if (!identityFile && !passphrase)
    throw new Problem('conflict', 'The backup is encrypted: set app.backup.passphrase or app.backup.identityFile.')
  const lockedKey = passphrase ? await readLockedKey() : null
  if (lockedKey) {
    const identity = await unlock(passphrase, lockedKey)
    return { macKey: toMacKey(identity), decrypt: await decryptWith([identity], 'app.backup.passphrase') }
  }
  if (!identityFile)
    throw new Problem(
      'conflict',
      'The backup was made for a recipient, not with a passphrase: set app.backup.identityFile.',
    )
  return { macKey: null, decrypt: await decryptWith(await keysIn(identityFile), 'app.backup.identityFile') }
}

const decryptWith = async (identities: readonly string[], setting: string): Promise<BackupDecrypter['decrypt']> => {
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  const decrypt = (stream: WebStream) =>
    decrypter.decrypt(stream).catch(cause => {
      throw new Problem('conflict', { detail: `The keys of ${setting} do not fit the backup.`, cause })
    })
  return content => through(content, decrypt)
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
  // Browsers and Node declare the same streams in types of their own.
  const stream = await transform(Readable.toWeb(Readable.from(content)) as WebStream)
  yield* Readable.fromWeb(stream as NodeWebStream)
}

// Passphrases (age-encryption.org/v1, "The scrypt recipient type"). The functions of the library would hold up the service.

/** 128 MiB and a fraction of a second. */
const workFactor = 17
/** The most work for a backup that others have made: 1 GiB. */
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
