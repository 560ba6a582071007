// The addresses of the second factor, each under both prefixes.

import type { Route } from '../../../core/http/exchange.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { Desk } from '../desk/desk.ts'
import { type Row, toRoutes } from '../rows.ts'
import { secondFactorDescriptions as descriptions } from './describe.ts'
import { newCodes, setUp, showStatus, turnOff, turnOn } from './enrol.ts'
import { removeForUser } from './remove.ts'

export const secondFactorRoutes = (service: Service, desk: Desk): readonly Route[] => {
  const issuer = service.config.get('app.jwt.tokenIssuer')
  const rowsAt = (base: string, suffix: string): Row[] => {
    const at = (name: keyof typeof descriptions) => ({ ...descriptions[name], id: descriptions[name].id + suffix })
    const path = `${base}/secondFactor`
    const takesBody = true
    return [
      { method: 'GET', path, describe: at('status'), run: showStatus },
      { method: 'POST', path, takesBody, describe: at('setUp'), run: setUp(desk, issuer) },
      { method: 'PUT', path, takesBody, describe: at('turnOn'), run: turnOn(desk) },
      { method: 'DELETE', path, takesBody, describe: at('turnOff'), run: turnOff(desk) },
      { method: 'POST', path: `${path}/recoveryCodes`, takesBody, describe: at('newCodes'), run: newCodes(desk) },
    ]
  }
  return toRoutes(service, [
    ...rowsAt('/api/auth', ''),
    ...rowsAt('/apiauth', 'Alias'),
    {
      method: 'DELETE',
      path: '/api/rest/userCredentials/{pk}/secondFactor',
      describe: descriptions.remove,
      run: removeForUser,
    },
  ])
}
