// The write-ahead log after a transaction that wrote very many records. Its commit makes the whole log reach the disk, and the commit that
// finds a large log copies it to the database: both would stop the event loop for seconds. So the log reaches the disk before the
// commit, by another thread, and another process copies it afterwards.

import { open } from 'node:fs/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { SqliteReaders } from './readers.ts'

/** A larger log is cut to this size when it begins again, in bytes. */
export const maxKeptLog = 67_108_864

/** The pages from which commits copy the log. The default of SQLite. */
const copiedAt = 1000

interface LargeLogParts {
  readonly path: string
  readonly writing: DatabaseSyncInstance
  readonly readers: SqliteReaders
}

export class LargeLog {
  readonly #parts: LargeLogParts
  #isHeldBack = false

  constructor(parts: LargeLogParts) {
    this.#parts = parts
  }

  async beforeCommit(): Promise<void> {
    const { path, writing } = this.#parts
    const log = await open(`${path}-wal`, 'r+')
    try {
      await log.datasync()
    } finally {
      await log.close()
    }
    this.#isHeldBack = true
    writing.exec('PRAGMA wal_autocheckpoint = 0')
  }

  /** Copies the log in the background: neither the import nor anyone else has to wait for it. */
  afterCommit(): void {
    if (!this.#isHeldBack) return
    const { writing, readers } = this.#parts
    const resume = () => {
      if (writing.isOpen) writing.exec(`PRAGMA wal_autocheckpoint = ${copiedAt}`)
    }
    // Where the process is not there or takes too long, the next commit copies the log itself.
    readers.rows({ sql: 'PRAGMA wal_checkpoint(PASSIVE)', cells: [] }).then(resume, resume)
  }
}
