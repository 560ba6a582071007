// Addresses of nodes, as settings and network maps write them.

import { isLoopback } from 'plinth/module'

/** `host:port`, or with its scheme, as a URL without a slash at the end. Without a scheme it is https, except on loopback. */
export const toNodeUrl = (address: string): string | undefined => {
  const read = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
  const plain = read(`http://${address}`)
  const scheme = plain && isLoopback(plain) ? 'http' : 'https'
  const url = read(/^https?:\/\//.test(address) ? address : `${scheme}://${address}`)
  return url && url.href === `${url.origin}/` && !url.username ? url.origin : undefined
}

/** Could others on the network read what is sent there? */
export const isPlainBeyondLoopback = (url: string): boolean => {
  const parsed = new URL(url)
  return parsed.protocol === 'http:' && !isLoopback(parsed)
}
