// The folder where mails lie that no mail server takes: one file for each, named after its record.

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'

const outboxOf = (config: Config): string => join(config.get(appSettings).dataDir, 'outbox')

const pathOf = (config: Config, id: string): string => join(outboxOf(config), `${id}.eml`)

const draftOf = (config: Config, id: string): string => join(outboxOf(config), `.${id}`)

/** Links in mails open accounts: only the user that runs the service may read the file. */
export const writeMessage = (config: Config, id: string, message: Buffer | Readable): Promise<void> =>
  replaceFile(pathOf(config, id), message, draftOf(config, id))

/** Null when it does not lie there: not written yet, or sent to a server. */
export const readMessage = (config: Config, id: string): Promise<Buffer | null> =>
  readFile(pathOf(config, id)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

const ours = /^\.?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.eml)?$/

/** All that lie there, also those that are half written. */
export const listMessages = async (config: Config): Promise<readonly string[]> => {
  const names = await readdir(outboxOf(config)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.flatMap(name => ours.exec(name)?.[1] ?? [])
}

export const removeMessage = async (config: Config, id: string): Promise<void> => {
  for (const path of [pathOf(config, id), draftOf(config, id)]) await rm(path, { force: true })
}
