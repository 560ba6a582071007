// Problems as responses, also where no endpoint answers: unknown paths, and requests that break before their handler.

import type { Format, ProblemDocument } from '../formats/format.ts'
import { formatsByName } from '../formats/index.ts'
import { chooseFormat, chooseProblemFormat, wantsProblems } from '../formats/negotiate.ts'
import type { Handler, Request, Response } from '../http/exchange.ts'
import { Problem } from '../problem.ts'
import type { ProblemTexts } from '../problem-texts.ts'
import type { FrontDoor } from './front-door.ts'
import { chooseLanguage, languageHeaders } from './language.ts'
import { refusalWithCors, withCors } from './origins.ts'
import { toProblemPage } from './problem-page.ts'

export interface ProblemContext {
  /** The format of the answer; the caller may want problems in another one. */
  readonly format: Format
  /** Says which part 403 and 404 are about, for requests of several parts. */
  readonly locatesRefusals?: boolean
  /** 401, 403 and 404 have a body for every caller. */
  readonly problemBodies: boolean
  readonly texts: ProblemTexts
  /** Gives the identifier under which the incident is kept, if it is. */
  readonly report: (error: unknown, request: Request) => string | null
}

/** These three have no body unless the service is set to, or the caller asks for problem documents. */
const bare: ReadonlySet<Problem['code']> = new Set(['unauthorized', 'forbidden', 'not_found'])

/** Requests that were not carried out: what is behind that is logged where it happens. */
const refusals: ReadonlySet<Problem['code']> = new Set(['overloaded', 'suspended', 'version_not_supported'])

/** The default seconds of a 503. Short: outages of the database, such as a failover, end within seconds. */
export const retryAfterSeconds = '2'

export const toProblemResponse = (error: unknown, request: Request, context: ProblemContext): Response => {
  const { format, report, problemBodies } = context
  const problem = error instanceof Problem ? error : new Problem('internal', { cause: error })
  const { status } = problem
  const isFailure = status >= 500 && !refusals.has(problem.code) && !hasLeft(problem, request)
  const errorLogId = isFailure ? report(error, request) : null
  const headers: Record<string, string | string[]> = {
    'Cache-Control': 'no-store',
    Vary: 'Accept, Origin, Authorization, Cookie',
    ...(status === 503 && { 'Retry-After': retryAfterSeconds }),
    ...problem.details.headers,
  }
  if (status === 401) headers['WWW-Authenticate'] = challenge(request)
  const page = toProblemPage(request, { problem, headers, errorLogId })
  if (page) return page
  const { accept } = request.headers
  const isLocated = context.locatesRefusals && status !== 401 && problem.details.errors !== undefined
  const written = chooseProblemFormat(accept, format)
  const hasBody = isLocated || problemBodies || written.explainsRefusals || wantsProblems(accept)
  if (bare.has(problem.code) && !hasBody) return { status, headers }
  const language = chooseLanguage(request.headers['accept-language'], context.texts.languages)
  Object.assign(headers, languageHeaders(language), { 'Content-Type': written.problemType })
  return {
    status,
    headers,
    body: written.problem({
      ...toDocument(problem, request, { texts: context.texts, language }),
      ...(errorLogId !== null && { errorLogId }),
    }),
  }
}

/** What a caller who left has ended is no failure. */
const hasLeft = ({ status }: Problem, { signal }: Request): boolean => status === 503 && signal.aborted

interface Wording {
  readonly texts: ProblemTexts
  readonly language: string
}

const toDocument = (problem: Problem, request: Request, { texts, language }: Wording): ProblemDocument => {
  const { extra } = problem.details
  const { title, detail, errors } = texts.words(problem, language)
  return {
    ...extra,
    type: `${request.base}/docs/problems#${problem.code}`,
    title,
    status: problem.status,
    ...(detail !== undefined && { detail }),
    instance: request.path,
    code: problem.code,
    ...(errors && { errors }),
  }
}

/** Scripts of a page must not make the browser ask for a password; people and programs may be asked. */
const challenge = (request: Request): string => {
  const mode = request.headers['sec-fetch-mode']
  return mode === undefined || mode === 'navigate'
    ? 'Bearer realm="plinth", Basic realm="plinth", charset="UTF-8"'
    : 'Bearer realm="plinth"'
}

export interface Fallbacks {
  readonly notFound: Handler
  readonly onFault: (request: Request, error: unknown) => Promise<Response>
}

export const createFallbacks = (service: FrontDoor): Fallbacks => {
  const onFault = async (request: Request, error: unknown): Promise<Response> => {
    const format = chooseFormat(request.headers.accept, formatsByName.json) ?? formatsByName.json
    const response = toProblemResponse(error, request, {
      format,
      problemBodies: service.platform.bodies.problems,
      texts: service.platform.texts,
      report: service.reportFailure,
    })
    if (isShed(error)) return refusalWithCors(service, { request, response })
    return request.headers.origin === undefined ? response : withCors(service, null, { request, response })
  }
  return { onFault, notFound: request => onFault(request, new Problem('not_found')) }
}

/**
 * Says whether a request was refused before anything was done for it: by limits on connections and bodies, or under
 * overload.
 */
const isShed = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'overloaded' || error.code === 'too_many_requests')
