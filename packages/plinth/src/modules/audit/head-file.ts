// The last checkpoint that this instance knows of, in a file of the data folder: who can only write to the database cannot cut off the
// end of the audit log, or bring back an earlier state of it, without its being noticed.

import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { errorCode } from '../../core/problem.ts'
import type { LogPosition } from './checkpoints.ts'

/** It belongs to the state of a database, so it is no part of backups. */
const headFileName = 'audit-head'

const fileOf = (config: Config): string => join(config.get(appSettings).dataDir, headFileName)

/** Returns null where there is none, as at the first start and after a restore. */
export const readHead = async (config: Config): Promise<LogPosition | null> => {
  let content: string
  try {
    content = await readFile(fileOf(config), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  const [number, hash] = content.trim().split(' ')
  return number && hash ? { number: Number(number), hash } : null
}

/** Instances may share a folder, so each draft has a name of its own. */
export const writeHead = (config: Config, { number, hash }: LogPosition): Promise<void> => {
  const draft = join(config.get(appSettings).dataDir, `.${headFileName}.${randomBytes(4).toString('hex')}`)
  return replaceFile(fileOf(config), `${number} ${hash}\n`, draft)
}

/** After a restore the database is rightly at an earlier state. */
export const forgetHead = (config: Config): Promise<void> => rm(fileOf(config), { force: true })
