// Every management endpoint, one row each.

import { boolean } from '../../core/model/fields.ts'
import type { Json } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { createKeys, hasSignedInRecently, recentMinutes } from '../auth/index.ts'
import { auditQuery, listAuditEvents } from './audit-events.ts'
import { appInfo, createHealth, createInfo } from './health.ts'
import { jobEndpoints } from './jobs.ts'
import { levelWords, listLoggers, readLevel, showLogger } from './loggers.ts'
import {
  defineManagement,
  type ManagementAnswer,
  type ManagementEndpoint,
  namedPart,
  root,
  type Viewing,
} from './management-endpoint.ts'
import { halType } from './media-types.ts'
import { allMetrics } from './metrics.ts'
import { createHeapDumps, dumpThreads, heapDumpType, managementSettings } from './process.ts'
import { systemProperties, toConfigProps, toEnvironment, visibleSettings } from './settings.ts'
import * as shapes from './shapes.ts'
import { toAutoconfig, toBeans, toMappings } from './structure.ts'

const binary = { type: 'string', format: 'binary' } as const

/** `{name: value}`; 404 when there is none. */
const oneOf = (viewing: Viewing, values: Readonly<Record<string, Json>>): ManagementAnswer => {
  const name = namedPart(viewing, known => Object.hasOwn(values, known))
  if (name === null) throw new Problem('not_found')
  return { value: { [name]: values[name] ?? null } }
}

type Linked = Pick<ManagementEndpoint, 'path' | 'mediaTypes'>

const showLinks = (endpoints: readonly Linked[], { request: { base }, mediaType }: Viewing): ManagementAnswer => {
  const links = [{ path: '' }, ...endpoints].map(({ path, mediaTypes }: Linked) => ({
    rel: path.slice(1) || 'self',
    href: base + root + path,
    mediaTypes,
  }))
  if (mediaType !== halType) return { value: { links: links.map(({ rel, href }) => ({ rel, href })) } }
  // Where the target does not speak HAL, the link says what it speaks.
  const toLink = ({ href, mediaTypes: [type] = [] }: (typeof links)[number]): Json => (type ? { href, type } : { href })
  return { value: { _links: Object.fromEntries(links.map(link => [link.rel, toLink(link)])) } }
}

const structure: readonly ManagementEndpoint[] = [
  {
    path: '/autoconfig',
    id: 'getAutoconfig',
    summary: 'Read which modules and features are enabled or disabled, and why',
    shape: shapes.autoconfig,
    run: ({ service }) => ({ value: toAutoconfig(service) }),
  },
  {
    path: '/beans',
    id: 'getBeans',
    summary: 'List modules, resources and stores, and what they depend on',
    shape: shapes.beans,
    run: ({ service }) => ({ value: toBeans(service) }),
  },
  {
    path: '/mappings',
    id: 'getMappings',
    summary: 'List every route',
    shape: shapes.mappings,
    run: ({ service }) => ({ value: toMappings(service) }),
  },
]

const settings: readonly ManagementEndpoint[] = [
  {
    path: '/configprops',
    id: 'getConfigProps',
    summary: 'List the settings by prefix, without secrets',
    shape: shapes.properties,
    run: ({ service }) => ({ value: toConfigProps(service.config) }),
  },
  {
    path: '/env',
    id: 'getEnvironment',
    summary: 'List the settings by source, without secrets',
    shape: shapes.environment,
    run: ({ service }) => ({ value: toEnvironment(service.config) }),
  },
  {
    path: '/env/{name}',
    id: 'getEnvironmentValue',
    summary: 'Read one setting',
    params: { name: 'The name of the setting.' },
    shape: shapes.values,
    run: viewing => {
      const known = visibleSettings(viewing.service.config).map(({ name, value }) => [name, value])
      return oneOf(viewing, { ...systemProperties(), ...Object.fromEntries(known) })
    },
  },
]

