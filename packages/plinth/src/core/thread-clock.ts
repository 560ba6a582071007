// The processor time of the thread that asks. The clock on the wall also counts the time in which other processes had the processor,
// and the processor time of the process that of all its threads, such as those that hash passwords.

import { openSync, readSync } from 'node:fs'

/** The milliseconds from any moment on. */
type Clock = () => number

/** The processor time of the thread, which Node knows from version 23.9 on. */
const usageOfThread = (process as { readonly threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage

const inMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

/** The first number that Linux gives for a thread is its time on a processor, in nanoseconds (proc(5), schedstat). */
const createSchedulerClock = (): Clock | null => {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const buffer = Buffer.alloc(64)
    const clock = (): number => {
      readSync(file, buffer, 0, buffer.length, 0)
      return Number.parseInt(buffer.toString('latin1', 0, 24), 10) / 1e6
    }
    return Number.isFinite(clock()) ? clock : null
  } catch {
    return null
  }
}

const createThreadClock = (): Clock => {
  if (usageOfThread) return () => inMs(usageOfThread.call(process))
  return createSchedulerClock() ?? (() => inMs(process.cpuUsage()))
}

let threadClock: Clock | null = null

/** Gives how long the thread itself has worked since now, in milliseconds: never longer than the clock on the wall says. */
export const startStopwatch = (): Clock => {
  threadClock ??= createThreadClock()
  const clock = threadClock
  const [began, beganWork] = [performance.now(), clock()]
  return () => Math.min(performance.now() - began, clock() - beganWork)
}
