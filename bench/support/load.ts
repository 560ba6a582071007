// One measurement: so many connections for so many seconds, every answer checked. A small one is so many requests instead, since a
// busy machine may answer none in a moment.

import autocannon from 'autocannon'
import { authorization } from './servers.ts'
import { isSmall } from './size.ts'

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** The path, or a function that makes the path of each request. */
  readonly path: string | (() => string)
  /** Makes the body of each request. */
  readonly body?: () => string
  /** Makes the credentials of each request; those of an administrator unless given. */
  readonly credentials?: () => Readonly<Record<string, string>>
  readonly expects: number
  /** How many connections ask at the same time, when they are not as many as usual. */
  readonly connections?: number
}

export interface LoadMeasures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** How many requests were answered. */
  readonly requests: number
}

export const connections = 32

/** The requests that are enough for a few ticks of processor time. */
const fewRequests = 320

/** A list is sent in turn, by each connection. */
export const measure = async (
  url: string,
  ask: LoadRequest | readonly LoadRequest[],
  seconds: number,
): Promise<LoadMeasures> => {
  const list: readonly LoadRequest[] = 'method' in ask ? [ask] : ask
  const result = await autocannon({
    url,
    connections: list[0]?.connections ?? connections,
    ...(isSmall ? { amount: fewRequests } : { duration: seconds }),
    requests: list.map(toRequest),
  })
  const expected = new Set(list.map(({ expects }) => String(expects)))
  const wrong = Object.keys(result.statusCodeStats ?? {}).filter(status => !expected.has(status))
  if (wrong.length > 0 || result.errors > 0) {
    const names = list.map(({ method, path }) => `${method} ${typeof path === 'string' ? path : path()}`)
    throw new Error(
      `${[...new Set(names)].join(', ')}: ${result.errors} errors, answers ${JSON.stringify(result.statusCodeStats)}`,
    )
  }
  const ms = Math.max(1, result.finish.getTime() - result.start.getTime())
  return {
    perSecond: (result.requests.total * 1000) / ms,
    p50: result.latency.p50,
    p99: result.latency.p99,
    requests: result.requests.total,
  }
}

/** Only what differs from request to request is made for each of them. */
const toRequest = ({ method, path, body, credentials }: LoadRequest): autocannon.Request => {
  const headers = {
    accept: 'application/json',
    ...(body && { 'content-type': 'application/json' }),
    ...(!credentials && authorization),
  }
  const isStatic = typeof path === 'string'
  return {
    method,
    headers,
    ...(isStatic && { path }),
    ...((body || !isStatic || credentials) && {
      setupRequest: request => ({
        ...request,
        ...(body && { body: body() }),
        ...(!isStatic && { path: path() }),
        headers: { ...headers, ...credentials?.() },
      }),
    }),
  }
}
