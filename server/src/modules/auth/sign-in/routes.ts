// The addresses of sign-in and sessions.

import { appSettings } from '../../../core/config/service-settings.ts'
import type { Route } from '../../../core/http/exchange.ts'
import { Problem } from '../../../core/problem.ts'
import { administrator, type Permit, signedIn } from '../../../core/rest/permit.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { type Row, toRoutes } from '../rows.ts'
import { hasCookies } from '../sessions/cookies.ts'
import { basicSettings } from '../settings.ts'
import { descriptions } from './descriptions.ts'
import { logIn, verify } from './log-in.ts'
import { endOtherSessions, endSession, endSessionsOf, listSessions } from './own-sessions.ts'
import { current, refresh } from './refresh.ts'
import { giveSecondFactor } from './second-step.ts'
import { signOut } from './sign-out.ts'

/** Whether the credentials are good is for the endpoint to find out: some are used up by it. */
const withCredentials: Permit = ({ caller }, request) => {
  const comes = caller.pk !== null || request.headers.authorization !== undefined || hasCookies(request)
  if (!comes) throw new Problem('unauthorized')
}

export const signInRoutes = (service: Service, auth: AuthContext): readonly Route[] => {
  const { config } = service
  const open = { takesBody: true, forgiving: true } as const
  const known = { forgiving: true, permit: withCredentials } as const
  const details = (base: string, suffix: string): Row[] => {
    const at = (name: keyof typeof descriptions) => ({ ...descriptions[name], id: descriptions[name].id + suffix })
    const byForm = { way: 'userDetails', by: 'tokens', status: 200, remembers: true } as const
    return [
      { method: 'POST', path: base, ...open, describe: at('logIn'), run: logIn(service, auth, byForm) },
      { method: 'GET', path: base, ...known, describe: at('current'), run: current(auth) },
      { method: 'DELETE', path: base, ...known, describe: at('logOut'), run: signOut(service, auth) },
      {
        method: 'POST',
        path: `${base}/secondFactor`,
        ...open,
        describe: at('secondStep'),
        run: giveSecondFactor(service, auth),
      },
      {
        method: 'POST',
        path: `${base}/verification`,
        takesBody: true,
        permit: signedIn,
        describe: at('verify'),
        run: verify(auth),
      },
    ]
  }
  const basic = config.get(basicSettings).enabled
  const hasBasic = basic === 'true' || (basic === 'auto' && config.get(appSettings).demo)
  const byTokens = { way: 'jwt', by: 'tokens', status: 201, remembers: false } as const
  const bySso = { way: 'basic', by: 'sso', status: 201, remembers: false } as const
  const [access, renewal] = ['/api/auth/jwt/access', '/api/auth/jwt/refresh']
  return toRoutes(service, [
    { method: 'POST', path: access, ...open, describe: descriptions.access, run: logIn(service, auth, byTokens) },
    { method: 'POST', path: renewal, ...known, describe: descriptions.refresh, run: refresh(service, auth) },
    ...(hasBasic
      ? [
          {
            method: 'POST' as const,
            path: '/api/auth/basic',
            ...open,
            describe: descriptions.basic,
            run: logIn(service, auth, bySso),
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
        run: endSession(auth),
      },
    ].map(row => ({ ...row, permit: signedIn })),
    {
      method: 'DELETE',
      path: '/api/rest/users/{pk}/sessions',
      permit: administrator,
      describe: descriptions.endAll,
      run: endSessionsOf,
    },
  ])
}