const loggers: readonly ManagementEndpoint[] = [
  {
    path: '/loggers',
    id: 'getLoggers',
    summary: 'List the loggers and their levels',
    shape: shapes.loggers,
    run: ({ service }) => ({ value: listLoggers(service.logs) }),
  },
  {
    path: '/loggers/{name}',
    id: 'getLogger',
    summary: 'Read the level of a logger',
    params: { name: 'The logger; may end in `.json`.' },
    shape: shapes.logger,
    run: viewing => ({ value: showLogger(viewing.service.logs, loggerIn(viewing)) }),
  },
  {
    method: 'POST',
    path: '/loggers/{name}',
    id: 'setLogger',
    summary: 'Change the level of a logger',
    description: 'Null resets the logger to the root level.',
    params: { name: 'The logger; may end in `.json`.' },
    body: {
      type: 'object',
      properties: { configuredLevel: { type: ['string', 'null'], description: `One of ${levelWords.join(', ')}.` } },
      required: ['configuredLevel'],
    },
    shape: shapes.logger,
    problems: [400, 413, 415],
    audit: 'LOG_LEVEL_CHANGED',
    run: viewing => {
      const { logs } = viewing.service
      const name = loggerIn(viewing)
      logs.setLevel(name, readLevel(viewing.request))
      return { value: showLogger(logs, name) }
    },
  },
]

const loggerIn = (viewing: Viewing): string => {
  const names = new Set(viewing.service.logs.list().map(one => one.name))
  const name = namedPart(viewing, known => names.has(known))
  if (name === null) throw new Problem('not_found')
  return name
}

/** Programs that collect metrics need an API key for nothing else. */
export const metricsScope = 'metrics'

const metrics: readonly ManagementEndpoint[] = [
  {
    path: '/metrics',
    id: 'getMetrics',
    summary: 'List the metrics',
    shape: shapes.metrics,
    polled: true,
    keyScope: metricsScope,
    run: async ({ service }) => ({ value: await allMetrics(service) }),
  },
  {
    path: '/metrics/{name}',
    id: 'getMetric',
    summary: 'Read a metric',
    params: { name: 'The name of the metric; may end in `.json`.' },
    shape: shapes.metrics,
    polled: true,
    keyScope: metricsScope,
    run: async viewing => oneOf(viewing, await allMetrics(viewing.service)),
  },
  {
    path: '/prometheus',
    id: 'getPrometheusMetrics',
    summary: 'Read the metrics in the Prometheus text format',
    shape: { type: 'string' },
    mediaTypes: ['text/plain'],
    hasTwin: false,
    polled: true,
    keyScope: metricsScope,
    run: async ({ service: { observed } }) => {
      const { registry } = observed.meters
      const headers = { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }
      return { response: { status: 200, headers, body: await registry.metrics() } }
    },
  },
]

const showTrace = ({ service: { observed } }: Viewing): ManagementAnswer => ({
  value: observed.recent.list().map(({ at, id, method, path, status, ms, callerPk, remoteAddress, headers }) => ({
    timestamp: at.getTime(),
    info: {
      method,
      path,
      timeTaken: Math.round(ms * 10) / 10,
      requestId: id,
      remoteAddress,
      principal: callerPk,
      headers: { request: headers, response: { status: status.toString() } },
    },
  })),
})

const activity: readonly ManagementEndpoint[] = [
  defineManagement({
    path: '/auditevents',
    id: 'getAuditEvents',
    summary: 'Read the audit log',
    description: 'The newest 1000 matching events, oldest first.',
    query: auditQuery,
    shape: shapes.auditTrail,
    problems: [400],
    run: async viewing => ({ value: await listAuditEvents(viewing) }),
  }),
  {
    path: '/dump',
    id: 'getThreads',
    summary: 'Read a thread dump',
    shape: shapes.threads,
    run: async () => ({ value: await dumpThreads() }),
  },
  {
    path: '/trace',
    id: 'getTrace',
    summary: 'List the last 100 requests, newest first',
    shape: shapes.trace,
    run: showTrace,
  },
]

