// What the server asks for when no endpoint answers: paths that do not exist, and requests that break before their handler.

import { formatsByName } from '../formats/index.ts'
import { chooseFormat } from '../formats/negotiate.ts'
import type { Handler, Request, Response } from '../http/exchange.ts'
import { Problem } from '../problem.ts'
import { refusalWithCors, withCors } from './cross-origin.ts'
import { toProblemResponse } from './problem-response.ts'
import type { FrontDoor } from './service.ts'

export interface Fallbacks {
  readonly notFound: Handler
  readonly onFault: (request: Request, error: unknown) => Promise<Response>
}

export const createFallbacks = (service: FrontDoor): Fallbacks => {
  const onFault = async (request: Request, error: unknown): Promise<Response> => {
    const format = chooseFormat(request.headers.accept, formatsByName.json) ?? formatsByName.json
    const response = toProblemResponse(error, request, { format, report: service.reportFailure })
    if (isShed(error)) return refusalWithCors(service, { request, response })
    return request.headers.origin === undefined ? response : withCors(service, null, { request, response })
  }
  return { onFault, notFound: request => onFault(request, new Problem('not_found')) }
}

/** Refused before anything was done for the request: by limits on connections and bodies, or under overload. */
const isShed = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'overloaded' || error.code === 'too_many_requests')
