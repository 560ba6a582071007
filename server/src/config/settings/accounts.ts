// Signing in, registering and staying signed in.

import { boolean, choice, cookieDomain, integer, list, signingKey, text } from '../kinds.ts'
import { named, setting } from '../load.ts'

export const accountsSettings = {
  'app.jwt.accessTokenMinutes': setting({
    is: integer(1, 1440),
    default: 10,
    meaning: 'How many minutes an access token is valid.',
  }),
  'app.jwt.refreshTokenMinutes': setting({
    is: integer(2, 525_600),
    default: 10_080,
    meaning: 'How many minutes a refresh token is valid; more than an access token.',
  }),
  'app.jwt.tokenIssuer': setting({ is: text('a name'), default: 'plinth', meaning: 'Who issues the tokens.' }),
  'app.jwt.tokenSigningKey': setting({
    is: signingKey,
    default: '',
    secret: true,
    meaning:
      'The secret key that signs tokens; when empty, one is generated: the file `token-signing.key` in the data folder, or with PostgreSQL in the database.',
  }),
  'app.cookies.httpOnly': setting({
    is: boolean,
    default: true,
    meaning: 'Are cookies kept from the scripts of pages?',
  }),
  'app.cookies.secure': setting({
    is: choice('auto', 'true', 'false'),
    default: 'auto',
    meaning: 'Are cookies sent over https alone? `auto`: when `app.baseUrl` is an https address.',
  }),
  'app.cookies.domain': setting({
    is: cookieDomain,
    default: '',
    meaning:
      'The domain of cookies; when empty, the host of each request, and none for `localhost` and other names without a dot.',
  }),
  'app.auth.sealingKey': setting({
    is: signingKey,
    default: '',
    secret: true,
    meaning:
      'The secret key that seals second factors and fingerprints requests, to recognise repeated ones; when empty, one is generated: the file `sealing.key` in the data folder, or with PostgreSQL in the database. With another key sealed ones cannot be read.',
  }),
  'app.auth.basic.enabled': setting({
    is: choice('auto', 'true', 'false'),
    default: 'auto',
    meaning: 'Is there `POST /api/auth/basic`? `auto`: in demo mode.',
  }),
  'app.auth.apiKeys.maxDays': setting({
    is: integer(1, 3650),
    default: 365,
    meaning: 'For how many days an API key may be good at most.',
  }),
  'app.auth.apiKeys.keepDays': setting({
    is: integer(0, 3650),
    default: 30,
    meaning: 'How many days after its expiry an API key is deleted; 0 keeps it for ever.',
  }),
  'app.auth.session.idleMinutes': setting({
    is: integer(1, 525_600),
    default: 10_080,
    meaning: 'After how many minutes without use a session ends.',
  }),
  'app.auth.session.maxMinutes': setting({
    is: integer(1, 5_256_000),
    default: 43_200,
    meaning: 'After how many minutes a session ends, however much it is used.',
  }),
  'app.auth.rememberDays': setting({
    is: integer(1, 3650),
    default: 30,
    meaning:
      'For how many days a device is remembered when its user asks for it; never longer than a session lasts at most.',
  }),
  'app.auth.throttle.windowMinutes': setting({
    is: integer(1, 1440),
    default: 15,
    meaning: 'For how many minutes failed sign-ins count.',
  }),
  'app.auth.throttle.perAccount': setting({
    is: integer(1, 100_000),
    default: 10,
    meaning:
      'After how many failures on one account further ones are refused, except from addresses that have hardly failed on it.',
  }),
  'app.auth.throttle.perAccountEverywhere': setting({
    is: integer(1, 1_000_000),
    default: 100,
    meaning:
      'After how many failures on one account further ones are refused from every network, except those from which its owner has signed in within 90 days.',
  }),
  'app.auth.throttle.perAddress': setting({
    is: integer(1, 1_000_000),
    default: 100,
    meaning:
      'After how many failures from one address, or one /64 of IPv6, all its further sign-ins are refused. A /56 has 4 times as many, a /48 has 16 times.',
  }),
  'app.registration.forceCodes': setting({
    is: boolean,
    default: false,
    meaning: 'Whether registering takes a registration code.',
  }),
  'app.oauth.providers.<name>.issuer': named({
    is: text('an address'),
    meaning:
      'The issuer of an OpenID Connect provider by which people can sign in, such as `https://accounts.example`.',
  }),
  'app.oauth.providers.<name>.clientId': named({
    is: text('a name'),
    meaning: 'The name of this service at the provider.',
  }),
  'app.oauth.providers.<name>.clientSecret': named({
    is: text('a secret'),
    secret: true,
    meaning: 'The secret that belongs to the name; without one, PKCE alone protects the sign-in.',
  }),
  'app.oauth.providers.<name>.label': named({
    is: text('a text'),
    meaning: 'What people read on the button; the name of the provider unless given.',
  }),
  'app.oauth.providers.<name>.scopes': named({
    is: list(text('a scope')),
    meaning: 'What the provider is asked for besides `openid`; `email,profile` unless given.',
  }),
}
