// The threads of the process: where the program stands, which threads there are, and what keeps them busy.

import { readdir, readFile } from 'node:fs/promises'
import { getHeapSnapshot, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { threadId } from 'node:worker_threads'
import { defineSettings } from '../../core/config/settings.ts'
import { spellingsOf } from '../../core/log/scrub.ts'
import { boolean } from '../../core/model/fields.ts'
import type { Json } from '../../core/model/json.ts'
import { cookieNames } from '../auth/index.ts'

type Frame = {
  readonly className: string
  readonly methodName: string
  readonly fileName: string
  readonly lineNumber: number
  readonly nativeMethod: boolean
}

const frameShape = /^(?:at )?(?:async )?(?:(.+?) \()?(.+?):(\d+):\d+\)?$/

/** One line of a stack, such as `at Object.run (file:///app/main.js:10:5)`. */
const toFrame = (line: string): Frame | null => {
  const found = frameShape.exec(line.trim())
  if (!found) return null
  const [, name = '<anonymous>', fileName = '', lineNumber = '0'] = found
  const dot = name.lastIndexOf('.')
  return {
    className: dot === -1 ? '' : name.slice(0, dot),
    methodName: dot === -1 ? name : name.slice(dot + 1),
    fileName,
    lineNumber: Number(lineNumber),
    nativeMethod: fileName.startsWith('node:'),
  }
}

const framesOf = (lines: readonly string[]): Json[] => lines.map(toFrame).filter(frame => frame !== null)

/** The parts of Node's diagnostic report that are used here. The rest holds the environment, and is never looked at. */
interface Report {
  readonly javascriptStack?: { readonly stack?: readonly string[] }
  readonly workers?: readonly (Report & { readonly header?: { readonly threadId?: number } })[]
}

const report = (): Report => {
  // Names of peers would be looked up, which can take long. The types of Node do not know the field yet.
  Object.assign(process.report, { excludeNetwork: true })
  return process.report.getReport() as Report
}

const activeResources = (): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

const states: Readonly<Record<string, string>> = {
  R: 'RUNNABLE',
  S: 'WAITING',
  D: 'BLOCKED',
  T: 'SUSPENDED',
  Z: 'TERMINATED',
}

interface SystemThread {
  readonly id: number
  readonly name: string
  readonly state: string
}

const readThread = async (id: string): Promise<SystemThread[]> => {
  try {
    // proc(5): the name stands in parentheses and may hold any character, the state follows.
    const stat = await readFile(`/proc/self/task/${id}/stat`, 'utf8')
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    return [{ id: Number(id), name, state: states[stat.charAt(stat.lastIndexOf(')') + 2)] ?? 'UNKNOWN' }]
  } catch {
    // It has ended since.
    return []
  }
}

/** The threads as Linux knows them; other systems do not show them. */
const systemThreads = async (): Promise<SystemThread[]> => {
  const ids = await readdir('/proc/self/task').catch(() => [])
  const threads = await Promise.all(ids.map(readThread))
  return threads.flat()
}

/** The main thread and workers with their stacks, and the threads that the runtime keeps, with their states. */
export const dumpThreads = async (): Promise<Json[]> => {
  const { javascriptStack, workers = [] } = report()
  const system = await systemThreads()
  const main = {
    threadName: 'main',
    threadId,
    threadState: 'RUNNABLE',
    stackTrace: framesOf(javascriptStack?.stack ?? []),
    activeResources: activeResources(),
  }
  return [
    main,
    ...workers.map(({ header, javascriptStack: stack }) => {
      const id = header?.threadId ?? 0
      return {
        threadName: `worker-${id}`,
        threadId: id,
        threadState: 'UNKNOWN',
        stackTrace: framesOf(stack?.stack ?? []),
      }
    }),
    ...system
      .filter(({ id }) => id !== process.pid)
      .map(({ id, name, state }) => ({ threadName: name, threadId: id, threadState: state, stackTrace: [] })),
  ]
}

// The memory of the process as a V8 heap snapshot: streamed, one at a time, with secrets and credentials struck out.

export const managementSettings = defineSettings('app.management', {
  heapdump: boolean({
    default: false,
    about: 'Whether administrators can download heap dumps. Heap dumps contain data of requests.',
  }),
})

export const heapDumpType = 'application/octet-stream'

/** Collects garbage first, so that only what is reachable is seen. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}

export interface HeapDumps {
  /** Returns null while another one is under way. */
  take(dump: { readonly live: boolean; readonly secrets: readonly string[] }): AsyncIterable<Buffer> | null
}

export const createHeapDumps = (): HeapDumps => {
  let underWay = false
  const released = async function* (pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    try {
      yield* pieces
    } finally {
      underWay = false
    }
  }
  return {
    take: ({ live, secrets }) => {
      if (underWay) return null
      underWay = true
      try {
        if (live) collectGarbage()
        return released(withoutSecrets(getHeapSnapshot(), secrets))
      } catch (error) {
        underWay = false
        throw error
      }
    },
  }
}

/** Credentials of callers, known by their looks. They are of no use in the search for a leak. */
const credentials: readonly RegExp[] = [
  /(?<![\w.-])eyJ[\w.-]{40,4000}/g,
  /\b(?:basic|bearer) [\w+/=.~-]{4,4000}/gi,
  new RegExp(`\\b(?:${Object.values(cookieNames).join('|')})=[^;"\\\\\\s]{4,4000}`, 'g'),
  /\bplinth_[0-9a-f]{12}_[\w-]{43}/g,
  /PRIVATE KEY-----(?:[\w+/=\s]|\\(?!")){0,4000}/g,
]

/** The most bytes, as many as the longest of them has. */
const longest = 4096

/** Strikes secrets out with as many stars, so that the file keeps its form; a secret may lie across two pieces. */
export const withoutSecrets = async function* (
  pieces: AsyncIterable<Buffer | string>,
  secrets: readonly string[],
): AsyncIterable<Buffer> {
  const known = spellingsOf(secrets).map(secret => Buffer.from(secret))
  const overlap = Math.max(longest, ...known.map(secret => secret.length))
  let buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const text = Buffer.concat([buffer, Buffer.from(piece)])
    strikeAll(text, known, text.length)
    const ready = Math.max(0, text.length - overlap)
    if (ready > 0) yield text.subarray(0, ready)
    buffer = text.subarray(ready)
  }
  strikeAll(buffer, known, buffer.length + 1)
  yield buffer
}

/** What goes on to the end of the text may go on after it: it waits for the next piece. */
const strikeAll = (text: Buffer, secrets: readonly Buffer[], end: number): void => {
  for (const secret of secrets) strike(text, secret)
  const characters = text.toString('latin1')
  for (const credential of credentials) {
    for (const { 0: found, index } of characters.matchAll(credential))
      if (index + found.length < end) text.fill('*', index, index + found.length)
  }
}

const strike = (text: Buffer, secret: Buffer): void => {
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at)) text.fill('*', at, at + secret.length)
}
