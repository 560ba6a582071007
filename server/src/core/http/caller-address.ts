// From where a caller calls. Whoever connects is the caller, unless it is a proxy that the service was told to trust: then it
// is whom the proxy names. What others claim in such headers is not read at all.

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createNetworkMatch, nearbyNetworks, toPlainAddress } from './network.ts'

export type CallerAddress = (raw: IncomingMessage) => string

export interface Proxies {
  /** Addresses, or networks such as `10.0.0.0/8`. */
  readonly trusted: readonly string[]
  /** Told once of somebody nearby who forwards without being trusted: probably a proxy that was forgotten. */
  readonly onStranger: (address: string) => void
}

export const createCallerAddress = ({ trusted, onStranger }: Proxies): CallerAddress => {
  const isTrusted = createNetworkMatch(trusted)
  const isNearby = createNetworkMatch(nearbyNetworks)
  let isTold = false
  return ({ headers, socket }) => {
    const peer = toPlainAddress(socket.remoteAddress ?? '')
    const forwarded = headers['x-forwarded-for']
    // Node joins several headers of this name into one text.
    if (typeof forwarded !== 'string') return peer
    if (isTrusted(peer)) return lastStranger(peer, forwarded, isTrusted)
    if (!isTold && isNearby(peer)) {
      isTold = true
      onStranger(peer)
    }
    return peer
  }
}

/** Each proxy adds at the end from whom it has the request: from there on, the first one that is not trusted. */
const lastStranger = (peer: string, forwarded: string, isTrusted: (address: string) => boolean): string => {
  let address = peer
  let end = forwarded.length
  while (end > 0 && isTrusted(address)) {
    const comma = forwarded.lastIndexOf(',', end - 1)
    const before = readForwarded(forwarded.slice(comma + 1, end))
    if (before === null) break
    address = before
    end = comma
  }
  return address
}

/** Some proxies name the port, too. Null for what is no address, such as `unknown`. */
const readForwarded = (entry: string): string | null => {
  const text = entry.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = toPlainAddress(bare)
  return isIP(address) === 0 ? null : address
}
