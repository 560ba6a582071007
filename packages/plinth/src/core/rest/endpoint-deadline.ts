// The deadline of endpoints of modules. The caller gets 503 then, and what the handler does afterwards has no effect on records.

import { executionTimeout, withDeadline } from '../deadline.ts'
import { RunningCode } from '../model/running-code.ts'
import type { Context } from './context.ts'
import type { Endpoint } from './endpoint.ts'

type Handler<T> = (context: Context) => Promise<T> | T

/** Runs the handler of the endpoint, or a part of it, until its deadline. A body takes as long as the client sends it. */
export const inTimeOf =
  (endpoint: Endpoint) =>
  <T>(context: Context, handler: Handler<T>): Promise<T> => {
    const { method, path, receive, timeout = receive ? null : context.platform.limits.endpointTimeout } = endpoint
    const code = new RunningCode(`endpoint ${method} ${path}`, endpoint)
    const toError = (): Error => {
      code.end(new Error(`the time of the ${code.name} is over`))
      return executionTimeout(new Error(`the ${code.describe()} did not end within ${timeout} s`))
    }
    const run = async () => {
      const own = { ...context, code }
      return context.tx ? context.tx.activity.during(code, () => handler(own)) : handler(own)
    }
    return timeout === null ? run() : withDeadline({ ms: timeout * 1000, toError }, run)
  }
