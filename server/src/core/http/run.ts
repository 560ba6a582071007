// One exchange: a handler's value or fault becomes the answer, whatever happens.

import type { ServerResponse } from 'node:http'
import type { Handler, Request } from './exchange.ts'
import { writeLastResort } from './faults.ts'
import type { Gathering } from './header-list.ts'
import type { ServerLog, ServerOptions } from './options.ts'
import { createWrite } from './write.ts'

/** Never fails. */
export type Run = (handler: Handler, request: Request, reply: ServerResponse) => Promise<void>

export const createRun = (options: ServerOptions, gathering: Gathering): Run => {
  const { onRequest, onFault, log } = options
  const write = createWrite(gathering)

  const fail = async (request: Request, error: unknown, reply: ServerResponse): Promise<void> => {
    if (reply.destroyed && isAbort(error)) return
    try {
      const response = await onFault(request, error)
      if (reply.headersSent) reply.destroy()
      else await write(request, response, reply)
    } catch (second) {
      log.error({ err: second, requestId: request.id }, 'a fault could not be answered')
      writeLastResort(reply, gathering.security)
    }
  }

  return async (handler, request, reply) => {
    if (log.isLevelEnabled('debug')) logWhenClosed(log, request, reply)
    try {
      await write(request, onRequest?.(request) ?? (await handler(request)), reply)
    } catch (error) {
      await fail(request, error, reply)
    }
  }
}

/** A handler that gave up because its caller left: nobody waits, and nothing is wrong. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** The query is left out: it may hold what a caller would not want to see in a log. */
const logWhenClosed = (log: ServerLog, { id, method, path }: Request, reply: ServerResponse): void => {
  const started = performance.now()
  reply.once('close', () => {
    const ms = Math.round((performance.now() - started) * 10) / 10
    const fields = { requestId: id, method, path, status: reply.statusCode, ms, completed: reply.writableFinished }
    log.debug(fields, 'request')
  })
}
