// The files of the data folder that belong to a backup: keys, mails that wait to be sent, and whatever else modules keep there.

import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { Problem } from '../../core/problem.ts'
import type { Bytes } from './place.ts'

/** Says that a restore is under way or was cut off. Holds the name of the backup. */
export const unfinishedMark = 'restore-unfinished'

/**
 * The database and uploaded files are copied in their own ways; uploads that are under way belong to no record yet. The head of the audit
 * log is that of the present database.
 */
const others = /^(?:plinth\.db(?:-\w+)?|files|uploads|backups|restore-unfinished|audit-head)$/

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

/** Returns null when the file is gone by now, as a mail is that was sent. */
export const readDataFile = async (config: Config, path: string): Promise<Bytes | null> => {
  const content = createReadStream(join(config.get(appSettings).dataDir, path))
  return new Promise((done, fail) =>
    content
      .once('open', () => done(content))
      .once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? done(null) : fail(error))),
  )
}

/** Returns the place of a file of a backup. Problem `conflict` when that is no place for it. */
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
