// Every setting in one table. A further setting is a further line here, with its user in the same change.

import { isIPv4 } from 'node:net'
import {
  boolean,
  choice,
  cookieDomain,
  currency,
  databaseAddress,
  host,
  integer,
  list,
  mailbox,
  origin,
  signingKey,
  text,
  timeZone,
  webAddress,
  x500List,
} from './config/kinds.ts'
import {
  type ConfigOf,
  type ConfigSources,
  type CrossCheck,
  load,
  type NamedSetting,
  type Setting,
  type Table,
} from './config/load.ts'
import { type Overrides, takeSettings } from './config/sources.ts'

export { ConfigError } from './config/load.ts'

const setting = <T>(one: Setting<T>): Setting<T> => one
const named = <T>(one: NamedSetting<T>): NamedSetting<T> => one

const logLevel = choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')

export const settings = {
  'server.port': setting({
    is: integer(0, 65535),
    default: 8080,
    meaning: 'The port to listen on; 0 takes any free one.',
  }),
  'server.host': setting({
    is: host,
    default: '127.0.0.1',
    meaning: 'The address to listen on; `0.0.0.0` or `::` for all of the machine.',
  }),
  'app.baseUrl': setting({
    is: webAddress,
    default: '',
    meaning: 'The address by which callers reach the service, for links; when empty, that of each request.',
  }),
  'app.dataDir': setting({
    is: text('a folder'),
    default: './data',
    meaning: 'The folder of the embedded database and of everything else that is kept.',
  }),
  'app.database.url': setting({
    is: databaseAddress,
    default: '',
    secret: true,
    meaning: 'A PostgreSQL database, `postgres://user:password@host:port/name`; when empty, SQLite in the data folder.',
  }),
  'app.database.poolSize': setting({
    is: integer(1, 1000),
    default: 10,
    meaning: 'How many connections to PostgreSQL are kept at most.',
  }),
  'app.demo': setting({
    is: boolean,
    default: false,
    meaning: 'Demo users and data, for trying things out; only on a loopback address.',
  }),
  'app.modules': setting({
    is: list(choice('rental', 'membership')),
    default: ['rental', 'membership'],
    meaning: 'Which of the optional modules are on.',
  }),
  'app.rental.currency': setting({
    is: currency,
    default: 'EUR',
    meaning:
      'The ISO 4217 code of all amounts; its minor units decide how many decimals they have. Not to be changed once there are amounts.',
  }),
  'app.rental.timeZone': setting({
    is: timeZone,
    default: 'UTC',
    meaning: 'The time zone of the store, in which due dates are shown and ages are counted.',
  }),
  'app.rental.maxItems': setting({
    is: integer(1, 1000),
    default: 100,
    meaning: 'How many copies one submission may rent or return.',
  }),
  'app.rental.voidMinutes': setting({
    is: integer(0, 1_000_000),
    default: 60,
    meaning: 'How long after a payment staff may void it; administrators always may.',
  }),
  'app.rental.adultAge': setting({
    is: integer(0, 99),
    default: 18,
    meaning: 'From which age a customer may rent films rated NC-17.',
  }),
  'app.rental.lateFeesTo': setting({
    is: choice('payer', 'renter'),
    default: 'payer',
    meaning: 'Who is charged for a late return that another person brings back: `payer`, that person, or `renter`.',
  }),
  'app.api.maxPageSize': setting({
    is: integer(1, 10_000),
    default: 500,
    meaning: 'The largest page that a caller may ask for.',
  }),
  'app.api.maxFullCollection': setting({
    is: integer(1, 10_000_000),
    default: 10_000,
    meaning: 'The largest collection that `page=no` answers whole.',
  }),
  'app.api.maxBodyBytes': setting({
    is: integer(1024, 1_073_741_824),
    default: 1_048_576,
    meaning: 'The largest request body.',
  }),
  'app.errors.reportsPerMinute': setting({
    is: integer(1, 1_000_000),
    default: 30,
    meaning: 'How many errors clients at one address may report in a minute.',
  }),
  'app.events.keepHours': setting({
    is: integer(1, 8760),
    default: 24,
    meaning: 'How many hours changes are kept for subscribers who come back.',
  }),
  'app.events.maxRows': setting({
    is: integer(1000, 1_000_000_000),
    default: 1_000_000,
    meaning: 'How many changes are kept at most.',
  }),
  'app.realtime.maxConnectionsPerUser': setting({
    is: integer(1, 1_000_000),
    default: 100,
    meaning: 'How many realtime connections one user may have at an instance.',
  }),
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
    meaning: 'The secret key that signs tokens; when empty, one is made at the first start and kept with the data.',
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
    meaning: 'The domain of cookies; when empty, the host of each request, and none for IP addresses and `localhost`.',
  }),
  'app.auth.sealingKey': setting({
    is: signingKey,
    default: '',
    secret: true,
    meaning:
      'The secret key that seals second factors; when empty, one is made at the first start and kept with the data. With another key they cannot be read.',
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
    meaning: 'For how many days a device is remembered when its user asks for it.',
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
  'app.auth.throttle.perAddress': setting({
    is: integer(1, 1_000_000),
    default: 100,
    meaning: 'After how many failures from one address all its further sign-ins are refused.',
  }),
  'app.cors.allowedOrigins': setting({
    is: list(origin),
    default: [],
    meaning: 'Origins whose pages may call the service with the credentials of its users.',
  }),
  'app.mail.host': setting({
    is: host,
    default: '',
    meaning:
      'The SMTP server that takes mails; when empty, they are left as files in the folder `outbox` of the data folder.',
  }),
  'app.mail.port': setting({ is: integer(1, 65535), default: 587, meaning: 'The port of the SMTP server.' }),
  'app.mail.security': setting({
    is: choice('starttls', 'tls', 'none'),
    default: 'starttls',
    meaning: 'How the connection to the SMTP server is protected: `starttls`, `tls` from its start, or `none`.',
  }),
  'app.mail.username': setting({
    is: text('a name'),
    default: '',
    meaning: 'The name to sign in with at the SMTP server.',
  }),
  'app.mail.password': setting({
    is: text('a password'),
    default: '',
    secret: true,
    meaning: 'The password to sign in with at the SMTP server.',
  }),
  'app.mail.from': setting({
    is: mailbox,
    default: 'Plinth <no-reply@localhost>',
    meaning: 'The sender of all mails: an address, or a name and an address in angle brackets.',
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
  'app.files.maxBytes': setting({
    is: integer(1024, 10_737_418_240),
    default: 10_485_760,
    meaning: 'The largest file that can be uploaded.',
  }),
  'app.files.s3.bucket': setting({
    is: text('the name of a bucket'),
    default: '',
    meaning:
      'The S3 bucket that holds uploaded files; when empty, they are kept in the folder `files` of the data folder.',
  }),
  'app.files.s3.endpoint': setting({
    is: webAddress,
    default: '',
    meaning: 'The address of an S3 service other than that of Amazon.',
  }),
  'app.files.s3.region': setting({ is: text('a region'), default: 'us-east-1', meaning: 'The region of the bucket.' }),
  'app.files.s3.accessKey': setting({
    is: text('a key'),
    default: '',
    secret: true,
    meaning: 'The access key for the bucket; when empty, the credentials of the machine are used.',
  }),
  'app.files.s3.secretKey': setting({
    is: text('a key'),
    default: '',
    secret: true,
    meaning: 'The secret that belongs to the access key.',
  }),
  'app.log.level': setting({
    is: logLevel,
    default: 'info',
    meaning: 'The least severe messages that are logged.',
  }),
  'app.log.levels.<logger>': named({
    is: logLevel,
    meaning: 'The level of one logger, such as `http`, `mail` or `store`, where it differs.',
  }),
  'app.management.heapdump': setting({
    is: boolean,
    default: false,
    meaning: 'Whether administrators may take the memory of the service as a file: it holds what callers sent.',
  }),
  'app.telemetry.endpoint': setting({
    is: webAddress,
    default: '',
    meaning:
      'Where traces and metrics are sent by OTLP over HTTP, such as `http://localhost:4318`; when empty, nowhere.',
  }),
  'app.telemetry.intervalSeconds': setting({
    is: integer(1, 3600),
    default: 60,
    meaning: 'How often metrics are sent.',
  }),
  'app.bnms.controllers': setting({
    is: list(choice('bno', 'member', 'bnos', 'members')),
    default: [],
    meaning:
      'Which of the membership paths are published: `bno` and `member` for one node, `bnos` and `members` for several.',
  }),
  'app.bnms.nodeHeader': setting({
    is: text('a header'),
    default: 'X-Node',
    meaning: 'The header that names the node of a request to `bno` or `member`, where there are several.',
  }),
  'app.bnms.nodeCookie': setting({
    is: text('a cookie'),
    default: 'node',
    meaning: 'The cookie that names the node of a request to `bno` or `member`, where there are several.',
  }),
  'app.bnms.timeoutMs': setting({
    is: integer(100, 600_000),
    default: 10_000,
    meaning: 'How long a node that is another process may take to answer.',
  }),
  'app.nodes.<name>.partyName': named({
    is: text('an X.500 name'),
    meaning: 'The X.500 name of the node, such as `O=Alpha, L=London, C=GB`; every node has one.',
  }),
  'app.nodes.<name>.role': named({
    is: choice('operator', 'member'),
    meaning: 'What the node is in its network; `member` unless given.',
  }),
  'app.nodes.<name>.address': named({
    is: text('host:port'),
    meaning: 'Where the process of the node answers; without one, its ledger is in the database of the service.',
  }),
  'app.nodes.<name>.adminAddress': named({
    is: text('host:port'),
    meaning: 'Where the process of the node tells its health.',
  }),
  'app.nodes.<name>.adapter': named({
    is: text('an adapter'),
    meaning:
      'What speaks to the node at its address: `remote`, for `plinth node`, unless given, or one that the deployment adds.',
  }),
  'app.nodes.<name>.tlsCertificate': named({
    is: text('a file'),
    meaning: 'The certificate, PEM, under which `plinth node` answers at an https address.',
  }),
  'app.nodes.<name>.tlsKey': named({
    is: text('a file'),
    meaning: 'The private key of that certificate, PEM.',
  }),
  'app.nodes.<name>.username': named({
    is: text('a name'),
    meaning: 'The login of the node, for its address.',
  }),
  'app.nodes.<name>.password': named({
    is: text('a password'),
    secret: true,
    meaning: 'The password that belongs to the login.',
  }),
  'app.nodes.<name>.bnmsServiceType': named({
    is: text('a metadata type'),
    meaning:
      'The type of the membership metadata: `json`, unless given, or `json-schema`, or one that the deployment adds.',
  }),
  'app.nodes.<name>.metadataSchema': named({
    is: text('a JSON Schema or its file'),
    meaning: 'The schema of the metadata, for `json-schema`: itself, or the file that holds it.',
  }),
  'app.nodes.<name>.bnoWhitelist': named({
    is: x500List,
    meaning: 'The operators that the node deals with, separated by semicolons; all of its network map unless given.',
  }),
  'app.nodes.<name>.networkMap': named({
    is: text('a file'),
    meaning:
      'The JSON file of the parties that the node knows: `parties`, each with `partyName`, `role`, `address` and `publicKey`.',
  }),
  'app.nodes.<name>.keyFile': named({
    is: text('a file'),
    meaning: 'The file of the private key of the node; `node-<name>.key` in the data folder unless given.',
  }),
  'app.access.<resource>.<operation>': named({
    is: text('a rule'),
    meaning:
      'A rule in place of the one in the model; the operation is `read`, `create`, `replace`, `patch`, `delete`, `update` or `write`.',
  }),
} satisfies Table

export type Config = ConfigOf<typeof settings>

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))

const checkDemo: CrossCheck<typeof settings> = config =>
  config.get('app.demo') && !isLoopback(config.get('server.host'))
    ? [{ name: 'server.host', message: 'Demo mode refuses to listen on anything but loopback' }]
    : []

const checkTokens: CrossCheck<typeof settings> = config =>
  config.get('app.jwt.refreshTokenMinutes') <= config.get('app.jwt.accessTokenMinutes')
    ? [
        {
          name: 'app.jwt.refreshTokenMinutes',
          message: 'A refresh token must be valid for longer than an access token',
        },
      ]
    : []

/** Reads the file, the environment and the overrides, in rising order; throws one ConfigError that names every fault. */
export const loadConfig = (sources: ConfigSources = {}): Config =>
  load(settings, sources, config => [...checkDemo(config), ...checkTokens(config)])

const flags = new Set(Object.entries(settings).flatMap(([name, { is }]) => (is === boolean ? [name] : [])))

/** The settings among the arguments of a command, and the other arguments. */
export const readArguments = (args: readonly string[]): { overrides: Overrides; rest: readonly string[] } =>
  takeSettings(args, name => flags.has(name))
