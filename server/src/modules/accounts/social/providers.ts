// The OpenID Connect providers of the configuration, `app.oauth.providers.<name>.…`, checked together.

import { type Config, ConfigError } from '../../../config.ts'
import { isLoopback } from '../../../core/http/network.ts'

export interface Provider {
  readonly name: string
  readonly label: string
  readonly issuer: URL
  readonly clientId: string
  /** Null for a public client: PKCE alone protects its codes. */
  readonly clientSecret: string | null
  readonly scopes: readonly string[]
}

const properties = ['issuer', 'clientId', 'clientSecret', 'label'] as const
type Given = Partial<Record<(typeof properties)[number], string>> & { scopes?: readonly string[] }

type Fault = ConstructorParameters<typeof ConfigError>[0][number]

/** Throws one ConfigError that names every fault. */
export const readProviders = (config: Config): readonly Provider[] => {
  const faults: Fault[] = []
  const providers = [...givenProviders(config)].flatMap(([name, given]) => {
    const fault = (property: string, message: string) =>
      void faults.push({ name: `app.oauth.providers.${name}.${property}`, where: 'configuration', message })
    return readProvider(name, given, fault) ?? []
  })
  if (faults.length > 0) throw new ConfigError(faults)
  return providers
}

const givenProviders = (config: Config): Map<string, Given> => {
  const providers = new Map<string, Given>()
  const set = (name: string, value: Given) => providers.set(name, { ...providers.get(name), ...value })
  for (const property of properties) {
    for (const { parts, value } of config.named(`app.oauth.providers.<name>.${property}`))
      set(parts.name, { [property]: value })
  }
  for (const { parts, value } of config.named('app.oauth.providers.<name>.scopes')) set(parts.name, { scopes: value })
  return providers
}

const readProvider = (
  name: string,
  given: Given,
  fault: (property: string, message: string) => void,
): Provider | null => {
  const { clientId, clientSecret = null, label = name, scopes = ['email', 'profile'] } = given
  if (!/^[\w-]{1,40}$/.test(name)) fault('issuer', 'the name of a provider has letters, digits and dashes')
  if (clientId === undefined) fault('clientId', 'is required')
  const issuer = readIssuer(given.issuer)
  if (!issuer) fault('issuer', 'expected an https:// address (http:// on loopback alone), without /.well-known/')
  if (!issuer || clientId === undefined) return null
  return { name, label, issuer, clientId, clientSecret, scopes: [...new Set(['openid', ...scopes])] }
}

/** What a provider says is believed because of where it was said: on the way, nobody may change it. */
const readIssuer = (text: string | undefined): URL | null => {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null
  if (!url || url.search || url.hash || url.username || url.password) return null
  // The address of a description names nobody: whoever it told of would be believed.
  if (url.pathname.includes('/.well-known/')) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)) ? url : null
}
