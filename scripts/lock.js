// A file that one process at a time has made: builds of one checkout, which `npm start` and other commands begin on their own, would
// otherwise write the same files.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** False while another process has the lock. The process that takes it removes the file when it is done. */
export const takeLock = file => {
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    // A build that was killed leaves its file behind.
    if (!isAlive(holderOf(file))) rmSync(file, { force: true })
    return false
  }
}

/** NaN when the file is gone by now, or empty as yet. */
const holderOf = file => {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10)
  } catch {
    return Number.NaN
  }
}

const isAlive = pid => {
  if (Number.isNaN(pid)) return true
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Of another user.
    return error.code === 'EPERM'
  }
}
