// The addresses of accounts, each under two names.

import type { Route } from '../../core/http/exchange.ts'
import { signedIn } from '../../core/rest/permit.ts'
import type { Service } from '../../core/rest/service.ts'
import { type AuthContext, type AuthRoute, toRoutes } from '../auth/index.ts'
import { checkLink } from './confirm.ts'
import { accountDescriptions } from './describe.ts'
import { csvRoute } from './export-codes.ts'
import { invitationRoute } from './invitations.ts'
import { putAccount } from './password.ts'
import { register } from './register.ts'
import { registrationSettings } from './settings.ts'
import { changeUsername } from './username.ts'

export const registrationRoutes = (service: Service, auth: AuthContext): readonly Route[] => {
  const forceCodes = service.config.get(registrationSettings).forceCodes
  const rows: readonly AuthRoute[] = [
    {
      method: 'POST',
      path: '',
      takesBody: true,
      forgiving: true,
      describe: accountDescriptions.register,
      run: (context, task) => register(context, task, forceCodes),
    },
    {
      method: 'PUT',
      path: '',
      takesBody: true,
      forgiving: true,
      describe: accountDescriptions.password,
      run: (context, task) => putAccount({ context, task, verifyPassword: auth.verifyPassword }),
    },
    {
      method: 'POST',
      path: '/verification',
      takesBody: true,
      forgiving: true,
      describe: accountDescriptions.checkLink,
      run: checkLink,
    },
    {
      method: 'PUT',
      path: '/username',
      takesBody: true,
      permit: signedIn,
      describe: accountDescriptions.username,
      run: (context, task) => changeUsername(context, task, auth),
    },
  ]
  return [...toRoutes(service, rows.flatMap(underBothNames)), csvRoute(service), invitationRoute(service)]
}

const underBothNames = ({ path, describe, ...row }: AuthRoute): AuthRoute[] =>
  ['account', 'accounts'].map(name => ({
    ...row,
    path: `/api/auth/${name}${path}`,
    describe: { ...describe, id: name === 'account' ? describe.id : `${describe.id}Alias` },
  }))
