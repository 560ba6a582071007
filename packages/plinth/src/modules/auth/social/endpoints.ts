// Sign-in at other services, and the identities there.

import { text } from '../../../core/model/fields.ts'
import { defineShape, manyOf } from '../../../core/model/shape.ts'
import { defineEndpoint, type Endpoint } from '../../../core/rest/endpoint.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { listIdentities, removeIdentity } from './identities.ts'
import type { RegisterNewcomer } from './link-identity.ts'
import { createProviderClient } from './provider-client.ts'
import { type Provider, readProviders } from './providers.ts'
import { type ConfiguredProvider, redirectToProvider, returnFromProvider, type Social } from './social-sign-in.ts'

const provider = defineShape(
  'SignInProvider',
  { name: text({ required: true }), label: text({ required: true }) },
  { element: 'provider' },
)

const listProviders = (providers: readonly Provider[]): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/api/auth/oauth/providers',
    id: 'listSignInProviders',
    summary: 'List the providers for sign-in',
    access: 'true',
    forgiving: true,
    answers: { 200: { about: 'The providers.', value: manyOf(provider, 'providers') } },
    problems: [406, 503],
    run: () => providers,
  })

export const socialEndpoints = (
  service: Service,
  auth: AuthContext,
  registerNewcomer: RegisterNewcomer,
): readonly Endpoint[] => {
  const providers = readProviders(service.config)
  const configured = new Map(
    providers.map((one): [string, ConfiguredProvider] => {
      const client = createProviderClient(one, service.platform.clock)
      return [one.name.toLowerCase(), { provider: one, client }]
    }),
  )
  const social: Social = { service, auth, providers: configured, registerNewcomer }
  return [
    listProviders(providers),
    redirectToProvider(social),
    returnFromProvider(social),
    listIdentities(providers),
    removeIdentity(providers),
  ]
}
