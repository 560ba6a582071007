// Mistakes in the code of an application that would otherwise go unnoticed or end the process: calls of records that nothing awaits,
// promises that are rejected, errors in timers. Each is logged with the place in the application, and counted.

import { countFailure, type FailureLog, type UncaughtReporter } from '../guarded.ts'
import type { Logger } from '../log/logger.ts'
import type { MistakeListener } from '../model/running-code.ts'
import { errorMessage } from '../problem.ts'
import { applicationPlaceOf } from '../source-place.ts'
import { recordCallOf } from './tracked.ts'

interface MistakeParts {
  readonly log: FailureLog & Pick<Logger, 'warn'>
  /** Shows it to a developer, beside the log. */
  readonly announce?: ((text: string) => void) | undefined
}

export interface MistakeReporter extends UncaughtReporter, MistakeListener {}

export const createMistakeReporter = ({ log, announce }: MistakeParts): MistakeReporter => {
  const reportStray: MistakeListener['reportStray'] = ({ call, error }) => {
    countFailure('records call not awaited')
    const { operation, resource, place } = call
    const message = `${call.describe()} was not awaited${error === undefined ? '' : ', and failed'}`
    log.error({ ...(error !== undefined && { err: error }), operation, resource, place }, message)
    announce?.(toAnnouncement(message, error))
  }
  /** The code that was reported to be slow: once is enough. */
  const slow = new Set<string>()
  return {
    reportStray,
    reportSuspension: ({ code, waitedMs, pauseMs }) => {
      countFailure('suspended code')
      const message = `${code.describe()} kept other transactions waiting for ${waitedMs / 1000} s, and is suspended for ${pauseMs / 1000} s`
      log.error({}, message)
      announce?.(`  MISTAKE: ${message}.\n  Do not wait for anything but \`records\` in a transaction.`)
    },
    reportWait: (code, waitedMs) => {
      const what = code.describe()
      if (slow.has(what)) return
      slow.add(what)
      const message = `${what} kept its transaction open for ${Math.round(waitedMs)} ms without using the database`
      log.warn(
        {},
        `${message}: others may have to wait. Do what takes time, such as a request to another service, in a job`,
      )
    },
    reportUncaught: error => {
      countFailure('uncaughtException')
      const fields = { err: error, kind: 'uncaughtException', place: applicationPlaceOf(error) }
      log.error(fields, 'uncaught error: finishing what is under way, then ending')
    },
    reportRejection: (reason, promise) => {
      const call = recordCallOf(promise)
      if (call) return reportStray({ call, error: reason })
      countFailure('unhandledRejection')
      const place = applicationPlaceOf(reason)
      const message = `a promise was rejected, and nothing handles it${place === null ? '' : ` (${place})`}`
      log.error({ err: reason, kind: 'unhandledRejection', place }, message)
      announce?.(toAnnouncement(message, reason))
    },
  }
}

const toAnnouncement = (message: string, error: unknown): string =>
  [
    `  MISTAKE: ${message}${error === undefined ? '.' : `: ${errorMessage(error)}`}`,
    '  Write `await` before the call, or handle its error. The service keeps running.',
  ].join('\n')
