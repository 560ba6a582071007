// Addresses of accounts that are no records: a table of them → routes.

import { formatsByName } from '../../core/formats/index.ts'
import type { Method, Route } from '../../core/http/exchange.ts'
import type { Description } from '../../core/model/description.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Permit } from '../../core/rest/permit.ts'
import type { Context } from '../../core/rest/platform.ts'
import { respond, type Task } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'

export interface AuthRoute {
  readonly method: Method
  readonly path: string
  readonly takesBody?: boolean
  /** Whoever signs in may come with credentials that are good no more. */
  readonly forgiving?: boolean
  readonly permit?: Permit
  readonly describe: Description
  readonly run: (context: Context, task: Task) => Promise<Answer>
}

export const toRoutes = (service: Service, rows: readonly AuthRoute[]): Route[] =>
  rows.map(({ method, path, takesBody = false, forgiving = false, permit, describe, run }) => ({
    method,
    path,
    describe,
    holdsSecrets: true,
    handler: respond(service, {
      resource: null,
      format: formatsByName.json,
      takesBody,
      forgiving,
      ...(permit && { permit }),
      run,
    }),
  }))
