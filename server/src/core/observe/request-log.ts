// One line of the log for each request, with neither its query, headers nor body.

import type { Logger } from 'pino'
import type { Observe } from '../http/exchange.ts'

export const createRequestLog =
  (log: Logger): Observe =>
  ({ request, status, ms, completed }) => {
    if (!log.isLevelEnabled('info')) return
    const { id, method, path, callerPk } = request
    const fields = {
      requestId: id,
      method,
      path,
      status,
      ms: Math.round(ms * 10) / 10,
      ...(callerPk && { caller: callerPk }),
      // The caller left before the answer was whole.
      ...(!completed && { completed }),
    }
    log.info(fields, 'request')
  }
