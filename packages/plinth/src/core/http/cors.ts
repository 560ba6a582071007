// The headers that answers carry for browsers: which pages of other origins can read them (the CORS protocol of the Fetch standard), as
// pure data, and those that protect users.

export interface CorsInput {
  /** The `Origin` header as sent. */
  readonly origin: string | undefined
  /** Asked with a normalised origin. */
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

/** Never `*` and never `null`: an origin that is not allowed gets `Vary` and nothing else. */
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

/** The set holds tokens only, so being a member of it is also the check of the form. */
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

// The headers that every answer carries for the safety of browsers, made once at start.

export type HeaderSet = Readonly<Record<string, string>>

const nothing = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"

/**
 * Own origin only, and no inline script. `form-action` also binds the redirects after a form is sent, so a sign-in that
 * leaves for another site has to start with a link or a script.
 */
const ownOrigin = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')

const common = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  // Binds only requests that are made without CORS; an origin that CORS allows can still read.
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/** Over plain HTTP a browser must ignore the header (RFC 6797, 8.1), so it is left out. */
const transport = (secure: boolean): HeaderSet =>
  secure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}

export const apiHeaders = (secure: boolean): HeaderSet => ({
  ...common,
  'content-security-policy': nothing,
  'referrer-policy': 'no-referrer',
  ...transport(secure),
})

/** `no-referrer` would make browsers send `Origin: null` with the page's own forms; `same-origin` does not. */
export const pageHeaders = (secure: boolean, { inlineStyles = false } = {}): HeaderSet => ({
  ...common,
  'content-security-policy': ownOrigin(inlineStyles ? "'self' 'unsafe-inline'" : "'self'"),
  'referrer-policy': 'same-origin',
  ...transport(secure),
})
