import { isIPv6 } from 'node:net'

/** The network that a caller has to themselves: whoever has one address of IPv6 has the /64 around it (RFC 6177). */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}
