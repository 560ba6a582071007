// Reads a backup: only one that is whole, and that was written with the keys of the settings, unless the caller trusts it anyway.

import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type { Config } from '../../core/config/settings.ts'
import { sha256Of } from '../../core/digest.ts'
import { Problem } from '../../core/problem.ts'
import type { DatabaseSnapshot, SnapshotRow } from '../../core/store/snapshot.ts'
import {
  type BackupManifest,
  type BackupPart,
  digestPath,
  lockedKeyPath,
  manifestPath,
  only,
  partsOf,
} from './archive.ts'
import { checkMacs, type MacKeys, macPath, toMacKey } from './authenticity.ts'
import { type BackupDecrypter, createDecrypter, encryptedEnding } from './encryption.ts'
import type { BackupPlace, Bytes } from './place.ts'
import { type BackupSettings, backupSettings, isEncryptionConfigured } from './settings.ts'

export interface OpenBackup {
  readonly manifest: BackupManifest
  /** The content of a part, decrypted. */
  read(part: BackupPart): Promise<Bytes>
  /** Problem `conflict` unless the part is what was written. */
  verify(part: BackupPart): Promise<void>
}

export interface BackupSource {
  readonly place: Pick<BackupPlace, 'read'>
  readonly name: string
  /** Accepts a backup that may have been written by someone without the keys. */
  readonly allowsUnauthenticated?: boolean
}

export const openBackup = async (config: Config, source: BackupSource): Promise<OpenBackup> => {
  const { place, name } = source
  const settings = config.get(backupSettings)
  const readStored = (path: string): Promise<Bytes> => place.read(`${name}/${path}`)
  const digest = (await buffer(await readStored(digestPath))).toString()
  const [, expected = '', path = ''] = /^([0-9a-f]{64}) {2}([\w.]+)\n$/.exec(digest) ?? []
  if (path !== manifestPath && path !== manifestPath + encryptedEnding) throw damaged(name, digestPath)
  const stored = await buffer(await readStored(path))
  if (sha256Of(stored) !== expected) throw damaged(name, path)
  const isEncrypted = path.endsWith(encryptedEnding)
  const { decrypt, macKey } = isEncrypted
    ? await createDecrypter(settings, () => unlessMissing(readStored(lockedKeyPath)))
    : plain
  const manifest = JSON.parse((await buffer(decrypt(only(stored)))).toString()) as BackupManifest
  const macs = (await unlessMissing(readStored(macPath)))?.toString() ?? ''
  const standing = checkMacs(macs, keysOf(settings, macKey), { name, digest })
  if (standing === 'invalid') throw damaged(name, macPath)
  const isAuthentic = standing === 'valid' || source.allowsUnauthenticated === true
  if (!isAuthentic) mustBeTrusted(manifest, { settings, isEncrypted, isByPassphrase: macKey !== null })
  mustBeReadable(manifest, name)
  return {
    manifest,
    read: async part => decrypt(await readStored(part.path)),
    verify: async part => {
      const hash = createHash('sha256')
      for await (const piece of await readStored(part.path)) hash.update(piece)
      if (hash.digest('hex') !== part.sha256) throw damaged(name, part.path)
    },
  }
}

const plain: BackupDecrypter = { macKey: null, decrypt: content => content }

const keysOf = ({ signingKey }: BackupSettings, macKey: Buffer | null): MacKeys => {
  const keys = new Map<'passphrase' | 'signingKey', Buffer>()
  if (macKey) keys.set('passphrase', macKey)
  if (signingKey) keys.set('signingKey', toMacKey(signingKey))
  return keys
}

interface Opening {
  readonly settings: BackupSettings
  readonly isEncrypted: boolean
  readonly isByPassphrase: boolean
}

/** Problem `conflict` for a backup without a valid code that others may have written. */
const mustBeTrusted = (manifest: BackupManifest, { settings, isEncrypted, isByPassphrase }: Opening): void => {
  const { name, macs } = manifest
  const remedy = '`--allow-unauthenticated` reads it all the same.'
  if (!isEncrypted && isEncryptionConfigured(settings))
    throw new Problem(
      'conflict',
      `The backup ${name} is not encrypted, although encryption is configured: others may have written it. ${remedy}`,
    )
  const hasNoKeys = !isEncrypted && settings.signingKey === ''
  // Earlier versions wrote no code. Without the passphrase, no one else could have written it either.
  const isEarlier = isByPassphrase && macs === undefined
  if (hasNoKeys || isEarlier) return
  const cause = macs?.includes('signingKey') ? 'set app.backup.signingKey' : 'others may have written it'
  throw new Problem('conflict', `The backup ${name} is not authenticated: ${cause}. ${remedy}`)
}

const mustBeReadable = (manifest: BackupManifest, name: string): void => {
  if (manifest.format !== 1)
    throw new Problem('conflict', `The backup ${name} was made by a newer version of Plinth, and cannot be read.`)
  for (const { path } of partsOf(manifest))
    if (path.split(/[\\/]/).includes('..'))
      throw new Problem('conflict', `The backup ${name} has a part outside its folder: ${path}`)
}

const unlessMissing = async (reading: Promise<Bytes>): Promise<Buffer | null> => {
  try {
    return await buffer(await reading)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null
    throw error
  }
}

const damaged = (name: string, path: string): Problem =>
  new Problem('conflict', `The backup is damaged: ${name}/${path} is not what was written.`)

/** The records of a backup. */
export const snapshotIn = ({ manifest, read }: OpenBackup): DatabaseSnapshot => ({
  version: manifest.version,
  lastEvent: manifest.lastEvent,
  tables: manifest.tables,
  rows: async function* (table) {
    const part = manifest.tables.find(({ name }) => name === table.name)?.part
    if (part) yield* readLines(await read(part))
  },
})

const batchSize = 500

async function* readLines(content: Bytes): AsyncGenerator<readonly SnapshotRow[]> {
  let [rest, batch]: [string, SnapshotRow[]] = ['', []]
  const text = pipeline(Readable.from(content), createGunzip(), () => {}).setEncoding('utf8')
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) batch.push(JSON.parse(line))
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
