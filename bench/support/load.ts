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

export const measure = async (url: string, ask: LoadRequest, seconds: number): Promise<LoadMeasures> => {
  const { body, path, credentials = () => authorization } = ask
  const pathOf = typeof path === 'string' ? undefined : path
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const result = await autocannon({
    url: url + (pathOf ? '' : path),
    method: ask.method,
    connections,
    ...(isSmall ? { amount: fewRequests } : { duration: seconds }),
    headers: { ...headers, ...(!ask.credentials && authorization) },
    ...((body || pathOf || ask.credentials) && {
      requests: [
        {
          setupRequest: request => ({
            ...request,
            ...(body && { body: body() }),
            ...(pathOf && { path: pathOf() }),
            headers: { ...headers, ...credentials() },
          }),
        },
      ],
    }),
  })
  const wrong = Object.entries(result.statusCodeStats ?? {}).filter(([status]) => Number(status) !== ask.expects)
  if (wrong.length > 0 || result.errors > 0) {
    throw new Error(
      `${ask.method} ${pathOf?.() ?? path}: ${result.errors} errors, answers ${JSON.stringify(result.statusCodeStats)}`,
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
