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
  faultOf: (key: string) => (isGuessable(key) ? fault('pattern', { message: 'must be hard to guess' }) : null),
}

export const jwtSettings = defineSettings(
  'app.jwt',
  {
    accessTokenMinutes: integer({
      default: 10,
      min: 1,
      max: 1440,
      about: 'The lifetime of an access token, in minutes.',
    }),
    refreshTokenMinutes: integer({
      default: 10_080,
      min: 2,
      max: 525_600,
      about: 'The lifetime of a refresh token, in minutes; longer than that of an access token.',
    }),
    tokenIssuer: text({ default: 'plinth', about: 'The issuer of tokens.' }),
    tokenAudience: text({ default: '', about: 'The audience of tokens; if empty, the same as the issuer.' }),
    tokenSigningKey: secret({
      default: '',
      min: 32,
      pattern: strongKey,
      about:
        'The secret key that signs tokens. If empty, one is generated and stored in `token-signing.key` in the data folder, or in the database with PostgreSQL.',
    }),
    formerSigningKey: secret({
      default: '',
      min: 32,
      about: 'The former `tokenSigningKey`: tokens that it has signed are valid until they expire.',
    }),
    rotateDays: integer({
      default: 0,
      min: 0,
      max: 3650,
      about:
        'Days after which a generated key that signs tokens is replaced; 0: never. With PostgreSQL only a key in the database.',
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
    about: 'Whether cookies are `Secure`; `auto`: if `app.baseUrl` is an https URL.',
  }),
  domain: cookieDomain({
    default: '',
    about:
      'The domain of cookies. If empty, the host of each request, and none for `localhost` and other names without a dot.',
  }),
})

export const authSettings = defineSettings('app.auth', {
  sealingKey: secret({
    default: '',
    min: 32,
    pattern: strongKey,
    about:
      'The secret key that encrypts second factors and fingerprints requests for idempotency. If empty, one is generated and stored in `sealing.key` in the data folder, or in the database with PostgreSQL. Existing second factors cannot be decrypted with another key, unless it is set as `formerSealingKey`.',
  }),
  formerSealingKey: secret({
    default: '',
    min: 32,
    about: 'The former `sealingKey`: what it has encrypted can still be read.',
  }),
  rememberDays: integer({
    default: 30,
    min: 1,
    max: 3650,
    about: 'The lifetime of "remember me", in days; at most `app.auth.session.maxMinutes`.',
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
    about: 'Days until an expired API key is deleted; 0 keeps it forever.',
  }),
})

export const passkeySettings = defineSettings('app.auth.passkeys', {
  enabled: boolean({ default: true, about: 'Whether users can register passkeys and sign in with them.' }),
  domain: text({
    default: '',
    max: 253,
    about:
      'The domain that passkeys belong to (RP ID), such as `example.com`; if empty, the host of `app.baseUrl`. Passkeys work for this domain alone, so choose it for good.',
  }),
  origins: list(text({ max: 300 }), {
    default: [],
    about:
      'The origins of pages that may ask for passkeys, such as `https://app.example.com`; if empty, that of `app.baseUrl`.',
  }),
})

export const sessionSettings = defineSettings('app.auth.session', {
  idleMinutes: integer({
    default: 10_080,
    min: 1,
    max: 525_600,
    about: 'Minutes without activity after which a session ends.',
  }),
  maxMinutes: integer({
    default: 43_200,
    min: 1,
    max: 5_256_000,
    about: 'Minutes after which a session ends, even if it is in use.',
  }),
  recentMinutes: integer({
    default: 15,
    min: 1,
    max: 1440,
    about:
      'Minutes for which a sign-in counts as recent. Sensitive acts, such as creating an API key or changing roles, require a recent one.',
  }),
})

export const throttleSettings = defineSettings('app.auth.throttle', {
  windowMinutes: integer({ default: 15, min: 1, max: 1440, about: 'Minutes for which failed sign-ins count.' }),
  perAccount: integer({
    default: 10,
    min: 1,
    max: 100_000,
    about:
      'Failed sign-ins on an account after which further ones are rejected, except from addresses with few failures on it.',
  }),
  perAccountEverywhere: integer({
    default: 100,
    min: 1,
    max: 1_000_000,
    about:
      'Failed sign-ins on an account after which further ones are rejected from all networks, except those from which its owner has signed in within the last 90 days.',
  }),
  perAddress: integer({
    default: 100,
    min: 1,
    max: 1_000_000,
    about:
      'Failed sign-ins from one IP address (IPv6: one /64) after which all its sign-ins are rejected. A /56 has 4 times this limit, a /48 16 times.',
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
  passkeySettings,
  sessionSettings,
  throttleSettings,
  providerSettings,
]
