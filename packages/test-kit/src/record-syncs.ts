// Loaded into a service before its own code: writes down what the process syncs to the disk, and in which order. SQLite syncs
// its files without Node; they are not seen here.

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { Sync } from './power-cut.ts'

const journal = process.env.SYNC_JOURNAL ?? ''
const { appendFileSync, fstatSync, lstatSync, readdirSync, readFileSync } = fs
appendFileSync(journal, '')

/** Inodes are used again; the time of birth tells two files with the same number apart. */
const idOf = ({ ino, birthtimeNs }: fs.BigIntStats): string => `${ino}-${birthtimeNs}`

const describe = (handle: number): Sync => {
  const stats = fstatSync(handle, { bigint: true })
  const path = `/proc/self/fd/${handle}`
  if (!stats.isDirectory()) return { id: idOf(stats), content: readFileSync(path).toString('base64') }
  const entries = readdirSync(path).map(name => {
    const entry = lstatSync(`${path}/${name}`, { bigint: true })
    return { name, id: idOf(entry), isFolder: entry.isDirectory() }
  })
  return { id: idOf(stats), entries }
}

const record = (handle: number): void => appendFileSync(journal, `${JSON.stringify(describe(handle))}\n`)

const { fsync, fsyncSync } = fs
fs.fsync = Object.assign((handle: number, done: fs.NoParamCallback) => {
  record(handle)
  fsync(handle, done)
}, fsync)
fs.fsyncSync = handle => {
  record(handle)
  fsyncSync(handle)
}
const own = await fs.promises.open(process.execPath)
const handles = Object.getPrototypeOf(own) as fs.promises.FileHandle
const { sync } = handles
handles.sync = function (this: fs.promises.FileHandle) {
  record(this.fd)
  return sync.call(this)
}
await own.close()
syncBuiltinESMExports()