/** Memory holds more than any other endpoint shows: a session that was left open is not enough. */
const heapDump = ({ config, platform }: Service): ManagementEndpoint => {
  const dumps = createHeapDumps()
  const keys = createKeys(platform.store, config)
  return defineManagement({
    path: '/heapdump',
    id: 'getHeapDump',
    summary: 'Download a V8 heap snapshot',
    description:
      'Requires `app.management.heapdump` and a recent sign-in. The service does not respond while the snapshot is taken.',
    query: { live: boolean({ default: false, about: 'Run the garbage collector first.' }) },
    shape: binary,
    problems: [429],
    mediaTypes: [heapDumpType],
    audit: 'HEAP_DUMPED',
    run: async ({ request, service, caller, query: { live } }) => {
      if (!config.get(managementSettings).heapdump) throw new Problem('not_found')
      if (!(await hasSignedInRecently(platform.store, caller, platform.clock())))
        throw new Problem('forbidden', `The last sign-in was more than ${recentMinutes} minutes ago. Sign in again.`)
      const name = `heapdump-${service.platform.clock().toISOString().replace(/[:.]/g, '-')}.heapsnapshot`
      const headers = {
        'Content-Type': heapDumpType,
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      }
      if (request.method === 'HEAD') return { response: { status: 200, headers } }
      const body = dumps.take({ live, secrets: [...config.secrets, await keys.tokens(), await keys.seals()] })
      if (body === null)
        throw new Problem('too_many_requests', {
          detail: 'Another snapshot is in progress.',
          headers: { 'Retry-After': '10' },
        })
      return { response: { status: 200, headers, body } }
    },
  })
}

const condition = (service: Service): readonly ManagementEndpoint[] => {
  const health = createHealth(service)
  const info = createInfo(service)
  return [
    {
      path: '/health',
      id: 'getHealth',
      summary: 'Check the health of the service',
      shape: shapes.health,
      also: { 503: 'The service is down.' },
      open: true,
      polled: true,
      isEssential: true,
      run: async ({ seesAll }) => {
        const report = await health()
        const status = report.status === 'DOWN' ? 503 : 200
        return { status, value: seesAll ? report : { status: report.status } }
      },
    },
    {
      path: '/health/liveness',
      id: 'getLiveness',
      summary: 'Check whether the process responds',
      description: 'Examines nothing else: restarting the process does not help against a database that is down.',
      shape: shapes.health,
      open: true,
      polled: true,
      isEssential: true,
      run: () => ({ value: { status: 'UP' } }),
    },
    {
      path: '/health/readiness',
      id: 'getReadiness',
      summary: 'Check whether the service can take requests',
      description: 'As `health`; also down while the service stops.',
      shape: shapes.health,
      also: { 503: 'The service is down or stopping.' },
      open: true,
      polled: true,
      isEssential: true,
      run: async () => {
        const isUp = !service.closing.aborted && (await health()).status !== 'DOWN'
        return isUp ? { value: { status: 'UP' } } : { status: 503, value: { status: 'DOWN' } }
      },
    },
    {
      path: '/info',
      id: 'getInfo',
      summary: 'Read the build information',
      shape: shapes.info,
      open: true,
      run: ({ seesAll }) => ({ value: seesAll ? info() : appInfo(service) }),
    },
  ]
}

export const managementEndpoints = (service: Service): readonly ManagementEndpoint[] => {
  const below = [
    ...activity,
    ...jobEndpoints,
    ...structure,
    ...settings,
    ...loggers,
    ...metrics,
    ...condition(service),
    heapDump(service),
  ]
  const isOff = (path: string): boolean => path === '/heapdump' && !service.config.get(managementSettings).heapdump
  const linked = below
    .filter(({ path, method = 'GET' }) => method === 'GET' && !path.includes('{') && !isOff(path))
    .sort((left, right) => (left.path < right.path ? -1 : 1))
  const links: ManagementEndpoint = {
    path: '',
    id: 'getManagement',
    summary: 'List the management endpoints',
    shape: shapes.links,
    run: viewing => showLinks(linked, viewing),
  }
  return [links, ...below]
}
