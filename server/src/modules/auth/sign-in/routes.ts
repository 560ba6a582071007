// The addresses of sign-in and sessions.

import { appSettings } from '../../../core/config/service-settings.ts'
import type { Route } from '../../../core/http/exchange.ts'
import { Problem } from '../../../core/problem.ts'
import { administrator, type Permit, signedIn } from '../../../core/rest/permit.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { type AuthRoute, toRoutes } from '../rows.ts'
import { hasCookies } from '../sessions/cookies.ts'
import { basicSettings } from '../settings.ts'
import { descriptions } from './descriptions.ts'
import { endOtherSessions, endSession, endSessionsOfUser, listSessions, signOut } from './end-sessions.ts'
import { sendSecondFactor, signInWithPassword, verifyCurrentUser } from './password-sign-in.ts'
import { readCurrentUser, refresh } from './refresh.ts'

/** The endpoint verifies the credentials itself, since it uses some of them up. */
const withCredentials: Permit = ({ caller }, request) => {
  const comes = caller.pk !== null || request.headers.authorization !== undefined || hasCookies(request)
  if (!comes) throw new Problem('unauthorized')
}

export const signInRoutes = (service: Service, auth: AuthContext): readonly Route[] => {
  const { config } = service
  const open = { takesBody: true, forgiving: true } as const
  const known = { forgiving: true, permit: withCredentials } as const
  const details = (base: string, suffix: string): AuthRoute[] => {
    const at = (name: keyof typeof descriptions) => ({ ...descriptions[name], id: descriptions[name].id + suffix })
    const byForm = { method: 'userDetails', by: 'tokens', status: 200, remembers: true } as const
    return [
      { method: 'POST', path: base, ...open, describe: at('logIn'), run: signInWithPassword(service, auth, byForm) },
      { method: 'GET', path: base, ...known, describe: at('current'), run: readCurrentUser(auth) },
      { method: 'DELETE', path: base, ...known, describe: at('logOut'), run: signOut(service, auth) },
      {
        method: 'POST',
        path: `${base}/secondFactor`,
        ...open,
        describe: at('secondStep'),
        run: sendSecondFactor(service, auth),
      },
      {
        method: 'POST',
        path: `${base}/verification`,
        takesBody: true,
        permit: signedIn,
        describe: at('verify'),
        run: verifyCurrentUser(auth),
      },
    ]
  }
  const basic = config.get(basicSettings).enabled
  const hasBasic = basic === 'true' || (basic === 'auto' && config.get(appSettings).demo)
  const byTokens = { method: 'jwt', by: 'tokens', status: 201, remembers: false } as const
  const bySso = { method: 'basic', by: 'sso', status: 201, remembers: false } as const
  const [access, renewal] = ['/api/auth/jwt/access', '/api/auth/jwt/refresh']
  return toRoutes(service, [
    {
      method: 'POST',
      path: access,
      ...open,
      describe: descriptions.access,
      run: signInWithPassword(service, auth, byTokens),
    },
    { method: 'POST', path: renewal, ...known, describe: descriptions.refresh, run: refresh(service, auth) },
    ...(hasBasic
      ? [
          {
            method: 'POST' as const,
            path: '/api/auth/basic',
            ...open,
            describe: descriptions.basic,
            run: signInWithPassword(service, auth, bySso),
          },
        ]
      : []),
    ...details('/api/auth/userDetails', ''),
    ...details('/apiauth/userDetails', 'Alias'),
    ...[
      { method: 'GET' as const, path: '/api/auth/sessions', describe: descriptions.sessions, run: listSessions },
      {
        method: 'DELETE' as const,
        path: '/api/auth/sessions',
        describe: descriptions.endOthers,
        run: endOtherSessions,
      },
      {
        method: 'DELETE' as const,
        path: '/api/auth/sessions/{id}',
        describe: descriptions.endOne,
        run: endSession,
      },
    ].map(row => ({ ...row, permit: signedIn })),
    {
      method: 'DELETE',
      path: '/api/rest/users/{pk}/sessions',
      permit: administrator,
      describe: descriptions.endAll,
      run: endSessionsOfUser,
    },
  ])
}
