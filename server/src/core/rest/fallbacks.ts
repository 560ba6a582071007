// What the server asks for when no endpoint answers: paths that do not exist, and requests that break before their handler.

import { formatsByName } from '../formats/index.ts'
import { chooseFormat } from '../formats/negotiate.ts'
import type { Handler, Request, Response } from '../http/exchange.ts'
import { Problem } from '../problem.ts'
import { toProblemResponse } from './problem-response.ts'
import { withCors } from './respond.ts'
import type { FrontDoor } from './service.ts'

export interface Fallbacks {
  readonly notFound: Handler
  readonly onFault: (request: Request, error: unknown) => Promise<Response>
}

export const createFallbacks = (service: FrontDoor): Fallbacks => {
  const onFault = async (request: Request, error: unknown): Promise<Response> => {
    const format = chooseFormat(request.headers.accept, formatsByName.json) ?? formatsByName.json
    const response = toProblemResponse(error, request, { format, report: service.reportFailure })
    // Under overload nothing is looked up.
    const isShed = error instanceof Problem && error.code === 'overloaded'
    return isShed || request.headers.origin === undefined ? response : withCors(service, null, { request, response })
  }
  return { onFault, notFound: request => onFault(request, new Problem('not_found')) }
}
