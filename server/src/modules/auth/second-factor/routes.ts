// The addresses of the second factor, each under both prefixes.

import type { Route } from '../../../core/http/exchange.ts'
import { administrator, signedIn } from '../../../core/rest/permit.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { type AuthRoute, toRoutes } from '../rows.ts'
import { jwtSettings } from '../settings.ts'
import { secondFactorDescriptions as descriptions } from './describe.ts'
import { newCodes, setUp, showStatus, turnOff, turnOn } from './enrol.ts'
import { removeForUser } from './remove.ts'

export const secondFactorRoutes = (service: Service, auth: AuthContext): readonly Route[] => {
  const issuer = service.config.get(jwtSettings).tokenIssuer
  const rowsAt = (base: string, suffix: string): AuthRoute[] => {
    const at = (name: keyof typeof descriptions) => ({ ...descriptions[name], id: descriptions[name].id + suffix })
    const path = `${base}/secondFactor`
    const own = { takesBody: true, permit: signedIn } as const
    return [
      { method: 'GET', path, permit: signedIn, describe: at('status'), run: showStatus },
      { method: 'POST', path, ...own, describe: at('setUp'), run: setUp(auth, issuer) },
      { method: 'PUT', path, ...own, describe: at('turnOn'), run: turnOn(auth) },
      { method: 'DELETE', path, ...own, describe: at('turnOff'), run: turnOff(auth) },
      { method: 'POST', path: `${path}/recoveryCodes`, ...own, describe: at('newCodes'), run: newCodes(auth) },
    ]
  }
  return toRoutes(service, [
    ...rowsAt('/api/auth', ''),
    ...rowsAt('/apiauth', 'Alias'),
    {
      method: 'DELETE',
      path: '/api/rest/userCredentials/{pk}/secondFactor',
      permit: administrator,
      describe: descriptions.remove,
      run: removeForUser,
    },
  ])
}
