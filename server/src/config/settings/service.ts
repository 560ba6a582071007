// How the service runs and what it keeps.

import { boolean, choice, databaseAddress, host, integer, list, network, origin, text, webAddress } from '../kinds.ts'
import { named, setting } from '../load.ts'

const logLevel = choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')

export const serviceSettings = {
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
  'server.trustedProxies': setting({
    is: list(network),
    default: [],
    meaning: 'The proxies in front of the service: whom they name in `X-Forwarded-For` is taken for the caller.',
  }),
  'server.maxConnections': setting({
    is: integer(1, 1_000_000),
    default: 4000,
    meaning: 'How many connections may be open at a time; further ones are answered with 503.',
  }),
  'server.maxConnectionsPerAddress': setting({
    is: integer(1, 1_000_000),
    default: 400,
    meaning:
      'How many connections one address, or one /64 of IPv6, may have open; further ones are answered with 429. Does not apply to `server.trustedProxies`.',
  }),
  'server.maxPipelinedRequests': setting({
    is: integer(1, 1000),
    default: 8,
    meaning:
      'How many requests of one connection are handled at a time. Further ones wait, and nothing more is read from the connection until then.',
  }),
  'server.maxResponseBytesPerConnection': setting({
    is: integer(16_384, 1_073_741_824),
    default: 1_048_576,
    meaning: 'How many bytes of responses one connection may leave unread before its next requests wait.',
  }),
  'server.maxResponseBytes': setting({
    is: integer(1_048_576, 1_099_511_627_776),
    default: 134_217_728,
    meaning:
      'How many bytes of responses all connections together may leave unread. Beyond, the connections that hold the most are closed.',
  }),
  'server.maxRequestBytes': setting({
    is: integer(1_048_576, 1_099_511_627_776),
    default: 67_108_864,
    meaning:
      'How many bytes of request bodies are kept in memory at a time, at least two of the largest. Beyond, those that have been arriving the longest are answered with 503.',
  }),
  'server.stallTimeout': setting({
    is: integer(1, 3600),
    default: 20,
    meaning:
      'After how many seconds a caller is cut off who sends a body (408) or reads a response slower than `server.minBytesPerSecond`.',
  }),
  'server.minBytesPerSecond': setting({
    is: integer(1, 1_000_000),
    default: 500,
    meaning:
      'How many bytes a second a caller must send of a body, or read of a response, on average over `server.stallTimeout`.',
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
    default: 12,
    meaning: 'How many connections to PostgreSQL are kept at most; fewer than 5 count as 5.',
  }),
  'app.database.writeTimeout': setting({
    is: integer(1, 3600),
    default: 30,
    meaning:
      'How long a write may wait, in seconds; then 503 `unavailable`. On SQLite it waits for other writes. On PostgreSQL each statement of it is ended, and the wait for a lock or for a connection counts.',
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
  'app.cors.allowedOrigins': setting({
    is: list(origin),
    default: [],
    meaning: 'Origins whose pages may call the service with the credentials of its users.',
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
}
