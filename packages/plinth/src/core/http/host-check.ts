// Is a request proper HTTP, and meant for this service? The Host header says which one its sender wanted to reach.

import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { Problem } from '../problem.ts'
import type { ProblemCode } from '../problem-types.ts'
import { readTarget } from './incoming.ts'

/** The problem with a request that is known before its body; null when there is none. */
export type Check = (raw: IncomingMessage) => Problem | null

export interface HostOptions {
  /**
   * Only names of this machine, and that of `baseUrl`. A site can point its own name to the address of a visitor's machine
   * (DNS rebinding): to the browser its pages then have the same origin as the service.
   */
  readonly loopbackHostsOnly?: boolean
  readonly baseUrl?: string
  /**
   * Only these names, those of this machine, and that of `baseUrl`; without it, all. What is sent under another name may come from a
   * site that points its name here, or from a cache that others poison.
   */
  readonly hosts?: readonly string[]
  /** Paths that are answered under any name: probes may use the address of a container. Not with `loopbackHostsOnly`. */
  readonly probes?: readonly string[]
}

export const createHostCheck = ({
  loopbackHostsOnly = false,
  baseUrl,
  hosts: further,
  probes = [],
}: HostOptions): Check => {
  const names = [...(baseUrl === undefined ? [] : [new URL(baseUrl).hostname]), ...(further ?? [])]
  // IPv6 addresses have brackets in headers, and none in settings.
  const known = new Set(names.map(name => (isIPv6(name) ? `[${name}]` : name).toLowerCase()))
  const isKnown = (host: string): boolean => {
    const name = host.toLowerCase().replace(/:\d*$/, '')
    return loopbackName.test(name) || known.has(name)
  }
  return raw => {
    const problem = checkVersion(raw) ?? checkHeader(raw)
    if (problem) return problem
    if (!loopbackHostsOnly && (further === undefined || probes.includes(readTarget(raw).path))) return null
    // A target in absolute form names a host, too (RFC 9112, 3.2.2).
    const [, named] = /^https?:\/\/([^/?]*)/i.exec(raw.url ?? '') ?? []
    const hosts = [raw.headers.host, named].filter(host => host !== undefined)
    return hosts.every(isKnown) ? null : new Problem('misdirected')
  }
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The parser lets these pass. A proxy may see the end of such a body elsewhere, and the next request with it (RFC 9112, 6.1). */
const checkVersion = ({ httpVersion, headers }: IncomingMessage): Problem | null => {
  if (httpVersion === '1.1') return null
  if (httpVersion !== '1.0')
    return closing('version_not_supported', `HTTP/${httpVersion} is not supported. Use HTTP/1.1.`)
  return headers['transfer-encoding'] === undefined
    ? null
    : closing('bad_request', 'HTTP/1.0 has no Transfer-Encoding.')
}

const closing = (code: ProblemCode, detail: string): Problem =>
  new Problem(code, { detail, headers: { Connection: 'close' } })

/** One Host header, no more and no less (RFC 9112, 3.2); HTTP/1.0 had none. */
const checkHeader = ({ rawHeaders, httpVersion }: IncomingMessage): Problem | null => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1
  if (count > 1) return new Problem('bad_request', 'The request has more than one Host header.')
  return count === 1 || httpVersion === '1.0' ? null : new Problem('bad_request', 'The Host header is missing.')
}
