// Settings of the server, the database, logs and telemetry.

import { isIPv4 } from 'node:net'
import { boolean, choice, integer, text } from '../model/fields.ts'
import { databaseAddress, hostName, list, network, origin, webAddress } from './fields.ts'
import { defineSettings } from './settings.ts'

export const serverSettings = defineSettings(
  'server',
  {
    port: integer({ default: 8080, min: 0, max: 65535, about: 'The port to listen on; 0 picks a free port.' }),
    host: hostName({ default: '127.0.0.1', about: 'The address to listen on; `0.0.0.0` or `::` for all interfaces.' }),
    trustedProxies: list(network(), {
      default: [],
      about:
        'Addresses of trusted reverse proxies. The address of a caller is taken from their `X-Forwarded-For` header.',
    }),
    maxConnections: integer({
      default: 4000,
      min: 1,
      max: 1_000_000,
      about: 'How many connections may be open at a time; further ones get 503.',
    }),
    maxConnectionsPerAddress: integer({
      default: 400,
      min: 1,
      max: 1_000_000,
      about:
        'How many connections one address, or one /64 of IPv6, may have open; further ones get 429. Does not apply to `server.trustedProxies`.',
    }),
    maxPipelinedRequests: integer({
      default: 8,
      min: 1,
      max: 1000,
      about:
        'How many requests of one connection are handled at a time. Further ones wait, and nothing more is read from the connection until then.',
    }),
    maxResponseBytesPerConnection: integer({
      default: 1_048_576,
      min: 16_384,
      max: 1_073_741_824,
      about: 'How many bytes of responses one connection may leave unread before its next requests wait.',
    }),
    maxResponseBytes: integer({
      default: 134_217_728,
      min: 1_048_576,
      max: 1_099_511_627_776,
      about:
        'How many bytes of responses all connections together may leave unread. Beyond, the connections that hold the most are closed.',
    }),
    maxRequestBytes: integer({
      default: 67_108_864,
      min: 1_048_576,
      max: 1_099_511_627_776,
      about:
        'How many bytes of request bodies are kept in memory at a time, at least two of the largest. Beyond, the oldest unfinished bodies are refused with 503.',
    }),
    stallTimeout: integer({
      default: 20,
      min: 1,
      max: 3600,
      about:
        'After how many seconds a caller is disconnected who sends a body (408) or reads a response slower than `server.minBytesPerSecond`.',
    }),
    minBytesPerSecond: integer({
      default: 500,
      min: 1,
      max: 1_000_000,
      about:
        'How many bytes a second a caller must send of a body, or read of a response, on average over `server.stallTimeout`.',
    }),
  },
  ({ host }, config) =>
    config.get(appSettings).demo && !isLoopback(host)
      ? [{ field: 'host', message: 'Demo mode refuses to listen on anything but loopback' }]
      : [],
)

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))

export const appSettings = defineSettings('app', {
  baseUrl: webAddress({
    default: '',
    about: 'The public address of the service, used in links; when empty, the address of each request.',
  }),
  dataDir: text({
    default: './data',
    min: 1,
    max: 1000,
    about: 'The folder of the embedded database, files and keys.',
  }),
  demo: boolean({ default: false, about: 'Demo mode: demo users and data, only on a loopback address.' }),
})

export const databaseSettings = defineSettings('app.database', {
  url: databaseAddress({
    default: '',
    about: 'A PostgreSQL database, `postgres://user:password@host:port/name`; when empty, SQLite in the data folder.',
  }),
  poolSize: integer({
    default: 12,
    min: 1,
    max: 1000,
    about: 'The size of the PostgreSQL connection pool, at least 5.',
  }),
  writeTimeout: integer({
    default: 30,
    min: 1,
    max: 3600,
    about:
      'How long a write may wait, in seconds; then 503 `unavailable`. On SQLite it waits for other writes. On PostgreSQL each statement of it is ended, and the wait for a lock or for a connection counts.',
  }),
})

export const corsSettings = defineSettings('app.cors', {
  allowedOrigins: list(origin(), {
    default: [],
    about: 'Origins whose pages may call the service with the credentials of its users.',
  }),
})

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const logSettings = defineSettings('app.log', {
  level: choice(logLevels, { default: 'info', about: 'The least severe messages that are logged.' }),
})

export const loggerSettings = defineSettings('app.log.levels', {
  '<logger>': choice(logLevels, { about: 'The level of one logger, such as `http`, `mail` or `store`.' }),
})

export const telemetrySettings = defineSettings('app.telemetry', {
  endpoint: webAddress({
    default: '',
    about: 'Where traces and metrics are sent by OTLP over HTTP, such as `http://localhost:4318`; when empty, nowhere.',
  }),
  intervalSeconds: integer({ default: 60, min: 1, max: 3600, about: 'How often metrics are sent.' }),
})

export const jobSettings = defineSettings('app.jobs', {
  enabled: boolean({ default: true, about: 'Whether this instance runs scheduled jobs.' }),
  keepDays: integer({
    default: 30,
    min: 0,
    max: 36_500,
    about: 'After how many days the history of jobs is deleted; 0 keeps it forever.',
  }),
})

export const serviceSettingGroups = [
  serverSettings,
  appSettings,
  databaseSettings,
  corsSettings,
  logSettings,
  loggerSettings,
  telemetrySettings,
  jobSettings,
]
