// Settings of tokens, cookies, sessions, API keys, throttling and providers.

import { defineTextType, list } from '../../core/config/fields.ts'
import { defineSettings } from '../../core/config/settings.ts'
import { fault } from '../../core/fault.ts'
import { boolean, choice, integer, secret, text } from '../../core/model/fields.ts'

/** Words that keys in manuals and examples are made of. */
const commonWords =
  /your|my|our|the|this|is|not|an?|at|least|\d+|bits?|bytes?|characters?|jwt|token|signing|super|very|long|top|secret|key|change|me|it|pass(word|phrase)?|please|default|example|test|dev|abc|xyz|[^a-z]/g

const isGuessable = (key: string): boolean =>
  new Set(key).size < 12 || key.toLowerCase().replace(commonWords, '').length < 4

/** RFC 7518, 3.2: a key of HS256 has at least 256 bits. */
const strongKey = {
  is: /^/,
  says: '',
  faultOf: (key: string) => (isGuessable(key) ? fault('pattern', { message: 'must not be guessable' }) : null),
}

export const jwtSettings = defineSettings(
  'app.jwt',
  {
    accessTokenMinutes: integer({
      default: 10,
      min: 1,
      max: 1440,
      about: 'How many minutes an access token is valid.',
    }),
    refreshTokenMinutes: integer({
      default: 10_080,
      min: 2,
      max: 525_600,
      about: 'How many minutes a refresh token is valid; more than an access token.',
    }),
    tokenIssuer: text({ default: 'plinth', about: 'The issuer of tokens.' }),
    tokenSigningKey: secret({
      default: '',
      min: 32,
      pattern: strongKey,
      about:
        'The secret key that signs tokens; when empty, one is generated: the file `token-signing.key` in the data folder, or with PostgreSQL in the database.',
    }),
  },
  ({ accessTokenMinutes, refreshTokenMinutes }) =>
    refreshTokenMinutes <= accessTokenMinutes
      ? [{ field: 'refreshTokenMinutes', message: 'A refresh token must be valid for longer than an access token' }]
      : [],
)

const cookieDomain = defineTextType('text', 'must be a domain such as example.com', text => {
  const domain = text.toLowerCase().replace(/^\./, '')
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? domain : undefined
})

export const cookieSettings = defineSettings('app.cookies', {
  httpOnly: boolean({ default: true, about: 'Whether cookies are `HttpOnly`.' }),
  secure: choice(['auto', 'true', 'false'], {
    default: 'auto',
    about: 'Whether cookies are `Secure`; `auto`: when `app.baseUrl` is an https address.',
  }),
  domain: cookieDomain({
    default: '',
    about:
      'The domain of cookies; when empty, the host of each request, and none for `localhost` and other names without a dot.',
  }),
})

export const authSettings = defineSettings('app.auth', {
  sealingKey: secret({
    default: '',
    min: 32,
    pattern: strongKey,
    about:
      'The secret key that seals second factors and fingerprints requests, to recognise repeated ones; when empty, one is generated: the file `sealing.key` in the data folder, or with PostgreSQL in the database. With another key sealed ones cannot be read.',
  }),
  rememberDays: integer({
    default: 30,
    min: 1,
    max: 3650,
    about: 'How many days "remember me" lasts; never longer than `app.auth.session.maxMinutes`.',
  }),
})

export const basicSettings = defineSettings('app.auth.basic', {
  enabled: choice(['auto', 'true', 'false'], {
    default: 'auto',
    about: 'Whether `POST /api/auth/basic` exists; `auto`: in demo mode.',
  }),
})

export const apiKeySettings = defineSettings('app.auth.apiKeys', {
  maxDays: integer({ default: 365, min: 1, max: 3650, about: 'The longest lifetime of an API key, in days.' }),
  keepDays: integer({
    default: 30,
    min: 0,
    max: 3650,
    about: 'How many days after its expiry an API key is deleted; 0 keeps it forever.',
  }),
})

export const sessionSettings = defineSettings('app.auth.session', {
  idleMinutes: integer({ default: 10_080, min: 1, max: 525_600, about: 'After how many idle minutes a session ends.' }),
  maxMinutes: integer({
    default: 43_200,
    min: 1,
    max: 5_256_000,
    about: 'After how many minutes a session ends, even in use.',
  }),
})

export const throttleSettings = defineSettings('app.auth.throttle', {
  windowMinutes: integer({ default: 15, min: 1, max: 1440, about: 'How many minutes failed sign-ins count.' }),
  perAccount: integer({
    default: 10,
    min: 1,
    max: 100_000,
    about:
      'After how many failures on one account further ones are refused, except from addresses that have hardly failed on it.',
  }),
  perAccountEverywhere: integer({
    default: 100,
    min: 1,
    max: 1_000_000,
    about:
      'After how many failures on one account further ones are refused from every network, except those from which its owner has signed in within 90 days.',
  }),
  perAddress: integer({
    default: 100,
    min: 1,
    max: 1_000_000,
    about:
      'After how many failures from one address, or one /64 of IPv6, all its further sign-ins are refused. A /56 has 4 times as many, a /48 has 16 times.',
  }),
})

export const providerSettings = defineSettings('app.oauth.providers.<name>', {
  issuer: text({
    min: 1,
    max: 1000,
    about: 'The issuer of an OpenID Connect provider for sign-in, such as `https://accounts.example`.',
  }),
  clientId: text({ min: 1, about: 'The client ID of this service at the provider.' }),
  clientSecret: secret({ about: 'The client secret; without one, PKCE alone protects the sign-in.' }),
  label: text({ about: 'The label of the button; by default the name of the provider.' }),
  scopes: list(text(), { about: 'The scopes to request besides `openid`; by default `email,profile`.' }),
})

export const settingsOfAuth = [
  jwtSettings,
  cookieSettings,
  authSettings,
  basicSettings,
  apiKeySettings,
  sessionSettings,
  throttleSettings,
  providerSettings,
]
