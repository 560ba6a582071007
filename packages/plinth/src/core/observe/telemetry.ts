// Traces and metrics for a collector that speaks OTLP. Its libraries are loaded only when one is configured.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Attributes, Meter, Span } from '@opentelemetry/api'
import type { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Observation, Observe, Place, Request } from '../http/exchange.ts'
import type { Around } from '../http/options.ts'

type Api = typeof import('@opentelemetry/api')

export interface TelemetryOptions {
  /** The address where the collector listens, without `/v1/traces`. */
  readonly endpoint: string
  readonly intervalSeconds: number
  readonly version: string
  readonly warn: (message: string) => void
}

export interface Telemetry {
  readonly around: Around
  readonly observe: Observe
  /** Sends what is left. */
  stop(): Promise<void>
}

const scope = 'plinth'

export const startTelemetry = async (options: TelemetryOptions): Promise<Telemetry> => {
  const api = await import('@opentelemetry/api')
  const quiet = () => {}
  const warn = (message: string) => options.warn(message)
  api.diag.setLogger({ error: warn, warn, info: quiet, debug: quiet, verbose: quiet }, api.DiagLogLevel.WARN)
  const traces = await createTraces(options)
  const metrics = await createMetrics(options)
  traces.register()
  const stopPassingOn = passOn(api)
  const spans = createSpans(api)
  const measure = createMeasure(metrics.getMeter(scope))
  return {
    around: spans.around,
    observe: done => {
      spans.end(done)
      measure(done)
    },
    stop: async () => {
      stopPassingOn()
      // A collector that is gone must not delay the shutdown; the failure has been logged.
      await Promise.allSettled([traces.shutdown(), metrics.shutdown()])
      api.trace.disable()
      api.context.disable()
      api.propagation.disable()
      api.diag.disable()
    },
  }
}

const createResource = async (version: string) => {
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  return resourceFromAttributes({ 'service.name': scope, 'service.version': version })
}

const createTraces = async ({ endpoint, version }: TelemetryOptions) => {
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const resource = await createResource(version)
  return new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
}

const createMetrics = async ({ endpoint, version, intervalSeconds }: TelemetryOptions): Promise<MeterProvider> => {
  const { MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics')
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http')
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }),
    exportIntervalMillis: intervalSeconds * 1000,
    exportTimeoutMillis: Math.min(intervalSeconds, 30) * 1000,
  })
  return new MeterProvider({ resource: await createResource(version), readers: [reader] })
}

/** The names of the semantic conventions for HTTP. Neither query nor headers: they may hold secrets. */
const attributesOf = (request: Request, route: Place | null): Attributes => ({
  'http.request.method': request.method,
  'url.path': request.path,
  'url.scheme': request.base.slice(0, request.base.indexOf(':')),
  'client.address': request.remoteAddress,
  'plinth.request.id': request.id,
  ...(route && { 'http.route': route.path }),
})

const createSpans = ({ context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }: Api) => {
  const tracer = trace.getTracer(scope)
  const open = new WeakMap<Request, Span>()
  const around: Around = (request, route, exchange) => {
    const parent = propagation.extract(ROOT_CONTEXT, request.headers)
    const name = route ? `${request.method} ${route.path}` : request.method
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: attributesOf(request, route) }, parent)
    open.set(request, span)
    return context.with(trace.setSpan(parent, span), exchange)
  }
  const end = ({ request, status }: Observation): void => {
    const span = open.get(request)
    span?.setAttribute('http.response.status_code', status)
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  return { around, end }
}

const createMeasure = (meter: Meter): Observe => {
  const durations = meter.createHistogram('http.server.request.duration', { unit: 's' })
  const memory = meter.createObservableUpDownCounter('process.memory.usage', { unit: 'By' })
  memory.addCallback(result => result.observe(process.memoryUsage.rss()))
  const heap = meter.createObservableUpDownCounter('v8js.memory.heap.used', { unit: 'By' })
  heap.addCallback(result => result.observe(process.memoryUsage().heapUsed))
  const uptime = meter.createObservableGauge('process.uptime', { unit: 's' })
  uptime.addCallback(result => result.observe(process.uptime()))
  return ({ request, route, status, ms }) =>
    durations.record(ms / 1000, {
      'http.request.method': request.method,
      'http.response.status_code': status,
      ...(route && { 'http.route': route.path }),
    })
}

interface OutgoingRequest {
  addHeader(name: string, value: string): void
}

/** Requests that the service itself makes by `fetch` carry the trace on (Node tells of them on this channel). */
const passOn = ({ context, propagation }: Api): (() => void) => {
  const channel = 'undici:request:create'
  const add = (message: unknown): void => {
    const { request } = message as { readonly request: OutgoingRequest }
    const headers: Record<string, string> = {}
    propagation.inject(context.active(), headers)
    for (const [name, value] of Object.entries(headers)) request.addHeader(name, value)
  }
  subscribe(channel, add)
  return () => void unsubscribe(channel, add)
}
