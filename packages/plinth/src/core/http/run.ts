// One exchange: the response of a handler, or its error, becomes the answer.

import type { ServerResponse } from 'node:http'
import type { Handler, Observation, Observe, Place, Request } from './exchange.ts'
import { writeLastResort } from './faults.ts'
import type { ServerOptions } from './options.ts'
import { createWrite, type Gathering } from './write.ts'

export interface Exchange {
  readonly route: Place | null
  readonly handler: Handler
}

/** Runs a request; never fails. */
export type Run = (exchange: Exchange, request: Request, reply: ServerResponse) => Promise<void>

export interface RunParts extends Gathering {
  /** Resolves when the work on a request that has arrived begins. */
  readonly arrived: () => Promise<void>
}

export const createRun = (options: ServerOptions, { arrived, ...gathering }: RunParts): Run => {
  const { onRequest, onFault, log, observe, around } = options
  const write = createWrite(gathering)

  const fail = async (request: Request, error: unknown, reply: ServerResponse): Promise<void> => {
    if (reply.destroyed && isAbort(error)) return
    try {
      const response = await onFault(request, error)
      if (reply.headersSent) reply.destroy()
      else await write(request, response, reply)
    } catch (second) {
      log.error({ err: second, requestId: request.id }, 'an error response could not be sent')
      writeLastResort(reply, gathering.security)
    }
  }

  const run: Run = async ({ handler, route }, request, reply) => {
    try {
      // What no route takes, such as a refusal under overload, is cheap and does not wait behind work.
      if (route) await arrived()
      await write(request, onRequest?.(request) ?? (await handler(request)), reply)
    } catch (error) {
      await fail(request, error, reply)
    }
  }

  return (exchange, request, reply) => {
    if (observe) {
      observeWhenClosed(observe, { request, route: exchange.route, started: performance.now() }, reply)
    }
    return around ? around(request, exchange.route, () => run(exchange, request, reply)) : run(exchange, request, reply)
  }
}

/** A handler that stopped because its client disconnected. This is not an error. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

interface OpenExchange extends Pick<Observation, 'request' | 'route'> {
  /** The time at which it began, by the clock of `performance`. */
  readonly started: number
}

export const observeWhenClosed = (observe: Observe, exchange: OpenExchange, reply: ServerResponse): void => {
  // Not `once`: what it allocates is soon placed among what lives long, and keeps the whole exchange from the cheap
  // collection of garbage. There is but one `close`.
  reply.on('close', () => {
    const { request, route, started } = exchange
    const ms = performance.now() - started
    observe({ request, route, status: reply.statusCode, ms, completed: reply.writableFinished })
  })
}
