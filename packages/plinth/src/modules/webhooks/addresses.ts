// Which addresses webhooks may be delivered to. Users choose the addresses, and the service can reach machines that users cannot:
// itself, its database, the metadata service of its host (server-side request forgery).

import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** IANA IPv4 and IPv6 Special-Purpose Address Registries, multicast, and prefixes that lead to IPv4 addresses. */
const internalNetworks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  // The platform services of Azure.
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

const typeOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** One for each type: a list compares IPv4 addresses with networks of IPv6 as well, where all of them are mapped. */
const internal = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, prefix] of internalNetworks) internal[typeOf(network)].addSubnet(network, prefix, typeOf(network))

export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !internal[typeOf(address)].check(address, typeOf(address))

/** The receiver cannot be used. The message is shown to the owner of the webhook. */
export class DeliveryRefused extends Error {}

/** Without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** The address to connect to, resolved once: a second answer of the name server could be another one. */
export const resolveReceiver = async (url: URL, { allowPrivate }: { readonly allowPrivate: boolean }) => {
  const host = hostOf(url)
  const family = isIP(host)
  const found = family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }]
  const [first] = found
  if (!first) throw new DeliveryRefused('The name has no address.')
  if (!allowPrivate && found.some(({ address }) => !isPublicAddress(address)))
    throw new DeliveryRefused('The address is not a public one.')
  return first
}
