// The addresses of accounts, each under two names.

import { formatsByName } from '../../../core/formats/index.ts'
import type { Method, Route } from '../../../core/http/exchange.ts'
import type { Description } from '../../../core/model/description.ts'
import { type Endpoint, respond } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { Desk } from '../sign-in/desk.ts'
import { csvRoute } from './csv.ts'
import { accountDescriptions } from './describe.ts'
import { invitationRoute } from './invitations.ts'
import { putAccount } from './password.ts'
import { register } from './register.ts'
import { userRoutes } from './user-routes.ts'
import { changeUsername } from './username.ts'

interface Row {
  readonly method: Method
  readonly path: string
  readonly forgiving: boolean
  readonly describe: Description
  readonly run: Endpoint['run']
}

export const registrationRoutes = (service: Service, desk: Desk): readonly Route[] => {
  const forceCodes = service.config.get('app.registration.forceCodes')
  const rows: readonly Row[] = [
    {
      method: 'POST',
      path: '',
      forgiving: true,
      describe: accountDescriptions.register,
      run: (context, task) => register(context, task, forceCodes),
    },
    {
      method: 'PUT',
      path: '',
      forgiving: true,
      describe: accountDescriptions.password,
      run: (context, task) => putAccount({ context, task, prove: desk.prove }),
    },
    {
      method: 'PUT',
      path: '/username',
      forgiving: false,
      describe: accountDescriptions.username,
      run: (context, task) => changeUsername(context, task, desk),
    },
  ]
  return [
    ...rows.flatMap(row => bothPaths(service, row)),
    ...userRoutes(service),
    csvRoute(service),
    invitationRoute(service),
  ]
}

const bothPaths = (service: Service, { method, path, forgiving, describe, run }: Row): Route[] => {
  const endpoint: Endpoint = { resource: null, format: formatsByName.json, takesBody: true, forgiving, run }
  const handler = respond(service, endpoint)
  return ['account', 'accounts'].map(name => ({
    method,
    path: `/api/auth/${name}${path}`,
    handler,
    describe: { ...describe, id: name === 'account' ? describe.id : `${describe.id}Alias` },
  }))
}
