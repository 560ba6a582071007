// Files that the command line writes.

import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from './explain.ts'

/** Refuses to write over a file. */
export const writeNew = async (file: string, text: string): Promise<void> => {
  if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was changed.`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text, { flag: 'wx' })
}
