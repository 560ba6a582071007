// Numbers of the process and of the endpoints, as the flat map that dashboards know.

import { readdir } from 'node:fs/promises'
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { failureCounts } from '../../core/guarded.ts'
import type { Traffic } from '../../core/http/options.ts'
import type { Meter, Observed } from '../../core/observe/observed.ts'
import type { Service } from '../../core/service.ts'
import { defineManagement } from './management-endpoint.ts'
import { oneOf } from './one-of.ts'
import * as shapes from './shapes.ts'

const kilobytes = (bytes: number): number => Math.round(bytes / 1024)

const memoryMetrics = (): Record<string, number> => {
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
  return {
    mem: kilobytes(rss),
    'mem.free': kilobytes(heapTotal - heapUsed),
    'mem.system.total': kilobytes(totalmem()),
    'mem.system.free': kilobytes(freemem()),
    heap: kilobytes(getHeapStatistics().heap_size_limit),
    'heap.committed': kilobytes(heapTotal),
    'heap.used': kilobytes(heapUsed),
    nonheap: kilobytes(external),
    'nonheap.buffers': kilobytes(arrayBuffers),
  }
}

const processorMetrics = (): Record<string, number> => {
  const { user, system } = process.cpuUsage()
  return {
    processors: availableParallelism(),
    uptime: Math.round(process.uptime() * 1000),
    'systemload.average': loadavg()[0] ?? 0,
    'cpu.user': Math.round(user / 1000),
    'cpu.system': Math.round(system / 1000),
    handles: process.getActiveResourcesInfo().length,
  }
}

/** Linux tells; elsewhere the number is left out. */
const threadMetrics = async (): Promise<Record<string, number>> => {
  try {
    return { threads: (await readdir('/proc/self/task')).length }
  } catch {
    return {}
  }
}

const runtimeMetrics = async ({ process }: Observed): Promise<Record<string, number>> => {
  const { mean, max, p99 } = process.lag()
  const found: Record<string, number> = { 'eventloop.lag': mean, 'eventloop.lag.max': max, 'eventloop.lag.p99': p99 }
  for (const [kind, { count, seconds }] of await process.garbage()) {
    found[`gc.${kind}.count`] = count
    found[`gc.${kind}.time`] = Math.round(seconds * 1000)
  }
  return found
}

/** `/api/rest/films/{pk}` counts for `films`; any other path under its own words. */
const subjectOf = ({ route }: Meter): string => {
  if (route === '') return 'unmapped'
  const resource = /^\/api\/rest\/(\w+)/.exec(route)?.[1]
  return resource ?? (route.slice(1).replaceAll('/', '.').replace(/[{}]/g, '') || 'root')
}

const endpointMetrics = ({ meters }: Observed): Record<string, number> => {
  const found: Record<string, number> = {}
  for (const meter of meters.list()) {
    const subject = subjectOf(meter)
    const counter = `counter.status.${meter.status}.${subject}`
    found[counter] = (found[counter] ?? 0) + meter.count
    found[`gauge.response.${subject}`] = Math.round(meter.last * 10) / 10
  }
  return found
}

/** `the heart-beats of connections` counts as `counter.failure.the-heart-beats-of-connections`. */
const failureMetrics = (): Record<string, number> =>
  Object.fromEntries(
    [...failureCounts()].map(([name, count]) => [`counter.failure.${name.replaceAll(' ', '-')}`, count]),
  )

const trafficMetrics = (traffic: Traffic): Record<string, number> => ({
  'http.connections': traffic.connections,
  'http.requests.waiting': traffic.waitingRequests,
  'http.response.bytes': traffic.responseBytes,
  'http.request.bytes': traffic.bodyBytes,
  'counter.http.connections.refused': traffic.refusedConnections,
  'counter.http.connections.closed': traffic.closedConnections,
})

export const allMetrics = async ({
  observed,
  platform: { store },
  traffic,
}: Service): Promise<Record<string, number>> => ({
  ...memoryMetrics(),
  ...processorMetrics(),
  ...(await threadMetrics()),
  ...(await runtimeMetrics(observed)),
  'store.statements': store.statements,
  'store.slowReads': store.slowReads,
  ...trafficMetrics(traffic()),
  ...endpointMetrics(observed),
  ...failureMetrics(),
})

/** Programs that collect metrics need an API key for nothing else. */
export const metricsScope = 'metrics'

export const metricEndpoints = [
  defineManagement({
    path: '/metrics',
    id: 'getMetrics',
    summary: 'List the metrics',
    shape: shapes.metrics,
    polled: true,
    keyScope: metricsScope,
    run: async ({ service }) => ({ value: await allMetrics(service) }),
  }),
  defineManagement({
    path: '/metrics/{name}',
    id: 'getMetric',
    summary: 'Read a metric',
    params: { name: 'The name of the metric; may end in `.json`.' },
    shape: shapes.metrics,
    polled: true,
    keyScope: metricsScope,
    run: async viewing => oneOf(viewing, await allMetrics(viewing.service)),
  }),
  defineManagement({
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
  }),
] as const
