// What can go wrong for a caller: stable codes, their status and title, and the one error class. Modules declare further codes.

import type { FaultReason } from './fault.ts'

/** A problem type of RFC 9457. */
export interface ProblemType {
  readonly status: number
  readonly title: string
  /** The reason for which a caller gets it, for the documentation. */
  readonly meaning: string
}

export type ProblemTable = Readonly<Record<string, ProblemType>>

/** The problems of the platform. */
export const problemTypes = {
  bad_request: {
    status: 400,
    title: 'Bad request',
    meaning: 'The request is malformed: its path, a header or the body.',
  },
  bad_parameter: {
    status: 400,
    title: 'Bad parameter',
    meaning:
      'A query parameter has an unknown name, an unknown field or an invalid value; `errors` has the parameter, field and position.',
  },
  bad_filter: {
    status: 400,
    title: 'Bad filter',
    meaning: 'The `filter` has a syntax error; `errors` has the position.',
  },
  too_costly: {
    status: 400,
    title: 'Too costly',
    meaning:
      'The query exceeds its cost budget, or a limit on its size, depth or result; `errors` lists the cost of each part and cheaper alternatives.',
  },
  invalid: {
    status: 400,
    title: 'Invalid fields',
    meaning: 'Fields of the body are invalid; `errors` lists all of them.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The operation requires authentication, or the credentials are wrong.',
  },
  forbidden: { status: 403, title: 'Forbidden', meaning: 'The caller is authenticated but has no permission.' },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The path or the record does not exist, or the caller has no permission to see it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path does not support this method; `Allow` lists the supported ones.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    meaning: 'None of the media types in `Accept` can be produced.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive in time, or its body stopped arriving. The connection is closed.',
  },
  conflict: { status: 409, title: 'Conflict', meaning: 'The request conflicts with the current state of the record.' },
  taken: { status: 409, title: 'Already taken', meaning: 'Another record has this identifier or unique value.' },
  referenced: {
    status: 409,
    title: 'Still referenced',
    meaning: 'Other records still refer to the record to be deleted.',
  },
  stale: { status: 409, title: 'Stale version', meaning: 'The `version` in the body is not the current version.' },
  in_progress: {
    status: 409,
    title: 'In progress',
    meaning: 'The first request with this Idempotency-Key is still running; `Retry-After` says when to retry.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    meaning: 'The `If-Match` or `If-None-Match` condition is not met.',
  },
  too_large: { status: 413, title: 'Too large', meaning: 'The body exceeds the size limit.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The media type of the body is not supported here.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The `Range` starts after the end of the file; `Content-Range` has its size.',
  },
  misdirected: {
    status: 421,
    title: 'Misdirected request',
    meaning:
      'The `Host` header names another service. In demo mode it must be `localhost` or a loopback address; in production the host of `app.baseUrl` or one of `server.hosts`.',
  },
  unprocessable: {
    status: 422,
    title: 'Unprocessable',
    meaning: 'The body is well-formed but refers to something that does not exist, or contradicts itself.',
  },
  key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    meaning: 'The key was used before with another request.',
  },
  upgrade_required: {
    status: 426,
    title: 'Upgrade required',
    meaning: 'The path requires another protocol, which `Upgrade` names.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    meaning: 'The rate limit is exceeded; `Retry-After` says when to retry.',
  },
  header_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The request line or the headers exceed the size limit.',
  },
  internal: { status: 500, title: 'Internal error', meaning: 'The service failed; the error is recorded.' },
  query_timeout: {
    status: 503,
    title: 'Query timeout',
    meaning: 'The search took too long and was cancelled; use fewer conditions, or indexed ones.',
  },
  execution_timeout: {
    status: 503,
    title: 'Execution timeout',
    meaning:
      'Code of the application, such as a hook or an endpoint, did not finish in time. Its changes were rolled back; the error is recorded.',
  },
  suspended: {
    status: 503,
    title: 'Suspended',
    meaning:
      'Code of the application behind this request kept all writers waiting, so it does not run for a while. Try again after `Retry-After`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    meaning: 'The service has too many connections or requests; `Retry-After` says when to retry.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The service or its database is temporarily unavailable; `Retry-After` says when to retry.',
  },
  version_not_supported: {
    status: 505,
    title: 'HTTP version not supported',
    meaning: 'The request line names a version other than HTTP/1.1 or HTTP/1.0. The connection is closed.',
  },
} as const satisfies ProblemTable

/** The codes of the problems of the platform. Modules declare others with `defineProblems`. */
export type ProblemCode = keyof typeof problemTypes

/** Is this the code of a problem of the platform? */
export const isProblemCode = (code: unknown): code is ProblemCode =>
  typeof code === 'string' && Object.hasOwn(problemTypes, code)

declare const declared: unique symbol
/** A code of a module's own. The mark keeps comparisons with codes that nothing declares from compiling. */
export type DeclaredCode = string & { readonly [declared]: true }

/** Declares the problems of a module; what it returns makes one of them. */
export const defineProblems = <const Table extends ProblemTable>(table: Table) => {
  const make = (code: keyof Table & string, details?: ProblemDetails | string): Problem => {
    const type = table[code]
    if (!type) throw new Error(`no problem '${code}' is declared`)
    return new Problem({ code: code as string as DeclaredCode, type }, details)
  }
  return Object.assign(make, { table })
}

/** One fault inside a request: a member of the body (`pointer`) or a query parameter. */
export interface Fault extends FaultReason {
  /** JSON Pointer (RFC 6901) into the body. */
  readonly pointer?: string
  readonly parameter?: string
  readonly member?: string
  /** Zero-based offset in the decoded text of the parameter, or in the body. */
  readonly position?: number
  /** What this part of a query costs. */
  readonly cost?: number
}

/** What is said about a problem beyond its code. */
export interface ProblemDetails {
  readonly detail?: string
  readonly errors?: readonly Fault[]
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Further members of the problem document, such as a fresh quote. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** A problem, thrown anywhere below and caught once in `rest/pipeline`. */
export class Problem extends Error {
  readonly code: ProblemCode | DeclaredCode
  readonly type: ProblemType
  readonly details: ProblemDetails

  /** Creates a problem; another one as the first argument gives its code, with other details. */
  constructor(problem: ProblemCode | Pick<Problem, 'code' | 'type'>, details: ProblemDetails | string = {}) {
    const { code, type } = typeof problem === 'string' ? { code: problem, type: problemTypes[problem] } : problem
    const known = typeof details === 'string' ? { detail: details } : details
    super(known.detail ?? type.title, known.cause === undefined ? undefined : { cause: known.cause })
    this.name = 'Problem'
    this.code = code
    this.type = type
    this.details = known
  }

  get status(): number {
    return this.type.status
  }
}

/** The database or another part that the service needs does not answer: the outcome of the request is unknown. */
export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'unavailable'

// Errors of others. Anything can be thrown, so nothing is taken for granted.

/** The message of an error; other values as text. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code that Node, drivers and libraries give to errors, such as `ENOENT`; empty when there is none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
