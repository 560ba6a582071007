// Work that no request waits for: timers, jobs in the background, callbacks of sockets. What fails there is logged and
// counted, and ends neither the process nor the next round.

export interface FailureLog {
  error(fields: object, message: string): void
}

/** The name of work in the background, and the log of its failures. */
export interface Guard {
  /** The name for the log and the metrics. */
  readonly name: string
  readonly log: FailureLog
}

/** The number of failures by name. It is of the whole process, as uncaught errors are. */
const failures = new Map<string, number>()

export const failureCounts = (): ReadonlyMap<string, number> => failures

export const countFailure = (name: string): void => void failures.set(name, (failures.get(name) ?? 0) + 1)

export const reportFailed = ({ name, log }: Guard, error: unknown): void => {
  countFailure(name)
  log.error({ err: error }, `${name} failed`)
}

/** Logs and counts what nothing has caught. */
export interface UncaughtReporter {
  /** An error that was thrown: the process ends. */
  reportUncaught(error: unknown): void
  /** A promise that was rejected: the process goes on. */
  reportRejection(reason: unknown, promise: Promise<unknown>): void
}

const activity = { starts: 0, running: 0 }

/** How often work in the background has begun, and how much of it runs now. Measurements of something else look for it. */
export const backgroundActivity: Readonly<typeof activity> = activity

/** Guards work, so that it neither throws nor rejects. */
export const guarded =
  (guard: Guard, work: () => unknown): (() => Promise<void>) =>
  async () => {
    activity.starts += 1
    activity.running += 1
    try {
      await work()
    } catch (error) {
      reportFailed(guard, error)
    } finally {
      activity.running -= 1
    }
  }

export interface RepeatedGuard extends Guard {
  /** The first run is now, and not after the first interval. */
  readonly startsNow?: boolean
}

/**
 * `repeat` for work that is never woken. Returns a function that ends it.
 *
 * @example const stop = every(60_000, { name: 'reading the gate', log }, () => readGate())
 */
export const every = (ms: number, guard: RepeatedGuard, work: () => unknown): (() => Promise<void>) =>
  repeat(ms, guard, work).stop

export interface Repeated {
  /** Runs the work now; if it is running, once more afterwards. */
  readonly wake: () => void
  /** Waits for a run that has begun. */
  readonly stop: () => Promise<void>
}

/** Repeats the work, for as long as the process has other things to do. A run that lasts longer skips the next one. */
export const repeat = (ms: number, guard: RepeatedGuard, work: () => unknown): Repeated => {
  const run = guarded(guard, work)
  let running: Promise<void> | null = null
  let [isWoken, isStopped] = [false, false]
  const start = (): void => {
    if (running) return
    isWoken = false
    running = run().then(() => {
      running = null
      if (isWoken && !isStopped) start()
    })
  }
  if (guard.startsNow) start()
  const timer = setInterval(start, ms).unref()
  return {
    wake: () => {
      isWoken = true
      if (!isStopped) start()
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}

/** Does the work once, later. */
export const after = (ms: number, guard: Guard, work: () => unknown): NodeJS.Timeout =>
  setTimeout(guarded(guard, work), ms).unref()
