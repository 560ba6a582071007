// For whom passkeys are made (WebAuthn, 5.4.2): a domain, and the origins of the pages that may ask for them. Both come from the settings,
// never from a request: a page elsewhere could pass its own address on.

import { appSettings } from '../../../core/config/service-settings.ts'
import type { Config } from '../../../core/config/settings.ts'
import type { Request } from '../../../core/http/exchange.ts'
import { Problem } from '../../../core/problem.ts'
import { jwtSettings, passkeySettings } from '../settings.ts'

export interface RelyingParty {
  readonly id: string
  readonly name: string
  readonly origins: readonly string[]
}

/** WebAuthn knows domains alone. */
const isDomain = (host: string): boolean =>
  /[a-z]/i.test(host) && host.split('.').every(label => /^[a-z0-9-]{1,63}$/i.test(label))

/** Null where passkeys are off, or where the service has no domain. */
export const findRelyingParty = (config: Config, { base }: Pick<Request, 'base'>): RelyingParty | null => {
  const { enabled, domain, origins } = config.get(passkeySettings)
  // Without an address, a service on the machine of a developer is known as `localhost`; no other name is taken from a request.
  const own = new URL(
    config.get(appSettings).baseUrl || (new URL(base).hostname === 'localhost' ? base : 'http://[::1]'),
  )
  const id = domain || own.hostname
  if (!enabled || !isDomain(id)) return null
  return { id, name: config.get(jwtSettings).tokenIssuer, origins: origins.length > 0 ? origins : [own.origin] }
}

export const relyingPartyOf = (config: Config, request: Pick<Request, 'base'>): RelyingParty => {
  const found = findRelyingParty(config, request)
  if (found) return found
  throw new Problem('not_found', {
    en: 'There are no passkeys here: they are off, or the service has no domain.',
    de: 'Hier gibt es keine Passkeys: Sie sind ausgeschaltet, oder der Dienst hat keine Domain.',
  })
}
