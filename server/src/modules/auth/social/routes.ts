// The addresses of social sign-in.

import { formatsByName } from '../../../core/formats/index.ts'
import type { Route } from '../../../core/http/exchange.ts'
import { signedIn } from '../../../core/rest/permit.ts'
import { type DirectWork, respond } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { toRoutes } from '../rows.ts'
import { socialDescriptions as descriptions } from './describe.ts'
import type { RegisterNewcomer } from './link-identity.ts'
import { listIdentities, removeIdentity } from './own-identities.ts'
import { createProviderClient } from './provider-client.ts'
import { readProviders } from './providers.ts'
import { comeBack, type Known, leave, type Social } from './sign-in.ts'

export const socialRoutes = (
  service: Service,
  auth: AuthContext,
  registerNewcomer: RegisterNewcomer,
): readonly Route[] => {
  const providers = readProviders(service.config)
  const known = new Map(
    providers.map((provider): [string, Known] => {
      const client = createProviderClient(provider, service.platform.clock)
      return [provider.name.toLowerCase(), { provider, client }]
    }),
  )
  const social: Social = { service, auth, known, registerNewcomer }
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
    // Browsers accept pages; what they get is a redirect, which has no type.
    {
      method: 'POST',
      path,
      describe: descriptions.leave,
      handler: handler({ produces: '*/*', run: leave(social) }),
    },
    {
      method: 'GET',
      path,
      describe: descriptions.comeBack,
      handler: handler({ produces: '*/*', run: comeBack(social) }),
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
