// The threads of the process: where the program stands, which threads there are, and what keeps them busy.

import { readdir, readFile } from 'node:fs/promises'
import { threadId } from 'node:worker_threads'
import type { Json } from '../../core/model/json.ts'

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
  // Names of peers would be looked up, which can take long. The types of Node do not know the member yet.
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

/** As Linux knows them; other systems do not tell. */
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
