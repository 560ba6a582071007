// The form of a backup, and how it is written: a manifest, and parts that it lists with their sizes and SHA-256 digests. Records
// are lines of JSON, one file for each table, compressed. Files of users and of the data folder are stored as they are.

import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { DatabaseSnapshot, SnapshotTable } from '../../core/store/snapshot.ts'
import { type MacKeys, macPath, toMacKey, writeMacs } from './authenticity.ts'
import { type BackupCipher, createCipher, encryptedEnding } from './encryption.ts'
import type { BackupPlace, Bytes } from './place.ts'
import type { BackupSettings } from './settings.ts'
import type { WithheldParts } from './withheld.ts'

export interface BackupPart {
  /** The path below the folder of the backup. */
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export interface BackupManifest {
  readonly format: 1
  readonly name: string
  readonly created: string
  /** The database that was backed up. Absent in old backups. */
  readonly installation?: string
  readonly version: string | null
  /** The database, for people to read: a backup can be restored to any. */
  readonly database: string
  readonly lastEvent: DatabaseSnapshot['lastEvent']
  readonly tables: readonly (SnapshotTable & { readonly rows: number; readonly part: BackupPart })[]
  /** Contents of uploaded files, by key. */
  readonly contents: readonly { readonly key: string; readonly part: BackupPart }[]
  /** Keys of uploaded files whose content was gone before the backup. */
  readonly lostContents: readonly string[]
  /** Other files of the data folder, such as keys and mails that wait to be sent. */
  readonly dataFiles: readonly { readonly path: string; readonly part: BackupPart }[]
  /** The keys by which it is authenticated. Absent in old backups. */
  readonly macs?: readonly string[]
  /** What is left out because the backup is not encrypted. */
  readonly withheld?: WithheldParts
}

export const manifestPath = 'manifest.json'
/** Makes the backup complete. In the form that `sha256sum --check` reads. */
export const digestPath = 'manifest.sha256'
export const lockedKeyPath = `identity${encryptedEnding}`

export const partsOf = ({ tables, contents, dataFiles }: BackupManifest): readonly BackupPart[] =>
  [...tables, ...contents, ...dataFiles].map(({ part }) => part)

// Writing

export interface Protection {
  /** The cipher; null when the parts are not encrypted. */
  readonly cipher: BackupCipher | null
  readonly macKeys: MacKeys
}

export const createProtection = async (
  settings: Pick<BackupSettings, 'passphrase' | 'recipient' | 'signingKey'>,
): Promise<Protection> => {
  const cipher = await createCipher(settings)
  const macKeys = new Map<'passphrase' | 'signingKey', Buffer>()
  if (cipher?.macKey) macKeys.set('passphrase', cipher.macKey)
  if (settings.signingKey) macKeys.set('signingKey', toMacKey(settings.signingKey))
  return { cipher, macKeys }
}

export class BackupWriter {
  readonly name: string
  readonly #place: Pick<BackupPlace, 'write'>
  readonly #cipher: BackupCipher | null
  readonly #macKeys: MacKeys

  constructor(place: Pick<BackupPlace, 'write'>, name: string, { cipher, macKeys }: Protection) {
    this.#place = place
    this.name = name
    this.#cipher = cipher
    this.#macKeys = macKeys
  }

  async writePart(path: string, content: Bytes): Promise<BackupPart> {
    const stored = this.#cipher ? path + encryptedEnding : path
    const hash = createHash('sha256')
    let size = 0
    const measured = async function* (bytes: Bytes): Bytes {
      for await (const piece of bytes) {
        hash.update(piece)
        size += piece.length
        yield piece
      }
    }
    await this.#place.write(`${this.name}/${stored}`, measured(this.#cipher?.encrypt(content) ?? content))
    return { path: stored, size, sha256: hash.digest('hex') }
  }

  /** The last thing to do. */
  async finish(content: BackupManifest): Promise<void> {
    const writeText = (path: string, bytes: Uint8Array) => this.#place.write(`${this.name}/${path}`, only(bytes))
    const lockedKey = this.#cipher?.lockedKey
    if (lockedKey) await writeText(lockedKeyPath, lockedKey)
    const manifest: BackupManifest = { ...content, macs: [...this.#macKeys.keys()] }
    const { path, sha256 } = await this.writePart(manifestPath, only(Buffer.from(JSON.stringify(manifest, null, 1))))
    const digest = `${sha256}  ${path}\n`
    if (this.#macKeys.size > 0)
      await writeText(macPath, Buffer.from(writeMacs(this.#macKeys, { name: this.name, digest })))
    await writeText(digestPath, Buffer.from(digest))
  }
}

export async function* only(bytes: Uint8Array): Bytes {
  yield bytes
}

export const compress = (content: AsyncIterable<string>): Bytes =>
  pipeline(Readable.from(content), createGzip(), () => {})
