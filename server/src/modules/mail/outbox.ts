// The folder where mails lie that no mail server takes: one file for each, named after its record.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '../../config.ts'

const outboxOf = (config: Config): string => join(config.get('app.dataDir'), 'outbox')

const pathOf = (config: Config, id: string): string => join(outboxOf(config), `${id}.eml`)

/** Links in mails open accounts: only the service's own user may read them. */
export const writeMessage = async (config: Config, id: string, message: Buffer | Readable): Promise<void> => {
  await mkdir(outboxOf(config), { recursive: true, mode: 0o700 })
  const draft = join(outboxOf(config), `.${id}`)
  await writeFile(draft, message, { mode: 0o600 })
  await rename(draft, pathOf(config, id))
}

/** Null when it does not lie there: not written yet, or sent to a server. */
export const readMessage = (config: Config, id: string): Promise<Buffer | null> =>
  readFile(pathOf(config, id)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
