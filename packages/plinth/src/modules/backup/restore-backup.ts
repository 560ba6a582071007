// Restores a backup. Every part is checked before anything is changed, and the records come in one transaction. Files cannot be
// part of it: a mark in the data folder keeps the service from starting until all of them are there.

import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { uuid } from '../../core/model/pk.ts'
import { Problem } from '../../core/problem.ts'
import { createStore } from '../../core/store/create-store.ts'
import { mustBeLoadable } from '../../core/store/load-snapshot.ts'
import type { DatabaseSnapshot } from '../../core/store/snapshot.ts'
import type { Store } from '../../core/store/store.ts'
import { version } from '../../version.ts'
import { forgetHead } from '../audit/index.ts'
import { storageFor } from '../files/index.ts'
import { type BackupManifest, partsOf } from './archive.ts'
import type { BackupTask } from './create-backup.ts'
import { dataFilePath, unfinishedMark, writeDataFile } from './data-files.ts'
import { type OpenBackup, openBackup, snapshotIn } from './open-backup.ts'
import { readPresent, withPresent } from './withheld.ts'

/** Problem `conflict` that names the first part which is not what was written. */
export const verifyBackup = async ({ manifest, verify }: OpenBackup): Promise<void> => {
  for (const part of partsOf(manifest)) await verify(part)
}

export interface RestoreTask extends BackupTask {
  readonly name: string
  /** Replaces what the database holds. */
  readonly replaces: boolean
  /** Accepts a backup that may have been written by someone without the keys. */
  readonly allowsUnauthenticated?: boolean
}

/** Problem `conflict` while a service runs on the database, where that can be seen. */
export const restoreBackup = async (task: RestoreTask): Promise<BackupManifest> => {
  const release = task.platform.store.claim('alone')
  try {
    return await restoreAlone(task)
  } finally {
    release()
  }
}

const restoreAlone = async (task: RestoreTask): Promise<BackupManifest> => {
  const { config, platform, name, onProgress } = task
  const backup = await openBackup(config, task)
  const { manifest } = backup
  mustBeRestorable(config, manifest)
  await verifyBackup(backup)
  const mark = join(config.get(appSettings).dataDir, unfinishedMark)
  const earlier = await readMark(mark)
  const replaces = task.replaces || earlier === name
  if (!replaces) await mustBeEmpty(platform.store)
  await replaceFile(mark, name)
  try {
    await restoreContents(config, backup)
    const snapshot = await withPresentKeys(platform.store, backup)
    await platform.store.load(snapshot, { version, replaces, onTable: ({ name }) => onProgress?.(name) })
  } catch (error) {
    if (isRolledBack(error)) await (earlier === null ? rm(mark) : replaceFile(mark, earlier))
    throw error
  }
  await forgetHead(config)
  for (const { path, part } of manifest.dataFiles) await writeDataFile(config, path, await backup.read(part))
  await rm(mark)
  return manifest
}

const withPresentKeys = async (store: Store, backup: OpenBackup): Promise<DatabaseSnapshot> => {
  const { withheld } = backup.manifest
  return withheld ? withPresent(snapshotIn(backup), withheld, await readPresent(store, withheld)) : snapshotIn(backup)
}

/** Problem `conflict` when the version, a key or a path of the manifest is not one that this service can have written. */
const mustBeRestorable = (config: Config, manifest: BackupManifest): void => {
  mustBeLoadable(manifest, version)
  for (const { key } of manifest.contents)
    if (!uuid.test(key))
      throw new Problem('conflict', `The backup has a file with the key ${key}, which is not a UUID.`)
  for (const { path } of manifest.dataFiles) dataFilePath(config, path)
}

/** Says whether the database was rolled back. It may have committed when the connection was lost. */
const isRolledBack = (error: unknown): boolean => !(error instanceof Problem && error.status >= 500)

const mustBeEmpty = (store: Store): Promise<void> =>
  store.snapshot(async ({ tables: [table] }) => {
    if (table)
      throw new Problem(
        'conflict',
        `The database is not empty: it has the table ${table.name}. --replace replaces its records.`,
      )
  })

const readMark = (mark: string): Promise<string | null> => readFile(mark, 'utf8').catch(() => null)

/** Restores a backup at the start of the service. */
export const mustBeRestored = async (config: Config): Promise<void> => {
  const mark = join(config.get(appSettings).dataDir, unfinishedMark)
  const name = await readMark(mark)
  if (name !== null)
    throw new Problem(
      'conflict',
      `Restoring the backup ${name} was cut off: run \`plinth restore ${name}\` again. ` +
        `If you have restored the data in another way, remove ${mark}.`,
    )
}

const restoreContents = async (config: Config, { manifest, read }: OpenBackup): Promise<void> => {
  const storage = await storageFor(config)()
  const folder = await mkdtemp(join(config.get(appSettings).dataDir, '.restore-'))
  try {
    for (const { key, part } of manifest.contents) {
      const path = join(folder, key)
      const file = createWriteStream(path, { mode: 0o600, flush: true })
      await pipeline(Readable.from(await read(part)), file)
      await storage.put(key, path)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Restores the records to a database that is thrown away, which compares them one by one, and reads every other part. */
export const drillBackup = async ({ config, platform, place, name }: Omit<RestoreTask, 'replaces'>): Promise<void> => {
  // It was written a moment ago: the drill shows that it can be read.
  const backup = await openBackup(config, { place, name, allowsUnauthenticated: true })
  await verifyBackup(backup)
  const folder = await mkdtemp(join(config.get(appSettings).dataDir, '.drill-'))
  try {
    const store = await createStore({ url: join(folder, 'plinth.db'), registry: platform.registry })
    try {
      await store.load(snapshotIn(backup), { version, replaces: false })
      await compareCounts(store, backup.manifest)
    } finally {
      await store.close()
    }
    for (const { part } of [...backup.manifest.contents, ...backup.manifest.dataFiles])
      for await (const _ of await backup.read(part));
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const compareCounts = (store: Store, { tables }: BackupManifest): Promise<void> =>
  store.snapshot(async restored => {
    for (const { name, rows } of tables) {
      const table = restored.tables.find(one => one.name === name)
      let found = 0
      if (table) for await (const batch of restored.rows(table)) found += batch.length
      if (found !== rows) throw new Problem('conflict', `${name} has ${found} records instead of ${rows}.`)
    }
  })
