// How a running process ends: by a signal or by an uncaught error, and in either case what is under way is finished first.

import { isRunByNpm } from '../core/config/sources.ts'
import { every, type UncaughtReporter } from '../core/guarded.ts'
import type { Stoppable } from '../core/module.ts'
import { isUnderDev } from './standby.ts'

/** Leaves one of the ten seconds that supervisors commonly grant before they kill. */
const patience = 9_000

/** A key press under npm reaches us twice, from the terminal and from npm; a person needs longer to press again. */
const sameKeyPress = 300

/** How often to look whether the parent is still there. */
const parentCheckMs = 500

/** npm runs a command in a shell, which dies of a signal and does not pass it on. Then the command has another parent. */
export const onOrphaned = (stop: () => void): void => {
  if (!isRunByNpm()) return
  const parent = process.ppid
  const guard = { name: 'parent check', log: { error: (_: object, message: string) => console.error(message) } }
  const stopChecking = every(parentCheckMs, guard, () => {
    if (process.ppid === parent) return
    void stopChecking()
    stop()
  })
}

/** Ends the process after a signal, with code 0, and after an uncaught error, with code 1. */
export const runUntilStopped = (running: Stoppable): void => {
  let since: number | undefined
  const end = async (code: number): Promise<void> => {
    since = performance.now()
    setTimeout(() => {
      console.error('Some requests did not finish in time. Stopping now.')
      process.exit(1)
    }, patience).unref()
    try {
      await running.close()
      process.exit(code)
    } catch (error) {
      console.error(error)
      process.exit(1)
    }
  }
  const stop = (): void => {
    if (since === undefined) void end(0)
    else if (performance.now() - since > sameKeyPress) process.exit(1)
  }
  /** The state after such an error is unknown: the process ends, and a supervisor starts another. */
  const fail = (error: unknown): void => {
    running.reportUncaught(error)
    if (since === undefined) void end(1)
  }
  // Under `plinth dev`, the end of its channel tells the same.
  if (!isUnderDev()) onOrphaned(stop)
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('uncaughtException', fail)
  reportRejections(running)
}

/** The time within which an application may still handle a rejection: it awaits a promise later than it has made it. */
const handledWithin = 1000

/** The promise of a request or a job that was not awaited concerns that request or job: the others go on. */
const reportRejections = ({ reportRejection }: UncaughtReporter): void => {
  const unhandled = new Map<Promise<unknown>, NodeJS.Timeout>()
  process.on('unhandledRejection', (reason, promise) => {
    const report = () => {
      unhandled.delete(promise)
      reportRejection(reason, promise)
    }
    unhandled.set(promise, setTimeout(report, handledWithin))
  })
  process.on('rejectionHandled', promise => {
    clearTimeout(unhandled.get(promise))
    unhandled.delete(promise)
  })
}
