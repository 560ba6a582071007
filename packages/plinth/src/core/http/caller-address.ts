// The address of a caller: the peer of the connection, unless that is a trusted proxy, which then names the caller. Such headers
// of other peers are not read.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

export type CallerAddress = (raw: IncomingMessage) => string

export interface Proxies {
  /** Addresses, or networks such as `10.0.0.0/8`. */
  readonly trusted: readonly string[]
  /**
   * Is called once for a nearby sender that forwards without being trusted: probably a proxy missing from the settings.
   */
  readonly onStranger: (address: string) => void
}

export const createCallerAddress = ({ trusted, onStranger }: Proxies): CallerAddress => {
  const isTrusted = createNetworkMatch(trusted)
  const isNearby = createNetworkMatch(nearbyNetworks)
  let hasReported = false
  return ({ headers, socket }) => {
    const peer = toPlainAddress(socket.remoteAddress ?? '')
    const forwarded = headers['x-forwarded-for']
    // Node joins several headers of this name into one text.
    if (typeof forwarded !== 'string') return peer
    if (isTrusted(peer)) return lastStranger(peer, forwarded, isTrusted)
    if (!hasReported && isNearby(peer)) {
      hasReported = true
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

/** Reads an entry, in which some proxies name the port too. Null for anything else, such as `unknown`. */
const readForwarded = (entry: string): string | null => {
  const text = entry.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = toPlainAddress(bare)
  return isIP(address) === 0 ? null : address
}

// Networks: which addresses count as one caller, and which are this machine

export interface CallerNetwork {
  /** The name, such as `192.0.2.7` or `2001:db8:1:2::/64`. */
  readonly name: string
  /** A limit for one caller applies to this network multiplied by this number. */
  readonly scale: number
}

/** Providers assign anything from a /64 to a /48 to one customer (RFC 6177), so the wider networks are limited too. */
const prefixes = [
  { length: 64, scale: 1 },
  { length: 56, scale: 4 },
  { length: 48, scale: 16 },
] as const

/** The scales of the networks of an address, narrowest first. */
export const networkScales: readonly number[] = prefixes.map(({ scale }) => scale)

/** The networks of an address, narrowest first. */
export const networksOf = (address: string): readonly CallerNetwork[] => {
  const plain = toPlainAddress(address)
  if (!isIPv6(plain)) return [{ name: plain, scale: 1 }]
  const groups = toGroups(plain)
  return prefixes.map(({ length, scale }) => ({ name: toPrefix(groups, length), scale }))
}

/** The network that a caller has to themselves. */
export const networkOf = (address: string): string => {
  const plain = toPlainAddress(address)
  return isIPv6(plain) ? toPrefix(toGroups(plain), 64) : plain
}

const toPrefix = (groups: readonly number[], length: number): string => {
  const kept = groups.slice(0, 4).map((group, at) => {
    const bits = Math.min(16, Math.max(0, length - 16 * at))
    return (group & (0xffff << (16 - bits))).toString(16)
  })
  return `${kept.join(':')}::/${length}`
}

/**
 * IPv4 addresses in mapped form (RFC 4291, 2.5.5.2) as IPv4, in whatever spelling: a socket that listens on IPv6 shows
 * IPv4 callers like that. Everything else as it is.
 */
export const toPlainAddress = (address: string): string => {
  // Most addresses of IPv6 end here: each request comes by.
  if (!/:ffff:/i.test(address) || !isIPv6(address)) return address
  const groups = toGroups(address)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (!isMapped) return address
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** The eight groups of an IPv6 address. */
const toGroups = (address: string): number[] => {
  const bare = (address.split('%')[0] ?? '').replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a, b, c, d) =>
    [(Number(a) << 8) | Number(b), (Number(c) << 8) | Number(d)].map(group => group.toString(16)).join(':'),
  )
  const [head = '', tail] = bare.split('::')
  const read = (text = ''): number[] => (text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16)))
  const [left, right] = [read(head), read(tail)]
  return tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill(0), ...right]
}

/**
 * Is the host of the URL this machine? What it is sent leaves no trace on any network.
 *
 * @example const isSafe = isLoopback(new URL('http://localhost:8080'))
 */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))

/** The networks where your own proxy is likely to be: on this machine, or in a private network. */
export const nearbyNetworks = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

/** Is an address in one of these networks, such as `10.0.0.0/8`, or one of these addresses? */
export const createNetworkMatch = (networks: readonly string[]): ((address: string) => boolean) => {
  if (networks.length === 0) return () => false
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    if (prefix === undefined) list.addAddress(address, ipVersion(address))
    else list.addSubnet(address, Number(prefix), ipVersion(address))
  }
  return address => isIP(address) !== 0 && list.check(address, ipVersion(address))
}

const ipVersion = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
