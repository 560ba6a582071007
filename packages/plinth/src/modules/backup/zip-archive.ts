// A backup as a ZIP archive, made while it is sent. Parts are compressed already.

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { outputOf, zipOf } from '../../core/zip.ts'
import { type BackupPart, BackupWriter, createProtection } from './archive.ts'
import type { OpenBackup } from './open-backup.ts'
import type { BackupPlace, Bytes } from './place.ts'

const stored = { compress: false }

/** A backup as it is stored. */
export async function* archiveOf(place: BackupPlace, name: string, parts: readonly string[]): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  let part = Readable.from([])
  for (const path of parts)
    zip.addReadStreamLazy(`${name}/${path}`, stored, done => {
      place.read(`${name}/${path}`).then(
        content => {
          part = Readable.from(content)
          done(null, part)
        },
        (error: unknown) => done(error, Readable.from([])),
      )
    })
  zip.end()
  yield* outputOf(zip, () => part.destroy())
}

/** A backup that is stored in plain, encrypted by a passphrase on its way. */
export const encryptedArchiveOf = (backup: OpenBackup, passphrase: string): AsyncGenerator<Buffer> =>
  zipOf(async add => {
    const protection = await createProtection({ passphrase, recipient: '', signingKey: '' })
    const write = (path: string, content: Bytes): Promise<void> => add(path, content, stored)
    await copyBackup(backup, new BackupWriter({ write }, backup.manifest.name, protection))
  })

/** Every part is checked first: the copy has digests of its own. */
const copyBackup = async ({ manifest, read, verify }: OpenBackup, writer: BackupWriter): Promise<void> => {
  const copyAll = async <T extends { readonly part: BackupPart }>(entries: readonly T[]): Promise<readonly T[]> => {
    const copies: T[] = []
    for (const entry of entries) {
      await verify(entry.part)
      copies.push({ ...entry, part: await writer.writePart(entry.part.path, await read(entry.part)) })
    }
    return copies
  }
  await writer.finish({
    ...manifest,
    tables: await copyAll(manifest.tables),
    contents: await copyAll(manifest.contents),
    dataFiles: await copyAll(manifest.dataFiles),
  })
}
