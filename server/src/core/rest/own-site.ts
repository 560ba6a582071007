// The check against forged requests (CSRF). Browsers send cookies with the requests of any page, so a request that changes
// something and rests on cookies must come from a page of ours, or of an origin that CORS allows. Programs send neither of the
// two headers.

import type { Request } from '../http/exchange.ts'
import { Problem } from '../problem.ts'
import type { FrontDoor } from './service.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

export const changesSomething = ({ method }: Request): boolean => !safe.has(method)

/** Does the request come from a page of another site that CORS does not allow? */
export const isForeign = async (request: Request, allowsOrigin: FrontDoor['allowsOrigin']): Promise<boolean> => {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  // `none`: the person at the browser, not a page.
  const isOurs = site === undefined ? origin === undefined : site === 'same-origin' || site === 'none'
  if (isOurs && origin === undefined) return false
  if (origin === undefined) return true
  if (isOwnOrigin(origin, request.base) && site !== 'cross-site') return false
  return !(await allowsOrigin(origin, null))
}

export const mustBeOwnSite = async (
  { allowsOrigin }: Pick<FrontDoor, 'allowsOrigin'>,
  request: Request,
): Promise<void> => {
  if (await isForeign(request, allowsOrigin))
    throw new Problem('forbidden', 'The request comes from a page of a foreign site.')
}

/** Behind a proxy that ends TLS the service sees http where the browser sees https. */
const isOwnOrigin = (origin: string, base: string): boolean => {
  const own = new URL(base)
  const page = URL.canParse(origin) ? new URL(origin) : null
  return page !== null && page.host === own.host && (page.protocol === own.protocol || page.protocol === 'https:')
}
