// The addresses of sign-in and sessions.

import { formatsByName } from '../../../core/formats/index.ts'
import type { Method, Route } from '../../../core/http/exchange.ts'
import type { Description } from '../../../core/model/description.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { respond, type Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import { signOut } from '../sessions/leave.ts'
import { endOtherSessions, endSession, endSessionsOf, listSessions } from '../sessions/own-sessions.ts'
import { current, refresh } from '../sessions/stay.ts'
import { descriptions } from './descriptions.ts'
import type { Desk } from './desk.ts'
import { logIn, verify } from './log-in.ts'

export interface Row {
  readonly method: Method
  readonly path: string
  readonly takesBody?: boolean
  /** Whoever signs in may come with credentials that are good no more. */
  readonly forgiving?: boolean
  readonly describe: Description
  readonly run: (context: Context, task: Task) => Promise<Answer>
}

export const toRoutes = (service: Service, rows: readonly Row[]): Route[] =>
  rows.map(({ method, path, takesBody = false, forgiving = false, describe, run }) => ({
    method,
    path,
    describe,
    handler: respond(service, { resource: null, format: formatsByName.json, takesBody, forgiving, run }),
  }))

export const signInRoutes = (service: Service, desk: Desk): readonly Route[] => {
  const { config } = service
  const open = { takesBody: true, forgiving: true } as const
  const details = (base: string, suffix: string): Row[] => {
    const at = (name: keyof typeof descriptions) => ({ ...descriptions[name], id: descriptions[name].id + suffix })
    const byForm = { way: 'userDetails', by: 'tokens', status: 200, remembers: true } as const
    return [
      { method: 'POST', path: base, ...open, describe: at('logIn'), run: logIn(service, desk, byForm) },
      { method: 'GET', path: base, forgiving: true, describe: at('current'), run: current(desk) },
      { method: 'DELETE', path: base, forgiving: true, describe: at('logOut'), run: signOut(service, desk) },
      { method: 'POST', path: `${base}/verification`, takesBody: true, describe: at('verify'), run: verify(desk) },
    ]
  }
  const basic = config.get('app.auth.basic.enabled')
  const hasBasic = basic === 'true' || (basic === 'auto' && config.get('app.demo'))
  const byTokens = { way: 'jwt', by: 'tokens', status: 201, remembers: false } as const
  const bySso = { way: 'basic', by: 'sso', status: 201, remembers: false } as const
  const [access, renewal] = ['/api/auth/jwt/access', '/api/auth/jwt/refresh']
  return toRoutes(service, [
    { method: 'POST', path: access, ...open, describe: descriptions.access, run: logIn(service, desk, byTokens) },
    { method: 'POST', path: renewal, forgiving: true, describe: descriptions.refresh, run: refresh(service, desk) },
    ...(hasBasic
      ? [
          {
            method: 'POST' as const,
            path: '/api/auth/basic',
            ...open,
            describe: descriptions.basic,
            run: logIn(service, desk, bySso),
          },
        ]
      : []),
    ...details('/api/auth/userDetails', ''),
    ...details('/apiauth/userDetails', 'Alias'),
    { method: 'GET', path: '/api/auth/sessions', describe: descriptions.sessions, run: listSessions },
    { method: 'DELETE', path: '/api/auth/sessions', describe: descriptions.endOthers, run: endOtherSessions },
    { method: 'DELETE', path: '/api/auth/sessions/{id}', describe: descriptions.endOne, run: endSession(desk) },
    { method: 'DELETE', path: '/api/rest/users/{pk}/sessions', describe: descriptions.endAll, run: endSessionsOf },
  ])
}
