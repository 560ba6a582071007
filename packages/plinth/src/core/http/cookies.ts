// The `Cookie` header.

import type { Request } from './exchange.ts'

/** The first cookie of the name, as the nearest path and domain come first (RFC 6265, 5.4). */
export const readCookie = ({ headers: { cookie } }: Request, name: string): string | null => {
  if (cookie === undefined) return null
  // Each character is read once, and no list is built: every request with cookies passes here.
  for (let start = 0, end = 0, sign = -1; end < cookie.length; start = end + 1) {
    end = cookie.indexOf(';', start)
    if (end === -1) end = cookie.length
    if (sign < start) sign = cookie.indexOf('=', start)
    if (sign === -1) return null
    if (sign < end && cookie.slice(start, sign).trim() === name) return cookie.slice(sign + 1, end).trim() || null
  }
  return null
}
