// Files that survive a power cut: content and name are on the disk before the caller goes on. A file is never seen half
// written. Only the user that runs the service may read them.

import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { errorCode, Problem } from './problem.ts'

const fileMode = 0o600
const folderMode = 0o700

/** Folders cannot be opened on Windows, nor without the right to read them; some file systems cannot sync them. */
const unsyncable = new Set(['EACCES', 'EPERM', 'EISDIR', 'EBADF', 'EINVAL'])

const mustBeUnsyncable = (error: unknown): void => {
  if (!unsyncable.has(errorCode(error))) throw error
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder).catch(mustBeUnsyncable)
  await handle
    ?.sync()
    .catch(mustBeUnsyncable)
    .finally(() => handle.close())
}

/**
 * Creates the folder and those above it that do not exist yet.
 *
 * @example await createFolder('data/gate')
 */
export const createFolder = async (folder: string): Promise<void> => {
  const path = resolve(folder)
  const topmost = await mkdir(path, { recursive: true, mode: folderMode })
  // The last one is synced even if it was there: another call may have created it a moment ago.
  const last = dirname(topmost === undefined ? path : resolve(topmost))
  let above = path
  do {
    above = dirname(above)
    await syncFolder(above)
  } while (above !== last)
}

/** The content of the file must be synced already. */
export const moveFile = async (from: string, to: string): Promise<void> => {
  await createFolder(dirname(to))
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** The draft in which a file is written before it gets its name. */
const draftOf = (path: string): string => join(dirname(path), `.${basename(path)}`)

/** The disk takes no more: it is full, read-only or broken, or a quota or limit is reached. */
const refusals = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'])

/** Makes a problem for callers who cannot help it that a file was not written. */
export const toDiskProblem = (error: unknown): unknown =>
  refusals.has(errorCode(error))
    ? new Problem('unavailable', { detail: 'The file cannot be written now.', cause: error })
    : error

/** Writes the file, in place of one that may be there. The draft is in the same folder. */
export const replaceFile = async (
  path: string,
  content: string | Buffer | Readable,
  draft = draftOf(path),
): Promise<void> => {
  await createFolder(dirname(path))
  const handle = await open(draft, 'w', fileMode)
  try {
    await writeFile(handle, content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/**
 * Writes a file unless it exists; false when it does. Its folder must exist. Several processes may do so at once: the first
 * one wins, and the others find its content complete.
 *
 * @example const isFirst = createFile('data/gate.key', key)
 */
export const createFile = (path: string, content: string): boolean => {
  const draft = `${draftOf(path)}.${process.pid}`
  withHandle(draft, 'w', handle => {
    writeFileSync(handle, content)
    fsyncSync(handle)
  })
  const isFirst = link(draft, path)
  rmSync(draft)
  try {
    withHandle(dirname(path), 'r', fsyncSync)
  } catch (error) {
    mustBeUnsyncable(error)
  }
  return isFirst
}

/** Links a file; unlike a rename, it never replaces one. */
const link = (from: string, to: string): boolean => {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

const withHandle = (path: string, flags: string, work: (handle: number) => void): void => {
  const handle = openSync(path, flags, fileMode)
  try {
    work(handle)
  } finally {
    closeSync(handle)
  }
}
