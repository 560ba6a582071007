// Where backups are restored to.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestedDatabase } from '@plinth/test-kit/databases'
import { type App, type Config, createApp, modulesFor } from '@plinth/test-kit/platform'
import { createDatabase } from '@plinth/test-kit/postgres'
import { configOn } from '@plinth/test-kit/prepared-data'
import { inject, onTestFinished } from 'vitest'
import type { Module } from '../../src/core/module.ts'
import type { BackupPlace } from '../../src/modules/backup/place.ts'
import { restoreBackup } from '../../src/modules/backup/restore-backup.ts'

interface Target {
  readonly app: App
  readonly config: Config
  readonly folder: string
}

/** A service that was never started, on an empty database. */
export const emptyTarget = async (
  database: TestedDatabase,
  settings: Record<string, string> = {},
  added: readonly Module[] = [],
): Promise<Target> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-restore-'))
  const url = database === 'postgres' ? await createDatabase(inject('postgresUrl')) : ''
  const config = configOn({ folder, url }, settings)
  const app = await createApp(config, { modules: [...modulesFor(config), ...added] })
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { app, config, folder }
}

export const restoreTo = ({ app, config }: Target, place: BackupPlace, name: string, replaces = false) =>
  restoreBackup({ config, platform: app.platform, place, name, replaces })
