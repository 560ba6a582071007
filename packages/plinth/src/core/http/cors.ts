// Which pages of other origins can read an answer: the CORS protocol of the Fetch standard, as pure data.

export interface CorsInput {
  /** The `Origin` header as sent. */
  readonly origin: string | undefined
  /** Says whether a normalised origin is allowed. */
  readonly allowed: (origin: string) => boolean
  /** The `Access-Control-Request-*` headers of a preflight. */
  readonly preflight?: { readonly method?: string; readonly headers?: string }
  /** The methods of the path. */
  readonly allow: readonly string[]
}

// With credentials a star means the literal name, so every header is named.
const exposed = [
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'X-Total-Count',
].join(', ')

const acceptedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'authorization',
  'cache-control',
  'content-language',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'last-event-id',
  'prefer',
  'traceparent',
  'tracestate',
  'x-api-key',
  'x-node',
  'x-request-id',
  'x-requested-with',
])

/** Short, since a hosts record may be taken away at any time. */
const maxAgeSeconds = '600'

const varies = { vary: 'Origin' } as const
const preflightVaries = { vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers' } as const

/** The headers of CORS, never with `*` or `null`: an origin that is not allowed gets `Vary` and nothing else. */
export const corsHeaders = ({ origin, allowed, preflight, allow }: CorsInput): Record<string, string> => {
  const vary = preflight ? preflightVaries : varies
  const known = origin === undefined ? null : readOrigin(origin)
  if (known === null || !allowed(known)) return { ...vary }
  const granted: Record<string, string> = {
    ...vary,
    'access-control-allow-origin': known,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposed,
  }
  if (!preflight) return granted
  granted['access-control-allow-methods'] = allow.join(', ')
  granted['access-control-max-age'] = maxAgeSeconds
  const names = acceptedOf(preflight.headers)
  if (names) granted['access-control-allow-headers'] = names
  return granted
}

/** The set holds tokens only, so being a field of it is also the check of the form. */
const acceptedOf = (requested: string | undefined): string =>
  requested === undefined
    ? ''
    : requested
        .slice(0, 2000)
        .split(',')
        .map(name => name.trim().toLowerCase())
        .filter(name => acceptedHeaders.has(name))
        .join(', ')

// Scheme, host and perhaps a port: no user, path or dot at the end, which `new URL` would all forgive.
const originShape = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/

/** Scheme, lower-case host and port, without the port that the scheme implies; null when the text is no such origin. */
export const readOrigin = (text: string): string | null => {
  if (text.length > 300) return null
  const lower = text.toLowerCase()
  return originShape.test(lower) && URL.canParse(lower) ? new URL(lower).origin : null
}

const loopback = /^https:\/\/(?:(?:[a-z0-9_-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/** The origins that a hosts record's name or alias stands for, with the port that the name gives. */
export const originsOfHost = (name: string): string[] => {
  const secure = readOrigin(`https://${name.trim()}`)
  if (secure === null) return []
  const plain = loopback.test(secure) ? readOrigin(`http://${name.trim()}`) : null
  return plain === null ? [secure] : [secure, plain]
}
