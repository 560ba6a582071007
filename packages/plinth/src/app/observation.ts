// What the service tells of itself, as configured: logs, and telemetry where an endpoint is configured.

import type { Logger } from 'pino'
import { loggerSettings, logSettings, telemetrySettings } from '../core/config/service-settings.ts'
import type { Config } from '../core/config/settings.ts'
import { createLogs, type LogSink, type Logs } from '../core/log/logs.ts'
import { startTelemetry, type Telemetry } from '../core/observe/telemetry.ts'
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

export const telemetryFor = async (config: Config, logs: Logs): Promise<Telemetry | null> => {
  const endpoint = config.get(telemetrySettings).endpoint
  if (endpoint === '') return null
  const log = logs.named('telemetry')
  const warn = (message: string) => log.warn(message)
  return startTelemetry({ endpoint, intervalSeconds: config.get(telemetrySettings).intervalSeconds, version, warn })
}

/** One line for what a start changed in the database, and one for what it found there and does not know. */
export const logMigration = (log: Logger, plan: MigrationPlan, version: string): void => {
  const { steps, leftAlone, unavailable, hints = [] } = plan
  if (steps.length > 0) log.info({ version, steps: steps.map(({ why }) => why) }, 'database migrated')
  if (unavailable) log.warn({ unavailable }, 'not available in the database; some searches are slower')
  if (hints.length > 0) log.warn({ hints }, 'renamed in the model, but not in the database?')
  if (leftAlone.length > 0) log.warn({ leftAlone }, 'not in the model, ignored in the database')
}
