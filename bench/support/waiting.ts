// How long processes waited for a processor that other programs had. What a request took without this time is what it takes on a quiet
// machine, about: it still has all the work of the service, and all the pauses that it makes.

import { readdirSync, readFileSync } from 'node:fs'
import postgres from 'postgres'
import { parentOf } from './cpu.ts'

/** The processes that take part in the answer to a request. */
export interface WatchedProcesses {
  readonly service: number
  /** The first process of PostgreSQL; null where the database is in the service. */
  readonly server: number | null
}

interface Waits {
  /** The waiting of this process and of the service. */
  readonly own: number
  /** The waiting of processes of PostgreSQL. */
  readonly others: ReadonlyMap<string, number>
}

/** proc(5), schedstat: how long the main thread of a process was kept waiting for a processor, in milliseconds. */
const waitedOf = (pid: number | string): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    // It has ended since.
    return 0
  }
}

/** The first process of PostgreSQL, or null for a file. */
export const serverOf = async (database: string): Promise<number | null> => {
  if (!database.startsWith('postgres')) return null
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  try {
    const [row] = await sql.unsafe('SELECT pg_backend_pid() AS pid')
    return parentOf(Number(row?.pid))
  } finally {
    await sql.end()
  }
}

/**
 * Is called before a request; the function that it returns reports, after the request, for how many milliseconds
 * processes waited.
 */
export const createWaitMeter = ({ service, server }: WatchedProcesses): (() => () => number) => {
  const backends =
    server === null ? [] : readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === server)
  const waits = (): Waits => ({
    own: waitedOf(process.pid) + waitedOf(service),
    others: new Map(backends.map(pid => [pid, waitedOf(pid)])),
  })
  return () => {
    const before = waits()
    return () => {
      const after = waits()
      // One of them answers, and the others wait beside it.
      const behind = backends.map(pid => (after.others.get(pid) ?? 0) - (before.others.get(pid) ?? 0))
      return after.own - before.own + Math.max(0, ...behind)
    }
  }
}
