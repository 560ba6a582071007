// HTTP to a node in another process: with a time limit, repeated where that does no harm, and refused early while the node is
// known to be down (a circuit breaker). Redirects are not followed: the address is configured, and no response may change it.

import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from 'plinth'
import { errorCode, parseJson } from 'plinth/module'

export interface Breaker {
  /** How long until a call may be tried, in milliseconds; 0 when now. A try after failures lets one call through. */
  wait(): number
  succeeded(): void
  failed(): void
}

const tolerated = 4
const shortest = 500
const longest = 4_000

export const createBreaker = (now: () => number = () => performance.now()): Breaker => {
  let failures = 0
  let closedAgain = 0
  return {
    wait: () => {
      if (failures <= tolerated) return 0
      const left = closedAgain - now()
      if (left > 0) return left
      // Those who come while the one is on its way wait for what it finds.
      closedAgain = now() + shortest
      return 0
    },
    succeeded: () => {
      failures = 0
    },
    failed: () => {
      failures++
      closedAgain = now() + Math.min(longest, shortest * 2 ** Math.max(0, failures - tolerated - 1))
    },
  }
}

export interface NodeCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  /** May it arrive twice? */
  readonly repeatable: boolean
}

export interface NodeAnswer {
  readonly status: number
  /** Is undefined when the body is not JSON, or there is none. */
  readonly json: unknown
  readonly retryAfter: string | null
}

export type CallNode = (call: NodeCall) => Promise<NodeAnswer>

export interface CallerParts {
  readonly url: string
  readonly timeoutMs: number
  /** The name of the node in messages to people. */
  readonly called: string
}

const attempts = 3
const maxAnswerBytes = 16 * 1024 * 1024

/** Says whether a gateway in between has failed, which speaks for a node that it does not reach. */
const isGatewayFault = (status: number): boolean => status === 502 || status === 504

export const createNodeCaller = ({ url, timeoutMs, called }: CallerParts): CallNode => {
  const breaker = createBreaker()
  const attempt = async ({ method, path, headers, body }: NodeCall): Promise<NodeAnswer> => {
    const response = await fetch(url + path, {
      method,
      redirect: 'error',
      headers: { accept: 'application/json, application/problem+json', ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (isGatewayFault(response.status)) throw new Error(`a gateway answered ${response.status}`)
    const text = await readText(response)
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      json: isJson && text ? parseJson(text) : undefined,
      retryAfter: response.headers.get('retry-after'),
    }
  }
  return async call => {
    for (let count = 1; ; count++) {
      const wait = breaker.wait()
      if (wait > 0) throw unavailable(called, wait)
      try {
        const answer = await attempt(call)
        breaker.succeeded()
        return answer
      } catch (error) {
        breaker.failed()
        if (count === attempts || !(call.repeatable || neverArrived(error))) throw unavailable(called, 1000, error)
        // Spread out, so that many callers do not come back at the same moment.
        await pause(100 * 2 ** count * (0.5 + Math.random() / 2))
      }
    }
  }
}

const readText = async (response: Response): Promise<string> => {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > maxAnswerBytes) throw new Error(`the answer exceeds ${maxAnswerBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

const neverArrived = (error: unknown): boolean => error instanceof Error && errorCode(error.cause) === 'ECONNREFUSED'

const unavailable = (called: string, waitMs: number, cause?: unknown): Problem =>
  new Problem('unavailable', {
    detail: `The node of ${called} is not responding; try again later.`,
    headers: { 'Retry-After': Math.max(1, Math.ceil(waitMs / 1000)).toString() },
    cause,
  })
