// A few processes for reads that may take long, so that they never stop the service itself.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Requester } from '../../model/caller.ts'
import { Problem } from '../../problem.ts'
import type { ResultRow } from '../connection.ts'
import { queryTimeout, type SlowRead, SlowReads, slowReadPlaces } from '../slow-reads.ts'
import type { ReadPiece, ReadReply, ReadRequest, ReadResult } from './sqlite-reader.ts'

interface Read {
  readonly request: ReadRequest
  readonly resolve: (result: ReadResult) => void
  readonly reject: (reason: unknown) => void
  readonly deadline: NodeJS.Timeout
  /** The process has it. */
  isSent: boolean
  /** What has arrived of a large result. */
  readonly rows: ResultRow[]
}

interface ReaderProcess {
  readonly child: ChildProcess
  isReady: boolean
  current: Read | null
}

/** A process that was idle for so long ends, in milliseconds. */
const idleMs = 5 * 60_000
/** A process that takes longer to start is replaced. */
const startMs = 30_000

export class SqliteReaders extends SlowReads {
  readonly #path: string
  readonly #timeout: number
  readonly #readers = new Set<ReaderProcess>()
  readonly #free: ReaderProcess[] = []
  #idle: NodeJS.Timeout | null = null
  #isClosing = false

  /** `timeout`: how long a read may take, in milliseconds, with the start of a process where there is none yet. */
  constructor(path: string, timeout: number) {
    super(slowReadPlaces(), timeout)
    this.#path = path
    this.#timeout = timeout
  }

  rows(request: ReadRequest, requester?: Requester): Promise<ReadResult> {
    return this.run(requester, () => this.#begin(request))
  }

  /** Settles when no process has the database open any more. */
  override async close(): Promise<void> {
    this.#isClosing = true
    await super.close()
    if (this.#idle) clearTimeout(this.#idle)
    const ended = [...this.#readers].map(({ child }) => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      return exit
    })
    await Promise.all(ended)
  }

  #begin(request: ReadRequest): SlowRead<ReadResult> {
    const reader = this.#take()
    const deadline = setTimeout(() => this.#end(reader, queryTimeout(this.#timeout)), this.#timeout)
    const result = new Promise<ReadResult>((resolve, reject) => {
      reader.current = { request, resolve, reject, deadline, isSent: false, rows: [] }
    })
    const { current } = reader
    if (reader.isReady) this.#send(reader)
    return {
      result,
      end: async reason => {
        if (reader.current === current) this.#end(reader, reason)
      },
    }
  }

  #take(): ReaderProcess {
    const ready = this.#free.findIndex(({ isReady }) => isReady)
    return this.#free.splice(Math.max(0, ready), 1)[0] ?? this.#start()
  }

  #send({ child, current }: ReaderProcess): void {
    if (!current) return
    current.isSent = true
    child.send(current.request)
  }

  #end(reader: ReaderProcess, reason: Problem): void {
    const read = this.#settle(reader)
    // Nothing else ends a statement of SQLite. A process that has not begun is of use to the next read.
    if (read?.isSent) this.#replace(reader)
    else this.#free.push(reader)
    read?.reject(reason)
  }

  /** Replaces a process at once, so that the next read does not wait for the start. */
  #replace({ child }: ReaderProcess): void {
    child.kill('SIGKILL')
    if (this.#isClosing) return
    this.#free.push(this.#start())
    this.#endIdleLater()
  }

  /** Gives the read that is over. */
  #settle(reader: ReaderProcess): Read | null {
    const read = reader.current
    if (read) clearTimeout(read.deadline)
    reader.current = null
    return read
  }

  #start(): ReaderProcess {
    const isSource = import.meta.url.endsWith('.ts')
    const file = fileURLToPath(new URL(`./sqlite-reader.${isSource ? 'ts' : 'js'}`, import.meta.url))
    const child = fork(file, [this.#path, String(2 * this.#timeout)], {
      // Lists of values and large numbers arrive as they are.
      serialization: 'advanced',
      execArgv: isSource ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const reader: ReaderProcess = { child, isReady: false, current: null }
    this.#readers.add(reader)
    const starting = setTimeout(() => child.kill('SIGKILL'), startMs).unref()
    child.on('message', (message: 'ready' | ReadPiece | ReadReply) => {
      if (message !== 'ready') return 'piece' in message ? keep(reader, message) : this.#answer(reader, message)
      clearTimeout(starting)
      if (!isSource) letOthersGoFirst(child)
      reader.isReady = true
      this.#send(reader)
    })
    child.once('exit', () => {
      clearTimeout(starting)
      this.#readers.delete(reader)
      const at = this.#free.indexOf(reader)
      if (at >= 0) this.#free.splice(at, 1)
      this.#settle(reader)?.reject(cutOff())
    })
    child.on('error', error => {
      // A process that could not be started never exits.
      if (child.pid === undefined) this.#readers.delete(reader)
      this.#settle(reader)?.reject(error)
    })
    return reader
  }

  #answer(reader: ReaderProcess, reply: ReadReply): void {
    const read = this.#settle(reader)
    // It answered in the moment in which it was killed.
    if (!read) return
    this.#free.push(reader)
    this.#endIdleLater()
    if ('rows' in reply) read.resolve(read.rows.length === 0 ? reply : { ...reply, rows: read.rows.concat(reply.rows) })
    else read.reject(new Error(reply.error))
  }

  #endIdleLater(): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      for (const { child } of this.#free) child.disconnect()
    }, idleMs).unref()
  }
}

const keep = ({ current }: ReaderProcess, { piece }: ReadPiece): void => {
  for (const row of piece) current?.rows.push(row)
}

/**
 * Where cores are few, the service itself goes before its slow reads. The start of a process is not slowed down: beside other programs
 * it could take longer than the read may.
 */
const letOthersGoFirst = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
}

const cutOff = (): Problem =>
  new Problem('unavailable', { detail: 'The search was interrupted; try again.', headers: { 'Retry-After': '1' } })
