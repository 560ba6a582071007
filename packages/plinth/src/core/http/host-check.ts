// Is a request meant for this service? The Host header says which one its sender wanted to reach.

import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'

/** The problem with a request that is known before its body; null when there is none. */
export type Check = (raw: IncomingMessage) => Problem | null

export interface HostOptions {
  /**
   * Only names of this machine, and that of `baseUrl`. A site can point its own name to the address of a visitor's machine
   * (DNS rebinding): to the browser its pages then have the same origin as the service.
   */
  readonly loopbackHostsOnly?: boolean
  readonly baseUrl?: string
}

export const createHostCheck = ({ loopbackHostsOnly = false, baseUrl }: HostOptions): Check => {
  const configured = baseUrl === undefined ? null : new URL(baseUrl).hostname
  const isKnown = (host: string): boolean => {
    const name = host.toLowerCase().replace(/:\d*$/, '')
    return loopbackName.test(name) || name === configured
  }
  return raw => {
    const problem = checkHeader(raw)
    if (problem || !loopbackHostsOnly) return problem
    // A target in absolute form names a host, too (RFC 9112, 3.2.2).
    const [, named] = /^https?:\/\/([^/?]*)/i.exec(raw.url ?? '') ?? []
    const hosts = [raw.headers.host, named].filter(host => host !== undefined)
    return hosts.every(isKnown) ? null : new Problem('misdirected')
  }
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** One Host header, no more and no less (RFC 9112, 3.2); HTTP/1.0 had none. */
const checkHeader = ({ rawHeaders, httpVersion }: IncomingMessage): Problem | null => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1
  if (count > 1) return new Problem('bad_request', 'The request has more than one Host header.')
  return count === 1 || httpVersion === '1.0' ? null : new Problem('bad_request', 'The Host header is missing.')
}
