// One exchange: a handler's value or fault becomes the answer, whatever happens.

import type { ServerResponse } from 'node:http'
import type { Handler, Observation, Observe, Place, Request } from './exchange.ts'
import { writeLastResort } from './faults.ts'
import type { ServerOptions } from './options.ts'
import { createWrite, type Gathering } from './write.ts'

export interface Exchange {
  readonly route: Place | null
  readonly handler: Handler
}

/** Never fails. */
export type Run = (exchange: Exchange, request: Request, reply: ServerResponse) => Promise<void>

export const createRun = (options: ServerOptions, gathering: Gathering): Run => {
  const { onRequest, onFault, log, observe, around } = options
  const write = createWrite(gathering)
  const arrivals = createArrivals()

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

  const run: Run = async ({ handler }, request, reply) => {
    try {
      await arrivals()
      await write(request, onRequest?.(request) ?? (await handler(request)), reply)
    } catch (error) {
      await fail(request, error, reply)
    }
  }

  return (exchange, request, reply) => {
    if (observe) {
      const started = performance.now()
      const elapsed = () => performance.now() - started
      observeWhenClosed(observe, { request, route: exchange.route, elapsed }, reply)
    }
    return around ? around(request, exchange.route, () => run(exchange, request, reply)) : run(exchange, request, reply)
  }
}

/**
 * Requests that are there at the same time are read one after the other before the first of them is worked on: then their
 * work and their answers go together, which costs the processor about half of what going back and forth does.
 */
const createArrivals = (): (() => Promise<void>) => {
  let gathering: Promise<void> | null = null
  return () => {
    gathering ??= new Promise(resolve => {
      setImmediate(() => {
        gathering = null
        resolve()
      })
    })
    return gathering
  }
}

/** A handler that gave up because its caller left: nobody waits, and nothing is wrong. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

interface Begun extends Pick<Observation, 'request' | 'route'> {
  readonly elapsed: () => number
}

export const observeWhenClosed = (observe: Observe, begun: Begun, reply: ServerResponse): void => {
  // Not `once`: what it allocates is soon placed among what lives long, and keeps the whole exchange from the cheap
  // collection of garbage. There is but one `close`.
  reply.on('close', () => {
    const { request, route, elapsed } = begun
    observe({ request, route, status: reply.statusCode, ms: elapsed(), completed: reply.writableFinished })
  })
}
