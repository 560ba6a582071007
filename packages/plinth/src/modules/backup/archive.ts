// The form of a backup: a manifest, and parts that it lists with their sizes and SHA-256 digests. Records are lines of JSON, one
// file for each table, compressed. Files of users and of the data folder are stored as they are.

import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createGzip } from 'node:zlib'
import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import type { DatabaseSnapshot, SnapshotRow, SnapshotTable } from '../../core/store/snapshot.ts'
import { type BackupCipher, createDecrypter, encryptedEnding } from './encryption.ts'
import type { BackupPlace, Bytes } from './place.ts'

export interface BackupPart {
  /** Below the folder of the backup. */
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
  /** For people to read: a backup can be restored to any database. */
  readonly database: string
  readonly lastEvent: DatabaseSnapshot['lastEvent']
  readonly tables: readonly (SnapshotTable & { readonly rows: number; readonly part: BackupPart })[]
  /** Contents of uploaded files, by key. */
  readonly contents: readonly { readonly key: string; readonly part: BackupPart }[]
  /** Keys of uploaded files whose content was gone before the backup. */
  readonly lostContents: readonly string[]
  /** Other files of the data folder, such as keys and mails that wait to be sent. */
  readonly dataFiles: readonly { readonly path: string; readonly part: BackupPart }[]
}

export const manifestPath = 'manifest.json'
/** Makes the backup complete. In the form that `sha256sum --check` reads. */
export const digestPath = 'manifest.sha256'
const lockedKeyPath = `identity${encryptedEnding}`

export const partsOf = ({ tables, contents, dataFiles }: BackupManifest): readonly BackupPart[] =>
  [...tables, ...contents, ...dataFiles].map(({ part }) => part)

// Writing

export class BackupWriter {
  readonly name: string
  readonly #place: BackupPlace
  readonly #cipher: BackupCipher | null

  constructor(place: BackupPlace, name: string, cipher: BackupCipher | null) {
    this.#place = place
    this.name = name
    this.#cipher = cipher
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
  async finish(manifest: BackupManifest): Promise<void> {
    const lockedKey = this.#cipher?.lockedKey
    if (lockedKey) await this.#place.write(`${this.name}/${lockedKeyPath}`, only(lockedKey))
    const { path, sha256 } = await this.writePart(manifestPath, only(Buffer.from(JSON.stringify(manifest, null, 1))))
    await this.#place.write(`${this.name}/${digestPath}`, only(Buffer.from(`${sha256}  ${path}\n`)))
  }
}

async function* only(bytes: Uint8Array): Bytes {
  yield bytes
}

export const compress = (content: AsyncIterable<string>): Bytes =>
  pipeline(Readable.from(content), createGzip(), () => {})

// Reading

export interface OpenBackup {
  readonly manifest: BackupManifest
  /** The content of a part, decrypted. */
  read(part: BackupPart): Promise<Bytes>
  /** Problem `conflict` unless the part is what was written. */
  verify(part: BackupPart): Promise<void>
}

export const openBackup = async (config: Config, place: BackupPlace, name: string): Promise<OpenBackup> => {
  const readStored = (path: string): Promise<Bytes> => place.read(`${name}/${path}`)
  const digest = (await buffer(await readStored(digestPath))).toString()
  const [, sha256 = '', path = ''] = /^([0-9a-f]{64}) {2}([\w.]+)\n$/.exec(digest) ?? []
  if (path !== manifestPath && path !== manifestPath + encryptedEnding) throw damaged(name, digestPath)
  const stored = await buffer(await readStored(path))
  if (sha256Of(stored) !== sha256) throw damaged(name, path)
  const decrypt = path.endsWith(encryptedEnding)
    ? await createDecrypter(config, () => unlessMissing(readStored(lockedKeyPath)))
    : (content: Bytes) => content
  const manifest = JSON.parse((await buffer(decrypt(only(stored)))).toString()) as BackupManifest
  if (manifest.format !== 1)
    throw new Problem('conflict', `The backup ${name} was made by a newer version of Plinth, and cannot be read.`)
  for (const { path } of partsOf(manifest))
    if (path.split(/[\\/]/).includes('..'))
      throw new Problem('conflict', `The backup ${name} has a part outside its folder: ${path}`)
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

const unlessMissing = async (reading: Promise<Bytes>): Promise<Uint8Array | null> => {
  try {
    return await buffer(await reading)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null
    throw error
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

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
