// What went wrong with a request: a problem of the service (RFC 9457), or no response at all.

export interface ProblemFault {
  /** The message in the language of the request, or in English. */
  readonly message: string
  readonly code: string
  /** The values that texts about it name. */
  readonly params?: Readonly<Record<string, string | number | readonly string[]>>
  /** The place in the body (RFC 6901). */
  readonly pointer?: string
  /** The parameter of the query. */
  readonly parameter?: string
  readonly member?: string
  readonly position?: number
}

export interface ProblemBody {
  readonly title?: string
  readonly detail?: string
  readonly code?: string
  readonly errors?: readonly ProblemFault[]
  readonly errorLogId?: string
  readonly [extra: string]: unknown
}

/** Codes that the platform itself uses. Modules add their own. */
export type KnownProblemCode =
  | 'unreachable'
  | 'redirected'
  | 'unexpected_response'
  | 'bad_request'
  | 'bad_parameter'
  | 'bad_filter'
  | 'too_costly'
  | 'invalid'
  | 'unauthorized'
  | 'second_factor_required'
  | 'email_unconfirmed'
  | 'demo_password'
  | 'forbidden'
  | 'recent_sign_in_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'conflict'
  | 'taken'
  | 'referenced'
  | 'last_administrator'
  | 'passphrase_required'
  | 'stale'
  | 'in_progress'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'key_reused'
  | 'too_many_requests'
  | 'internal'
  | 'query_timeout'
  | 'execution_timeout'
  | 'suspended'
  | 'overloaded'
  | 'unavailable'

/**
 * What every call rejects with: a problem of the service, or that it could not be reached.
 *
 * @example if (error instanceof ApiProblem) show(error.message, error.faults)
 */
export class ApiProblem extends Error {
  /** 0: the service could not be reached. */
  readonly status: number
  readonly code: string
  readonly detail: string | null
  readonly faults: readonly ProblemFault[]
  readonly retryAfterSeconds: number | null
  /** The whole problem document, for problems with fields of their own. */
  readonly document: ProblemBody

  constructor(status: number, document: ProblemBody, retryAfter: string | null = null) {
    super(document.detail ?? document.title ?? `status ${status}`)
    this.name = 'ApiProblem'
    this.status = status
    this.code = document.code ?? codeOf(status)
    this.detail = document.detail ?? null
    this.faults = document.errors ?? []
    this.retryAfterSeconds = readRetryAfter(retryAfter)
    this.document = document
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
const readRetryAfter = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/** Problems 401, 403 and 404 may have no body. */
const codeOf = (status: number): string => {
  const known: Readonly<Record<number, KnownProblemCode>> = {
    0: 'unreachable',
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not_found',
  }
  return known[status] ?? (status >= 500 ? 'internal' : 'bad_request')
}

export const unreachable = (): ApiProblem =>
  new ApiProblem(0, { code: 'unreachable', title: 'The service cannot be reached.' })

/** The service never redirects a request: the address of the client is wrong, or something in between has answered. */
export const redirected = (status: number): ApiProblem =>
  new ApiProblem(status || 302, { code: 'redirected', detail: 'The request was redirected to another address.' })

export const unexpected = (status: number): ApiProblem =>
  new ApiProblem(status, {
    code: 'unexpected_response',
    detail: 'The response is not JSON. Check the address of the service.',
  })

/**
 * Is it a problem of the service, with one of these codes if any are given?
 *
 * @example if (isProblem(error, 'taken', 'conflict')) show('Another user was faster.')
 */
export const isProblem = (
  error: unknown,
  ...codes: readonly (KnownProblemCode | (string & {}))[]
): error is ApiProblem => error instanceof ApiProblem && (codes.length === 0 || codes.includes(error.code))

/**
 * May the same request succeed a moment later?
 *
 * @example if (isTransient(error)) show('The service is busy. Try again.')
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiProblem && [0, 502, 503, 504].includes(error.status)
