// A few processes for reads that may take long, so that they never stop the service itself.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Requester } from '../model/caller.ts'
import { Problem } from '../problem.ts'
import { callerLeft, FairQueue, queryTimeout, slowReadLimits, stopping } from './fair-queue.ts'
import type { ReadReply, ReadRequest } from './sqlite-reader.ts'

type Rows = readonly (readonly unknown[])[]

interface Read {
  readonly request: ReadRequest
  readonly resolve: (rows: Rows) => void
  readonly reject: (reason: unknown) => void
  /** The statement runs from now on. */
  readonly started: () => void
}

interface Reader {
  readonly child: ChildProcess
  isReady: boolean
  current: Read | null
}

/** At the same time. */
const processes = 2

/** A process that was idle for so long ends, in milliseconds. */
const idleMs = 5 * 60_000

export class SqliteReaders {
  readonly #path: string
  readonly #timeout: number
  readonly #queue: FairQueue
  readonly #readers = new Set<Reader>()
  readonly #free: Reader[] = []
  #idle: NodeJS.Timeout | null = null
  #ending: NodeJS.Timeout | null = null

  /** `timeout`: how long a statement may run, in milliseconds. */
  constructor(path: string, timeout: number) {
    this.#path = path
    this.#timeout = timeout
    this.#queue = new FairQueue(slowReadLimits(processes, timeout))
  }

  rows(request: ReadRequest, requester?: Requester): Promise<Rows> {
    return this.#queue.run(requester, () => this.#read(request, requester?.signal()))
  }

  /** Lets reads that run finish if they do so soon, and refuses all others. */
  drain(graceMs: number): void {
    this.#queue.close()
    this.#ending ??= setTimeout(() => void this.close(), graceMs).unref()
  }

  /** Resolves when no process has the database open any more. */
  async close(): Promise<void> {
    this.#queue.close()
    if (this.#idle) clearTimeout(this.#idle)
    if (this.#ending) clearTimeout(this.#ending)
    const ended = [...this.#readers].map(({ child, current }) => {
      current?.reject(stopping())
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      return exit
    })
    await Promise.all(ended)
  }

  #read(request: ReadRequest, signal: AbortSignal | undefined): Promise<Rows> {
    const reader = this.#free.pop() ?? this.#start()
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | null = null
      const settle = (finish: () => void) => {
        if (timer) clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        reader.current = null
        finish()
      }
      const end = (reason: Problem) => {
        // Nothing else ends a statement of SQLite. A process that has not begun is of use to the next read.
        if (timer) reader.child.kill('SIGKILL')
        else this.#free.push(reader)
        settle(() => reject(reason))
      }
      const leave = () => end(callerLeft())
      reader.current = {
        request,
        resolve: rows => settle(() => resolve(rows)),
        reject: reason => settle(() => reject(reason)),
        started: () => {
          timer = setTimeout(() => end(queryTimeout(this.#timeout)), this.#timeout)
        },
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave)
      if (reader.isReady) this.#send(reader)
    })
  }

  #send({ child, current }: Reader): void {
    if (!current) return
    child.send(current.request)
    current.started()
  }

  #start(): Reader {
    const isSource = import.meta.url.endsWith('.ts')
    const file = fileURLToPath(new URL(`./sqlite-reader.${isSource ? 'ts' : 'js'}`, import.meta.url))
    const child = fork(file, [this.#path, String(2 * this.#timeout)], {
      // Lists of values and large numbers arrive as they are.
      serialization: 'advanced',
      execArgv: isSource ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const reader: Reader = { child, isReady: false, current: null }
    this.#readers.add(reader)
    child.on('message', (message: 'ready' | ReadReply) => {
      if (message !== 'ready') return this.#answer(reader, message)
      reader.isReady = true
      this.#send(reader)
    })
    child.once('exit', () => {
      this.#readers.delete(reader)
      const at = this.#free.indexOf(reader)
      if (at >= 0) this.#free.splice(at, 1)
      reader.current?.reject(cutOff())
    })
    child.on('error', error => {
      // A process that could not be started never exits.
      if (child.pid === undefined) this.#readers.delete(reader)
      reader.current?.reject(error)
    })
    return reader
  }

  #answer(reader: Reader, reply: ReadReply): void {
    const read = reader.current
    // It answered in the moment in which it was killed.
    if (!read) return
    this.#free.push(reader)
    this.#endIdleLater()
    if ('rows' in reply) read.resolve(reply.rows)
    else read.reject(new Error(reply.error))
  }

  #endIdleLater(): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      for (const { child } of this.#free) child.disconnect()
    }, idleMs).unref()
  }
}

const cutOff = (): Problem =>
  new Problem('unavailable', { detail: 'The search was cut off; try again.', headers: { 'Retry-After': '1' } })
