// Settings of the server, the database, logs and telemetry.

import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import { boolean, choice, integer, text } from '../model/fields.ts'
import { databaseAddress, hostName, list, network, origin, webAddress } from './fields.ts'
import { type Config, defineSettings } from './settings.ts'

/** The settings below `server`: address, port, connections. */
export const serverSettings = defineSettings(
  'server',
  {
    port: integer({ default: 8080, min: 0, max: 65535, about: 'The port to listen on; 0 picks a free port.' }),
    host: hostName({ default: '127.0.0.1', about: 'The address to listen on; `0.0.0.0` or `::` for all interfaces.' }),
    hosts: list(hostName(), {
      default: [],
      about:
        'Further host names of the service. With `NODE_ENV=production` and `app.baseUrl`, requests with another `Host` get 421, except for health checks.',
    }),
    trustedProxies: list(network(), {
      default: [],
      about:
        'Addresses of trusted reverse proxies. For requests from them, the client address is taken from `X-Forwarded-For`.',
    }),
    maxConnections: integer({
      default: 4000,
      min: 1,
      max: 1_000_000,
      about: 'The maximum number of open connections; further ones get 503.',
    }),
    maxConnectionsPerAddress: integer({
      default: 400,
      min: 1,
      max: 1_000_000,
      about:
        'The maximum number of open connections for each IP address (IPv6: each /64); further ones get 429. Does not apply to `server.trustedProxies`.',
    }),
    maxPipelinedRequests: integer({
      default: 8,
      min: 1,
      max: 1000,
      about: 'The number of requests of one connection that are handled concurrently. Further pipelined requests wait.',
    }),
    maxResponseBytesPerConnection: integer({
      default: 1_048_576,
      min: 16_384,
      max: 1_073_741_824,
      about: 'Bytes of unread responses above which further requests of a connection wait.',
    }),
    maxResponseBytes: integer({
      default: 134_217_728,
      min: 1_048_576,
      max: 1_099_511_627_776,
      about:
        'Bytes of unread responses of all connections above which the connections with the most unread bytes are closed.',
    }),
    maxRequestBytes: integer({
      default: 67_108_864,
      min: 1_048_576,
      max: 1_099_511_627_776,
      about:
        'The memory for request bodies, in bytes, at least twice `app.api.maxBodyBytes`. Unfinished bodies may take 40 % of it; then the oldest of them get 503.',
    }),
    stallTimeout: integer({
      default: 20,
      min: 1,
      max: 3600,
      about:
        'Seconds after which a client is disconnected that sends a body (408) or reads a response more slowly than `server.minBytesPerSecond`.',
    }),
    minBytesPerSecond: integer({
      default: 500,
      min: 1,
      max: 1_000_000,
      about:
        'The minimum transfer rate for bodies and responses, in bytes per second, averaged over `server.stallTimeout`.',
    }),
  },
  ({ host }, config) =>
    config.get(appSettings).demo && !isLoopback(host)
      ? [{ field: 'host', message: 'Demo mode only listens on loopback addresses' }]
      : [],
)

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))

/** The settings directly below `app`: demo mode, data folder, public address. */
export const appSettings = defineSettings(
  'app',
  {
    baseUrl: webAddress({
      default: '',
      about: 'The public URL of the service, for links. If empty, the address of each request is used.',
    }),
    dataDir: text({
      default: './data',
      min: 1,
      max: 1000,
      about: 'The data folder, with the embedded database, files and keys.',
    }),
    demo: boolean({
      default: false,
      about:
        'Demo mode: adds demo users and data, and only listens on loopback. With `NODE_ENV=production`, it cannot be reached through a proxy either.',
    }),
  },
  ({ demo, baseUrl }, config) => {
    const isReachable = isBeyondLoopback(baseUrl) || config.get(serverSettings).trustedProxies.length > 0
    if (!demo || !config.isProduction || !isReachable) return []
    const reason = 'everyone knows the passwords of demo mode'
    const remedy = 'Set app.demo=false, or leave out app.baseUrl and server.trustedProxies'
    return [{ field: 'demo', message: `Not with NODE_ENV=production behind a proxy: ${reason}. ${remedy}` }]
  },
)

const isBeyondLoopback = (baseUrl: string): boolean =>
  baseUrl !== '' && !isLoopback(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''))

/** The settings below `app.database`. */
export const databaseSettings = defineSettings('app.database', {
  url: databaseAddress({
    default: '',
    about:
      'The URL of a PostgreSQL database, `postgres://user:password@host:port/name`. If empty, SQLite in the data folder is used.',
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
      'Seconds a write may take before it fails with 503 `unavailable`. On SQLite, the time it waits for other writes; on PostgreSQL, the time of each statement, including waiting for locks and connections.',
  }),
  transactionTimeout: integer({
    default: 20,
    min: 1,
    max: 3600,
    about:
      'Seconds a transaction may wait for anything but the database, such as in a hook that calls another service, before it is rolled back with 503 `execution_timeout`. In all, between its statements, it may wait five times as long.',
  }),
  seedTimeout: integer({
    default: 600,
    min: 1,
    max: 86_400,
    about:
      'Seconds a seed or a data migration may run without a statement before it is rolled back and the start fails.',
  }),
})

/** The address of the database, or the path of the file in the data folder. */
export const databasePlace = (config: Config): string =>
  config.get(databaseSettings).url || join(config.get(appSettings).dataDir, 'plinth.db')

export const corsSettings = defineSettings('app.cors', {
  allowedOrigins: list(origin(), {
    default: [],
    about: 'CORS: origins that may call the service with user credentials.',
  }),
})

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The settings below `app.log`. */
export const logSettings = defineSettings('app.log', {
  level: choice(logLevels, { default: 'info', about: 'The minimum level of log messages.' }),
})

export const loggerSettings = defineSettings('app.log.levels', {
  '<logger>': choice(logLevels, { about: 'The level of one logger, such as `http`, `mail` or `store`.' }),
})

export const telemetrySettings = defineSettings('app.telemetry', {
  endpoint: webAddress({
    default: '',
    about: 'The OTLP/HTTP endpoint for traces and metrics, such as `http://localhost:4318`. If empty, nothing is sent.',
  }),
  intervalSeconds: integer({ default: 60, min: 1, max: 3600, about: 'The interval at which metrics are sent.' }),
})

export const jobSettings = defineSettings('app.jobs', {
  enabled: boolean({ default: true, about: 'Whether this instance runs scheduled jobs.' }),
  timeout: integer({
    default: 3600,
    min: 1,
    max: 2_000_000,
    about: 'Seconds a run of a job may take before it has failed, unless the job has a timeout of its own.',
  }),
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
