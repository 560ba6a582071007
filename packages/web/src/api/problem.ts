// Problems of requests: those that the service reports (RFC 9457) and failures of the network.

export interface ApiFault {
  /** In English. */
  readonly message: string
  readonly code: string
  /** The values that texts about it name. */
  readonly params?: Readonly<Record<string, string | number | readonly string[]>>
  /** Into the body (RFC 6901). */
  readonly pointer?: string
  /** In the query. */
  readonly parameter?: string
  readonly member?: string
  readonly position?: number
}

export interface ApiProblemDocument {
  readonly title?: string
  readonly detail?: string
  readonly code?: string
  readonly errors?: readonly ApiFault[]
  readonly errorLogId?: string
  readonly [extra: string]: unknown
}

export class ApiProblem extends Error {
  /** 0: the service could not be reached. */
  readonly status: number
  readonly code: string
  readonly detail: string | null
  readonly faults: readonly ApiFault[]
  readonly retryAfterSeconds: number | null
  /** Everything that the service said, for problems with members of their own. */
  readonly document: ApiProblemDocument

  constructor(status: number, document: ApiProblemDocument, retryAfter: string | null = null) {
    super(document.detail ?? document.title ?? `status ${status}`)
    this.name = 'Problem'
    this.status = status
    this.code = document.code ?? codeOf(status)
    this.detail = document.detail ?? null
    this.faults = document.errors ?? []
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    this.document = document
  }
}

/** Three kinds of answer have no body of their own. */
const codeOf = (status: number): string => {
  const known: Readonly<Record<number, string>> = {
    0: 'unreachable',
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not_found',
  }
  return known[status] ?? (status >= 500 ? 'internal' : 'bad_request')
}

export const unreachable = (): ApiProblem => new ApiProblem(0, { code: 'unreachable' })

/** May the same request succeed a moment later? */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiProblem && [0, 502, 503, 504].includes(error.status)

export const hasCode = (error: unknown, code: string): error is ApiProblem =>
  error instanceof ApiProblem && error.code === code

/** Where in the body a fault is: the member, and the parts of it that lead there. */
export const placeOf = ({ pointer = '', member }: ApiFault): readonly string[] => {
  const [first, ...parts] = pointer
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [member ?? first ?? '', ...parts]
}
