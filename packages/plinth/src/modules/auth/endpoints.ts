// The endpoints of the module.

import { text } from '../../core/model/fields.ts'
import { defineShape, manyOf } from '../../core/model/shape.ts'
import { underBothPrefixes } from '../../core/rest/alias.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import type { Service } from '../../core/service.ts'
import type { AuthContext } from './context.ts'
import { ownPasskeyEndpoints } from './passkeys/own-passkeys.ts'
import { passkeySignInEndpoints } from './passkeys/passkey-sign-in.ts'
import { removeForUser, renewRecoveryCodes, setUp, showStatus, turnOff, turnOn } from './second-factor/enrol.ts'
import { jwtSettings } from './settings.ts'
import { sessionEndpoints, signOut } from './sign-in/end-sessions.ts'
import { basicEndpoints, createTokens, sendSecondFactor, signInByForm } from './sign-in/password-sign-in.ts'
import { readCurrentUser, refresh } from './sign-in/refresh.ts'
import { askForPasskey, showVerification, verifyCurrentUser } from './sign-in/verify-again.ts'
import { listIdentities, removeIdentity } from './social/identities.ts'
import type { RegisterNewcomer } from './social/link-identity.ts'
import { createProviderClient } from './social/provider-client.ts'
import { type Provider, readProviders } from './social/providers.ts'
import {
  type ConfiguredProvider,
  redirectToProvider,
  returnFromProvider,
  type Social,
} from './social/social-sign-in.ts'

export const signInEndpoints = (service: Service, auth: AuthContext) => [
  createTokens(auth),
  refresh(service, auth),
  ...basicEndpoints(auth, service.config),
  ...underBothPrefixes(
    [
      signInByForm(auth),
      readCurrentUser(auth),
      signOut(service, auth),
      sendSecondFactor(auth),
      verifyCurrentUser(auth),
      askForPasskey(auth),
      showVerification(service.config),
    ],
    '/api/auth',
    '/apiauth',
  ),
  ...sessionEndpoints,
]

export const secondFactorEndpoints = ({ config }: Service, auth: AuthContext) => [
  ...underBothPrefixes(
    [
      showStatus,
      setUp(auth, config.get(jwtSettings).tokenIssuer),
      turnOn(auth),
      turnOff(auth),
      renewRecoveryCodes(auth),
    ],
    '/api/auth',
    '/apiauth',
  ),
  removeForUser,
]

export const passkeyEndpoints = (auth: AuthContext) => [...ownPasskeyEndpoints(auth), ...passkeySignInEndpoints(auth)]

const provider = defineShape(
  'SignInProvider',
  { name: text({ required: true }), label: text({ required: true }) },
  { element: 'provider' },
)

const listProviders = (providers: readonly Provider[]) =>
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

export const socialEndpoints = (service: Service, auth: AuthContext, registerNewcomer: RegisterNewcomer) => {
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
