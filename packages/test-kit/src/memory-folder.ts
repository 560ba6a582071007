// A folder in memory for all that tests write. On a disk every commit of the embedded database waits for it.

import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const memory = '/dev/shm'
/** Containers often have 64 MB there. */
const neededBytes = 4e9

const isLargeEnough = async (): Promise<boolean> => {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = await statfs(memory)
  return bavail * bsize >= neededBytes
}

/**
 * Makes temporary files of this process, and of those that it starts, go to memory where there is enough of it. Returns how to end
 * that.
 */
export const useMemoryFolder = async (): Promise<() => Promise<void>> => {
  if (!(await isLargeEnough())) return async () => {}
  const before = process.env.TMPDIR
  const folder = await mkdtemp(join(memory, 'plinth-test-'))
  // PostgreSQL runs as another user where tests run as root.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  return async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(folder, { recursive: true, force: true })
  }
}
