// Makes a backup while the service runs.
//
// Records and uploaded files are of one moment: the contents of files never change and are copied first, as they are listed then.
// In the snapshot of the database only those are missing that were uploaded since. A content that is gone although the snapshot
// lists it was deleted after the snapshot: a new one is taken. A record is always deleted before its content, so a content that
// is missing from the start is lost.

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Config } from '../../core/config/settings.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { DatabaseSnapshot, SnapshotTable } from '../../core/store/snapshot.ts'
import { storageFor } from '../files/index.ts'
import { type BackupManifest, BackupWriter, compress, createProtection } from './archive.ts'
import { ContentCopies, contentKeys } from './content-copies.ts'
import { listDataFiles, readDataFile } from './data-files.ts'
import type { BackupPlace } from './place.ts'
import { backupSettings } from './settings.ts'
import { isWithheldFile, type WithheldParts, withheldParts, withhold } from './withheld.ts'

export interface BackupTask {
  readonly config: Config
  readonly platform: Platform
  readonly place: BackupPlace
  readonly onProgress?: (line: string) => void
}

/** Snapshots that are taken when uploads and deletions meet the backup. */
const maxSnapshots = 10

/** What was written is removed when the backup fails: it would keep a full disk full. */
export const createBackup = async (task: BackupTask): Promise<BackupManifest> => {
  const { config, platform, place } = task
  const created = platform.clock()
  const installation = await platform.store.installation()
  const protection = await createProtection(config.get(backupSettings))
  const writer = new BackupWriter(place, nameOf(created, installation), protection)
  try {
    const withheld = protection.cipher ? null : withheldParts(platform.registry)
    return await writeBackup(writer, { ...task, created, installation, withheld })
  } catch (error) {
    await place.remove(writer.name).catch(() => {})
    throw error
  }
}

interface WritingTask extends BackupTask {
  readonly created: Date
  readonly installation: string
  /** Is null for an encrypted backup, which has everything. */
  readonly withheld: WithheldParts | null
}

const writeBackup = async (writer: BackupWriter, task: WritingTask): Promise<BackupManifest> => {
  const { config, platform, created, installation, withheld, onProgress } = task
  const contents = new ContentCopies(writer, await storageFor(config)())
  await platform.store.snapshot(async snapshot => contents.copy(await contentKeys(platform, snapshot)))
  for (let attempt = 1; ; attempt++) {
    const manifest = await platform.store.snapshot(async snapshot => {
      const keys = await contentKeys(platform, snapshot)
      const isComplete = await contents.copy(keys)
      if (!isComplete && attempt < maxSnapshots) return null
      return {
        ...{ format: 1 as const, name: writer.name, created: created.toISOString(), installation },
        ...{ database: platform.store.database, version: snapshot.version, lastEvent: snapshot.lastEvent },
        tables: await copyTables(writer, withheld ? withhold(snapshot, withheld) : snapshot, onProgress),
        ...contents.of(keys),
        dataFiles: await copyDataFiles(writer, task),
        ...(withheld && { withheld }),
      }
    })
    if (!manifest) continue
    await writer.finish(manifest)
    return manifest
  }
}

/** Sorts by time. Installations may share a folder. */
const nameOf = (created: Date, installation: string): string =>
  `plinth-${created.toISOString().replace(/[-:]|\.\d+/g, '')}-${installation}-${randomBytes(2).toString('hex')}`

const copyTables = async (
  writer: BackupWriter,
  snapshot: DatabaseSnapshot,
  onProgress: BackupTask['onProgress'],
): Promise<BackupManifest['tables']> => {
  const tables: BackupManifest['tables'][number][] = []
  for (const table of snapshot.tables) {
    let rows = 0
    const lines = async function* (): AsyncGenerator<string> {
      for await (const batch of snapshot.rows(table)) {
        rows += batch.length
        yield batch.map(row => `${JSON.stringify(row)}\n`).join('')
      }
    }
    const part = await writer.writePart(tablePath(table), compress(lines()))
    onProgress?.(`${table.name}: ${rows} records`)
    tables.push({ ...table, rows, part })
  }
  return tables
}

const tablePath = ({ name }: SnapshotTable): string => `tables/${name}.ndjson.gz`

const copyDataFiles = async (
  writer: BackupWriter,
  { config, place, withheld }: WritingTask,
): Promise<BackupManifest['dataFiles']> => {
  const copies: BackupManifest['dataFiles'][number][] = []
  for (const path of await listDataFiles(config, place.address)) {
    if (withheld && isWithheldFile(path)) continue
    const content = await readDataFile(config, path)
    if (content) copies.push({ path, part: await writer.writePart(`data/${path}`, Readable.from(content)) })
  }
  return copies
}
