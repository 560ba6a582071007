// What the service tells of itself, as configured: logs, and telemetry where there is somebody to send it to.

import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { createLogs, type LogSink, type Logs } from '../core/log/logs.ts'
import { startTelemetry, type Telemetry } from '../core/observe/telemetry.ts'
import type { Plan } from '../core/store/migrate/plan.ts'
import { version } from '../version.ts'

export const logsFor = (config: Config, sink: LogSink): Logs =>
  createLogs({
    level: config.get('app.log.level'),
    levels: Object.fromEntries(
      config.named('app.log.levels.<logger>').map(({ parts, value }) => [parts.logger, value]),
    ),
    secrets: config.secrets,
    sink,
  })

export const telemetryFor = async (config: Config, logs: Logs): Promise<Telemetry | null> => {
  const endpoint = config.get('app.telemetry.endpoint')
  if (endpoint === '') return null
  const log = logs.named('telemetry')
  const warn = (message: string) => log.warn(message)
  return startTelemetry({ endpoint, intervalSeconds: config.get('app.telemetry.intervalSeconds'), version, warn })
}

/** One line for what a start changed in the database, and one for what it found there and does not know. */
export const logMigration = (log: Logger, { steps, leftAlone, unavailable }: Plan, version: string): void => {
  if (steps.length > 0) log.info({ version, steps: steps.map(({ why }) => why) }, 'database migrated')
  if (unavailable) log.warn({ unavailable }, 'not available in the database; some searches are slower')
  if (leftAlone.length > 0) log.warn({ leftAlone }, 'not in the model, left alone in the database')
}
