// Makes a backup while the service runs.
//
// Records and uploaded files are of one moment: the contents of files never change and are copied first, as they are listed then.
// In the snapshot of the database only those are missing that were uploaded since. A content that is gone although the snapshot
// lists it was deleted after the snapshot: a new one is taken. A record is always deleted before its content, so a content that
// is missing from the start is lost.

import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { BaseLogger } from 'pino'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { hourMs, type Job } from '../../core/jobs/job.ts'
import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { Service } from '../../core/service.ts'
import type { DatabaseSnapshot, SnapshotTable } from '../../core/store/snapshot.ts'
import { files, type Storage, storageFor } from '../files/index.ts'
import { type BackupManifest, type BackupPart, BackupWriter, compress, createProtection } from './archive.ts'
import { removeOldBackups } from './backup-list.ts'
import { type BackupPlace, type Bytes, placeOf } from './place.ts'
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
  /** Null for an encrypted backup, which has everything. */
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

// Uploaded files

/** The pk of a file is the key of its content. */
const contentKeys = async ({ registry }: Platform, snapshot: DatabaseSnapshot): Promise<readonly string[]> => {
  const table = snapshot.tables.find(({ name }) => name === registry.resource(files).name)
  if (!table) return []
  const at = table.columns.findIndex(column => column.name === 'pk')
  const keys: string[] = []
  for await (const rows of snapshot.rows(table)) keys.push(...rows.map(row => row[at]).filter(isText))
  return keys
}

const isText = (value: unknown): value is string => typeof value === 'string'

class ContentCopies {
  readonly #writer: BackupWriter
  readonly #storage: Storage
  readonly #copied = new Map<string, BackupPart>()
  /** Missing when the backup began. */
  readonly #lost = new Set<string>()
  #isFirst = true

  constructor(writer: BackupWriter, storage: Storage) {
    this.#writer = writer
    this.#storage = storage
  }

  /** Copies those that are not copied yet. False when one was deleted in between. */
  async copy(keys: readonly string[]): Promise<boolean> {
    let isComplete = true
    for (const key of keys) {
      if (this.#copied.has(key) || this.#lost.has(key)) continue
      const content = await this.#storage.read(key).catch(unlessGone)
      if (content) this.#copied.set(key, await this.#writer.writePart(`files/${key}`, content))
      else if (this.#isFirst) this.#lost.add(key)
      else isComplete = false
    }
    this.#isFirst = false
    return isComplete
  }

  of(keys: readonly string[]): Pick<BackupManifest, 'contents' | 'lostContents'> {
    return {
      contents: keys.flatMap(key => {
        const part = this.#copied.get(key)
        return part ? [{ key, part }] : []
      }),
      lostContents: keys.filter(key => !this.#copied.has(key)),
    }
  }
}

const unlessGone = (error: unknown): null => {
  if (error instanceof Problem && error.code === 'not_found') return null
  throw error
}

// Tables and other files

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

// The files of the data folder that belong to a backup: keys, mails that wait to be sent, and whatever else modules keep there.

/** Says that a restore is under way or was cut off. Holds the name of the backup. */
export const unfinishedMark = 'restore-unfinished'

/** The database and uploaded files are copied in their own ways; uploads that are under way belong to no record yet. */
const others = /^(?:plinth\.db(?:-\w+)?|files|uploads|backups|restore-unfinished)$/

/** Paths below the data folder. `target`: where backups go, in case it is inside. */
export const listDataFiles = async (config: Config, target: string): Promise<readonly string[]> => {
  const folder = resolve(config.get(appSettings).dataDir)
  const list = async (below: string): Promise<string[]> => {
    const found: string[] = []
    for (const one of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = join(below, one.name)
      // Drafts of files that are being written begin with a dot.
      if ((below === '' && others.test(one.name)) || one.name.startsWith('.')) continue
      if (one.isDirectory() && join(folder, path) !== target) found.push(...(await list(path)))
      if (one.isFile()) found.push(path.split(sep).join('/'))
    }
    return found
  }
  return list('')
}

/** Null when the file is gone by now, as a mail is that was sent. */
export const readDataFile = async (config: Config, path: string): Promise<Bytes | null> => {
  const content = createReadStream(join(config.get(appSettings).dataDir, path))
  return new Promise((done, fail) =>
    content
      .once('open', () => done(content))
      .once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? done(null) : fail(error))),
  )
}

/** Where a file of a backup goes. Problem `conflict` when that is no place for it. */
export const dataFilePath = (config: Config, path: string): string => {
  const folder = resolve(config.get(appSettings).dataDir)
  const file = normalize(join(folder, path))
  const below = relative(folder, file)
  if (isAbsolute(path) || below.startsWith('..') || others.test(below.split(sep)[0] ?? ''))
    throw new Problem('conflict', `The backup has a file that does not belong into the data folder: ${path}`)
  return file
}

export const writeDataFile = (config: Config, path: string, content: Bytes): Promise<void> =>
  replaceFile(dataFilePath(config, path), Readable.from(content))

// Backups that the service makes of itself: by its schedule, or when an administrator asks for one.

export const scheduledBackup = (everyHours: number): Job => ({
  name: 'back-up',
  about: {
    en: 'Backs up all records and files, and removes old backups.',
    de: 'Sichert alle Datensätze und Dateien und entfernt alte Sicherungen.',
  },
  everyMs: everyHours * hourMs,
  // All records and files: that is more than a job usually does.
  timeout: 86_400,
  run: ({ service, log, signal }) => backUpService(service, { log, signal }),
})

interface BackupRun {
  readonly log: BaseLogger
  /** Ends the run, and removes what it has written. */
  readonly signal: AbortSignal
}

export const backUpService = async ({ platform, config }: Service, { log, signal }: BackupRun): Promise<void> => {
  const place = endedBy(signal, await placeOf(config))
  const installation = await platform.store.installation()
  // First, what killed processes have left: the disk may be full of it.
  await removeOldBackups(place, { keep: 0, now: platform.clock(), installation })
  const { name, tables } = await createBackup({ config, platform, place })
  const { keep } = config.get(backupSettings)
  const removed = await removeOldBackups(place, { keep, now: platform.clock(), installation })
  log.info({ backup: name, records: tables.reduce((sum, { rows }) => sum + rows, 0), removed }, 'backup made')
}

/** Writes until the signal is aborted. */
const endedBy = (signal: AbortSignal, place: BackupPlace): BackupPlace => ({
  ...place,
  write: (path, content) => place.write(path, unlessAborted(signal, content)),
})

const unlessAborted = async function* (signal: AbortSignal, content: Bytes): Bytes {
  signal.throwIfAborted()
  for await (const piece of content) {
    signal.throwIfAborted()
    yield piece
  }
}
