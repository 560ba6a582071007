// A few processes for reads that may take long, so that they never stop the service itself.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Problem } from '../problem.ts'
import type { ReadReply, ReadRequest } from './sqlite-reader.ts'

export interface SlowReadLimits {
  /** Processes at the same time. */
  readonly processes: number
  /** How long a statement may run, in milliseconds. */
  readonly timeout: number
  /** Reads that wait for a process; more are refused. */
  readonly waiting: number
}

type Rows = readonly (readonly unknown[])[]

interface Read {
  readonly request: ReadRequest
  readonly resolve: (rows: Rows) => void
  readonly reject: (reason: unknown) => void
  /** The statement runs from now on. */
  readonly started: () => void
  /** Takes it out of the queue, or ends its process. */
  readonly end: (reason: Problem) => void
}

interface Reader {
  readonly child: ChildProcess
  current: Read | null
}

/** How many times as long as a statement may run it may wait for its turn. */
const patience = 4

/** A process that was idle for so long ends, in milliseconds. */
const idleMs = 5 * 60_000

export class SqliteReaders {
  readonly #path: string
  readonly #limits: SlowReadLimits
  readonly #readers = new Set<Reader>()
  readonly #free: Reader[] = []
  readonly #queue: Read[] = []
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor(path: string, limits: SlowReadLimits) {
    this.#path = path
    this.#limits = limits
  }

  rows(request: ReadRequest, signal?: AbortSignal): Promise<Rows> {
    if (this.#closed) return Promise.reject(unavailable('The database is closed.'))
    if (this.#queue.length >= this.#limits.waiting) {
      return Promise.reject(unavailable('Too many slow searches are waiting; try again later.'))
    }
    return new Promise((resolve, reject) => {
      const end = (reason: Problem) => {
        const at = this.#queue.indexOf(read)
        if (at >= 0) this.#queue.splice(at, 1)
        for (const reader of this.#readers) if (reader.current === read) reader.child.kill('SIGKILL')
        settle(() => reject(reason))
      }
      const { timeout } = this.#limits
      let timer = setTimeout(
        () => end(unavailable('Too many slow searches are running; try again later.')),
        patience * timeout,
      )
      const left = () => end(unavailable('The caller has left.'))
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', left)
        finish()
      }
      const read: Read = {
        request,
        resolve: rows => settle(() => resolve(rows)),
        reject: reason => settle(() => reject(reason)),
        started: () => {
          clearTimeout(timer)
          timer = setTimeout(() => end(timedOut(timeout)), timeout)
        },
        end,
      }
      if (signal?.aborted) return left()
      signal?.addEventListener('abort', left)
      this.#queue.push(read)
      this.#next()
    })
  }

  /** Resolves when no process has the database open any more. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#idle) clearTimeout(this.#idle)
    for (const read of this.#queue.splice(0)) read.end(unavailable('The service is stopping.'))
    const ended = [...this.#readers].map(({ child, current }) => {
      current?.reject(unavailable('The service is stopping.'))
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      return exit
    })
    await Promise.all(ended)
  }

  #next(): void {
    if (this.#queue.length === 0) return
    const reader = this.#free.pop()
    if (reader) this.#send(reader)
    else if (this.#readers.size < this.#limits.processes) this.#start()
  }

  #send(reader: Reader): void {
    const read = this.#queue.shift()
    if (!read) {
      this.#free.push(reader)
      return
    }
    reader.current = read
    reader.child.send(read.request)
    read.started()
  }

  #start(): void {
    const isSource = import.meta.url.endsWith('.ts')
    const file = fileURLToPath(new URL(`./sqlite-reader.${isSource ? 'ts' : 'js'}`, import.meta.url))
    const child = fork(file, [this.#path, String(2 * this.#limits.timeout)], {
      // Lists of values and large numbers arrive as they are.
      serialization: 'advanced',
      execArgv: isSource ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const reader: Reader = { child, current: null }
    this.#readers.add(reader)
    child.on('message', (message: 'ready' | ReadReply) => {
      if (message !== 'ready') this.#answer(reader, message)
      this.#send(reader)
      this.#endIdleLater()
    })
    child.once('exit', () => {
      this.#readers.delete(reader)
      const at = this.#free.indexOf(reader)
      if (at >= 0) this.#free.splice(at, 1)
      reader.current?.reject(unavailable('The search was cut off; try again.'))
      if (!this.#closed) this.#next()
    })
    child.on('error', error => {
      // A process that could not be started never exits.
      if (child.pid === undefined) this.#readers.delete(reader)
      reader.current?.reject(error)
    })
  }

  #answer(reader: Reader, reply: ReadReply): void {
    const read = reader.current
    reader.current = null
    if ('rows' in reply) read?.resolve(reply.rows)
    else read?.reject(new Error(reply.error))
  }

  #endIdleLater(): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      for (const { child } of this.#free) child.disconnect()
    }, idleMs).unref()
  }
}

const timedOut = (ms: number): Problem =>
  new Problem('query_timeout', {
    detail: `The search took longer than ${ms / 1000} s and was ended. Use fewer conditions, or conditions that an index serves.`,
    headers: { 'Retry-After': '5' },
  })

const unavailable = (detail: string): Problem => new Problem('unavailable', { detail, headers: { 'Retry-After': '1' } })
