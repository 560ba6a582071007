// The one place where problems become responses. Refusals of callers are reported first, for the audit trail.

import type { Response } from '../http/exchange.ts'
import { Problem } from '../problem.ts'
import type { FrontDoor } from './front-door.ts'
import type { Negotiated } from './negotiate.ts'
import { withCors } from './origins.ts'
import { type ProblemContext, toProblemResponse } from './problem-response.ts'

type Exchange = Pick<Negotiated, 'request' | 'format' | 'resource' | 'caller'> & Pick<ProblemContext, 'locatesRefusals'>

/** The response to a request, whatever becomes of the work. */
export const catchProblems = async (
  service: FrontDoor,
  exchange: Exchange,
  work: Promise<Response>,
): Promise<Response> => {
  const { request, resource } = exchange
  let response: Response
  try {
    response = await work
  } catch (error) {
    response = await toResponse(service, exchange, error)
  }
  return request.headers.origin === undefined ? response : withCors(service, resource, { request, response })
}

const toResponse = async (service: FrontDoor, exchange: Exchange, error: unknown): Promise<Response> => {
  const final = await reportRefusal(service, exchange, error)
  if (final instanceof Problem) service.noteProblem?.(final)
  return toProblemResponse(final, exchange.request, {
    ...exchange,
    problemBodies: service.platform.bodies.problems,
    texts: service.platform.texts,
    report: service.reportFailure,
  })
}

/** The error that the caller gets: another one when the refusal cannot be reported. */
const reportRefusal = async (service: FrontDoor, { request, caller }: Exchange, error: unknown): Promise<unknown> => {
  if (!caller || !isRefusal(error)) return error
  try {
    await service.reportRefusal({ request, caller, problem: error })
    return error
  } catch (failure) {
    return failure
  }
}

export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'forbidden' || error.code === 'unauthorized')
