// Cookies are sent by the browser, whoever made the page that asks. So a request that changes something and rests on
// cookies must come from a page of ours, or of an origin that CORS allows. Programs send neither of the two headers.

import type { Request } from '../../core/http/exchange.ts'
import type { Service } from '../../core/rest/service.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

export const changesSomething = ({ method }: Request): boolean => !safe.has(method)

/** Does a page of another site ask, one that has no business here? */
export const isForeign = async (request: Request, allowsOrigin: Service['allowsOrigin']): Promise<boolean> => {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  // `none`: the person at the browser, not a page.
  const isOurs = site === undefined ? origin === undefined : site === 'same-origin' || site === 'none'
  if (isOurs && origin === undefined) return false
  if (origin === undefined) return true
  if (isOwnOrigin(origin, request.base) && site !== 'cross-site') return false
  return !(await allowsOrigin(origin, null))
}

/** Behind a proxy that ends TLS the service sees http where the browser sees https. */
const isOwnOrigin = (origin: string, base: string): boolean => {
  const own = new URL(base)
  const page = URL.canParse(origin) ? new URL(origin) : null
  return page !== null && page.host === own.host && (page.protocol === own.protocol || page.protocol === 'https:')
}
