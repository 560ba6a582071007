// A process that runs slow reads for the service, one at a time. The service ends it when a read takes too long: nothing else
// ends a statement of SQLite.
// Its arguments: the path of the database, and after how many milliseconds a statement is taken to be abandoned.

import { Worker } from 'node:worker_threads'
import type { StatementSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import { errorMessage } from '../../problem.ts'
import { startStopwatch } from '../../thread-clock.ts'
import type { Cell, ResultRow, ResultRows } from '../connection.ts'
import { openSqlite } from './open.ts'

export interface ReadRequest {
  readonly sql: string
  readonly cells: readonly Cell[]
}

export interface ReadResult {
  readonly rows: ResultRows
  /** How long the statement took, in milliseconds of processor time. */
  readonly ms: number
}

export type ReadReply = ReadResult | { readonly error: string }

/** The first rows of a large result. The reply brings the others. */
export interface ReadPiece {
  readonly piece: ResultRows
}

/** The characters of a piece: to read a message takes the service as long as it is large. */
const pieceLength = 128 * 1024

/** Ends this process when a statement runs on although the service is gone: the main thread cannot notice it then. */
const watchdog = `
  const { workerData: { running, limit } } = require('node:worker_threads')
  let seen = 0
  setInterval(() => {
    const now = Atomics.load(running, 0)
    if (now !== 0 && now === seen) process.kill(process.pid, 'SIGKILL')
    seen = now
  }, limit)
`

const [path = '', limit = ''] = process.argv.slice(2)
const database = openSqlite(path)
database.exec('PRAGMA query_only = ON')
/** The number of the statement under way; 0 between two statements. */
const running = new Int32Array(new SharedArrayBuffer(4))
new Worker(watchdog, { eval: true, workerData: { running, limit: Number(limit) } }).unref()

const prepared = new LRUCache<string, StatementSyncInstance>({ max: 50 })

const read = ({ sql, cells }: ReadRequest): ReadReply => {
  try {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    const ownTime = startStopwatch()
    const rows = statement.all(...cells) as unknown as ResultRows
    return { rows, ms: ownTime() }
  } catch (error) {
    return { error: errorMessage(error) }
  }
}

const lengthOf = (row: ResultRow): number => {
  let length = 0
  for (const cell of row) length += typeof cell === 'string' ? cell.length : 8
  return length
}

/** Sends all but the last piece, and returns that one. */
const sendPieces = (rows: ResultRows): ResultRows => {
  let [from, length] = [0, 0]
  rows.forEach((row, at) => {
    length += lengthOf(row)
    if (length < pieceLength) return
    process.send?.({ piece: rows.slice(from, at + 1) } satisfies ReadPiece)
    from = at + 1
    length = 0
  })
  return from === 0 ? rows : rows.slice(from)
}

let count = 0
process.on('message', (request: ReadRequest) => {
  count += 1
  Atomics.store(running, 0, count)
  const reply = read(request)
  Atomics.store(running, 0, 0)
  process.send?.('rows' in reply ? { ...reply, rows: sendPieces(reply.rows) } : reply)
})
process.on('disconnect', () => process.exit(0))
// A signal to the whole group is meant for the service, which ends its readers.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.send?.('ready')
