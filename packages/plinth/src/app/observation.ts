// What the service tells of itself, as configured: logs, and telemetry where an endpoint is configured.

import { loadPackages } from '../core/config/optional-packages.ts'
import { loggerSettings, logSettings, telemetrySettings } from '../core/config/service-settings.ts'
import type { Config } from '../core/config/settings.ts'
import { every } from '../core/guarded.ts'
import type { Request } from '../core/http/exchange.ts'
import type { Logger } from '../core/log/logger.ts'
import { createLogs, type LogSink, type Logs } from '../core/log/logs.ts'
import { startTelemetry, type Telemetry } from '../core/observe/telemetry.ts'
import { isUnavailable, type Problem } from '../core/problem.ts'
import type { MigrationPlan } from '../core/store/migrate/plan.ts'
import { version } from '../version.ts'

export const logsFor = (config: Config, sink: LogSink): Logs => {
  const { level } = config.get(logSettings)
  return createLogs({
    level,
    levels: Object.fromEntries(
      config.named(loggerSettings).map(({ parts, values }) => [parts.logger, values['<logger>'] ?? level]),
    ),
    secrets: config.secrets,
    sink,
  })
}

const telemetryPackages = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace-node',
]

export const telemetryFor = async (config: Config, logs: Logs): Promise<Telemetry | null> => {
  const endpoint = config.get(telemetrySettings).endpoint
  if (endpoint === '') return null
  const log = logs.named('telemetry')
  const warn = (message: string) => log.warn(message)
  const { intervalSeconds } = config.get(telemetrySettings)
  return loadPackages({ setting: 'app.telemetry.endpoint', names: telemetryPackages }, () =>
    startTelemetry({ endpoint, intervalSeconds, version, warn }),
  )
}

/** One line for what a start changed in the database, and one for what it found there and does not know. */
export const logMigration = (log: Logger, plan: MigrationPlan, version: string): void => {
  const { steps, builds = [], leftAlone, unavailable, hints = [], allowed = [] } = plan
  if (steps.length > 0) log.info({ version, steps: steps.map(({ why }) => why) }, 'database migrated')
  if (builds.length > 0)
    log.info(
      { indexes: builds.map(({ why }) => why) },
      'building indexes in the background; searches work without them',
    )
  if (allowed.length > 0) log.warn({ allowed }, 'an older model was allowed to start')
  if (unavailable) log.warn({ unavailable }, 'not available in the database; some searches are slower')
  if (hints.length > 0) log.warn({ hints }, 'renamed in the model, but not in the database?')
  if (leftAlone.length > 0) log.warn({ leftAlone }, 'not in the model, ignored in the database')
}

// The log of requests that failed. A failure of the service is logged with its stack. An outage, such as a database that is
// away, fails every request alike: the first is logged in one line, and those that follow are counted.

/** How often the requests of an outage are summed up. */
const summaryMs = 10_000

export const createFailureLog = (log: Logger, closing: AbortSignal) => {
  const outages = new Outages(log)
  closing.addEventListener('abort', () => outages.sumUp(), { once: true })
  return (error: unknown, { id, method, path }: Request): void => {
    const request = { requestId: id, method, path }
    if (isUnavailable(error)) outages.add(error, request)
    else log.error({ err: error, ...request }, 'failed')
  }
}

class Outages {
  readonly #log: Logger
  /** The number of requests since the last line, by the reason of the line. */
  readonly #counts = new Map<string, number>()
  #stop: (() => Promise<void>) | null = null

  constructor(log: Logger) {
    this.#log = log
  }

  add(problem: Problem, request: object): void {
    const reason = problem.message
    const count = this.#counts.get(reason)
    this.#counts.set(reason, (count ?? -1) + 1)
    if (count !== undefined) return
    this.#log.warn({ ...request, reason, cause: rootMessageOf(problem) }, 'unavailable')
    this.#stop ??= every(summaryMs, { name: 'summarising an outage', log: this.#log }, () => this.sumUp())
  }

  /** An outage without further requests is over. */
  sumUp(): void {
    for (const [reason, count] of this.#counts) if (count === 0) this.#counts.delete(reason)
    if (this.#counts.size === 0) {
      void this.#stop?.()
      this.#stop = null
      return
    }
    this.#log.warn({ requests: Object.fromEntries(this.#counts) }, 'still unavailable')
    for (const reason of this.#counts.keys()) this.#counts.set(reason, 0)
  }
}

const rootMessageOf = (error: Error): string =>
  error.cause instanceof Error ? rootMessageOf(error.cause) : error.message
