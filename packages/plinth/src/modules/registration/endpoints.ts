// The endpoints of accounts, each under two names, and what else registration has.

import { aliasOf, type Endpoint } from '../../core/rest/endpoint.ts'
import type { Service } from '../../core/rest/service.ts'
import type { AuthContext, RevocationListener } from '../auth/index.ts'
import { exportCodes } from './codes.ts'
import { checkLink } from './confirm.ts'
import { createFirstAdministrator } from './first-administrator.ts'
import { invite } from './invitations.ts'
import { registrationSettings } from './limits.ts'
import { changePassword } from './password.ts'
import { register } from './register.ts'
import { changeUsername } from './username.ts'

export const registrationEndpoints = (
  service: Service,
  auth: AuthContext,
  onRevocation: RevocationListener,
): readonly Endpoint[] => [
  ...underBothNames([
    register(service.config.get(registrationSettings).forceCodes),
    changePassword(auth, onRevocation),
    checkLink,
    changeUsername(auth),
  ]),
  exportCodes,
  invite,
  createFirstAdministrator(service),
]

/** Below `/api/auth/account`, and below `/api/auth/accounts`. */
const underBothNames = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.flatMap(endpoint => [
    endpoint,
    aliasOf(endpoint, {
      path: endpoint.path.replace('/api/auth/account', '/api/auth/accounts'),
      id: `${endpoint.id}Alias`,
    }),
  ])
