// The OpenID Connect providers of the configuration, `app.oauth.providers.<name>.…`, checked together.

import { ConfigError } from '../../../core/config/load.ts'
import type { Config, NamedSettingsOf } from '../../../core/config/settings.ts'
import type { ConfigFault } from '../../../core/config/sources.ts'
import { isLoopback } from '../../../core/http/caller-address.ts'
import { providerSettings } from '../settings.ts'

export interface Provider {
  readonly name: string
  readonly label: string
  readonly issuer: URL
  readonly clientId: string
  /** Is null for a public client: PKCE alone protects its codes. */
  readonly clientSecret: string | null
  readonly scopes: readonly string[]
}

/** Throws one ConfigError that names every error. */
export const readProviders = (config: Config): readonly Provider[] => {
  const faults: ConfigFault[] = []
  const providers = config.named(providerSettings).flatMap(settings => {
    const provider = readProvider(settings, faults)
    return provider ? [provider] : []
  })
  if (faults.length > 0) throw new ConfigError(faults)
  return providers
}

const readProvider = (
  { parts: { name }, values, faultAt }: NamedSettingsOf<typeof providerSettings>,
  faults: ConfigFault[],
): Provider | null => {
  const { clientId, clientSecret = null, label = name, scopes = ['email', 'profile'] } = values
  if (!/^[\w-]{1,40}$/.test(name))
    faults.push(faultAt('issuer', 'the name of a provider must consist of letters, digits and dashes'))
  if (clientId === undefined) faults.push(faultAt('clientId', 'is required'))
  const issuer = readIssuer(values.issuer)
  if (!issuer)
    faults.push(faultAt('issuer', 'must be an https:// URL (http:// only on loopback), without /.well-known/'))
  if (!issuer || clientId === undefined) return null
  return { name, label, issuer, clientId, clientSecret, scopes: [...new Set(['openid', ...scopes])] }
}

/** Claims are trusted because of where they come from, so the connection must be protected. */
const readIssuer = (text: string | undefined): URL | null => {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null
  if (!url || url.search || url.hash || url.username || url.password) return null
  // The address of a metadata document is no issuer: whichever issuer it names would be trusted.
  if (url.pathname.includes('/.well-known/')) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)) ? url : null
}
