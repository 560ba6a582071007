// Sign-in and sessions. What concerns the current user is also below `/apiauth`.

import type { Endpoint } from '../../../core/rest/endpoint.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { underBothPrefixes } from '../prefixes.ts'
import { sessionEndpoints, signOut } from './end-sessions.ts'
import { basicEndpoints, createTokens, sendSecondFactor, signInByForm, verifyCurrentUser } from './password-sign-in.ts'
import { readCurrentUser, refresh } from './refresh.ts'

export const signInEndpoints = (service: Service, auth: AuthContext): readonly Endpoint[] => [
  createTokens(auth),
  refresh(service, auth),
  ...basicEndpoints(auth, service.config),
  ...underBothPrefixes([
    signInByForm(auth),
    readCurrentUser(auth),
    signOut(service, auth),
    sendSecondFactor(auth),
    verifyCurrentUser(auth),
  ]),
  ...sessionEndpoints,
]
