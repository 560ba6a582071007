// Deadlines of code that is not our own. Nothing can end it: its result is not waited for any longer, and what it holds is taken away.

import { Problem } from './problem.ts'

/** The problem of code that did not end in time. The cause names it. */
export const executionTimeout = (cause: Error): Problem =>
  new Problem('execution_timeout', {
    detail: 'The code behind the request did not finish in time, and its changes were rolled back.',
    cause,
  })

export const isExecutionTimeout = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'execution_timeout'

interface Deadline {
  readonly ms: number
  /** What the work is rejected with. Called at the deadline. */
  readonly toError: () => Error
}

/** Settles as the work does, or at the deadline. What the work does after that has no effect on the result. */
export const withDeadline = async <T>({ ms, toError }: Deadline, work: () => Promise<T> | T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(toError()), ms)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The most seconds that timers of Node take. */
const longestTimeout = 2_147_483

/** What is wrong with the timeout of a definition. */
export const timeoutFaults = ({ timeout }: { readonly timeout?: number }): readonly string[] =>
  timeout === undefined || (timeout > 0 && timeout <= longestTimeout)
    ? []
    : [`timeout must be a number of seconds, above 0 and at most ${longestTimeout}`]
