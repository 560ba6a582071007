// The addresses of social sign-in.

import { formatsByName } from '../../../core/formats/index.ts'
import type { Route } from '../../../core/http/exchange.ts'
import { signedIn } from '../../../core/rest/permit.ts'
import { type DirectWork, respond } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { toRoutes } from '../rows.ts'
import { socialDescriptions as descriptions } from './describe.ts'
import { listIdentities, removeIdentity } from './identities.ts'
import type { RegisterNewcomer } from './link-identity.ts'
import { createProviderClient } from './provider-client.ts'
import { readProviders } from './providers.ts'
import { type ConfiguredProvider, redirectToProvider, returnFromProvider, type Social } from './social-sign-in.ts'

export const socialRoutes = (
  service: Service,
  auth: AuthContext,
  registerNewcomer: RegisterNewcomer,
): readonly Route[] => {
  const providers = readProviders(service.config)
  const configured = new Map(
    providers.map((provider): [string, ConfiguredProvider] => {
      const client = createProviderClient(provider, service.platform.clock)
      return [provider.name.toLowerCase(), { provider, client }]
    }),
  )
  const social: Social = { service, auth, providers: configured, registerNewcomer }
  const shared = { resource: null, format: formatsByName.json, takesBody: false, forgiving: true } as const
  const handler = (endpoint: Pick<DirectWork, 'run' | 'produces'>) => respond(service, { ...shared, ...endpoint })
  const path = '/api/auth/oauth/signin/{provider}'
  const names = { list: 'providers', entry: 'provider' } as const
  const entries = providers.map(({ name, label }) => ({ name, label }))
  return [
    {
      method: 'GET',
      path: '/api/auth/oauth/providers',
      describe: descriptions.providers,
      handler: handler({ run: () => ({ kind: 'list', names, entries }) }),
    },
    // Browsers accept HTML; a redirect has no media type.
    {
      method: 'POST',
      path,
      describe: descriptions.redirectToProvider,
      handler: handler({ produces: '*/*', run: redirectToProvider(social) }),
    },
    {
      method: 'GET',
      path,
      describe: descriptions.returnFromProvider,
      handler: handler({ produces: '*/*', run: returnFromProvider(social) }),
    },
    ...toRoutes(service, [
      {
        method: 'GET',
        path: '/api/auth/identities',
        permit: signedIn,
        describe: descriptions.identities,
        run: listIdentities(providers),
      },
      {
        method: 'DELETE',
        path: '/api/auth/identities/{id}',
        permit: signedIn,
        describe: descriptions.removeIdentity,
        run: removeIdentity(providers),
      },
    ]),
  ]
}
