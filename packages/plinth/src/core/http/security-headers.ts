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

/** The header of secure transport. Over plain HTTP a browser must ignore it (RFC 6797, 8.1), so it is left out. */
const transport = (secure: boolean): HeaderSet =>
  secure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}

export const apiHeaders = (secure: boolean): HeaderSet => ({
  ...common,
  'content-security-policy': nothing,
  'referrer-policy': 'no-referrer',
  ...transport(secure),
})

/**
 * The headers of pages that endpoints write, in place of those of the API: styles of the page itself count, scripts
 * only as files.
 */
export const htmlHeaders: HeaderSet = {
  'content-security-policy': ownOrigin("'self' 'unsafe-inline'"),
  'referrer-policy': 'same-origin',
}

/** `no-referrer` would make browsers send `Origin: null` with the page's own forms; `same-origin` does not. */
export const pageHeaders = (secure: boolean, { inlineStyles = false } = {}): HeaderSet => ({
  ...common,
  'content-security-policy': ownOrigin(inlineStyles ? "'self' 'unsafe-inline'" : "'self'"),
  'referrer-policy': 'same-origin',
  ...transport(secure),
})
