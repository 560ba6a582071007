// Runs the checks of the doctor, one after the other.

import { databasePlace } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { errorMessage } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { diagnose } from '../../core/store/databases.ts'
import { newestBackup } from '../backup/index.ts'
import { machineChecks } from './checks.ts'
import { databaseChecks } from './database-checks.ts'
import { error, type Finding } from './finding.ts'

export interface NamedFinding extends Finding {
  readonly check: string
}

/** A check that fails is a finding too, and the others go on. */
const attempt = async (
  config: Config,
  check: string,
  run: () => Promise<readonly Finding[]>,
): Promise<readonly NamedFinding[]> => {
  const findings = await run().catch(async cause => [await findingOf(cause, config)])
  return findings.map(finding => ({ check, ...finding }))
}

export async function* examineMachine(config: Config): AsyncGenerator<NamedFinding> {
  for (const { name, run } of machineChecks) yield* await attempt(config, name, () => run(config))
}

export async function* examineDatabase(service: Service, isBrief = false): AsyncGenerator<NamedFinding> {
  for (const { name, run, isSlow } of databaseChecks)
    if (!isBrief || !isSlow) yield* await attempt(service.config, name, () => run(service))
}

/** A trouble of the database has a remedy; other errors have their message. */
export const findingOf = async (cause: unknown, config: Config): Promise<Finding> => {
  const trouble = diagnose(cause, databasePlace(config))
  if (!trouble) return error(`The check failed: ${errorMessage(cause)}`, 'See the message, and the log of the service.')
  const backup = trouble.isDamage ? await newestBackup(config, null).catch(() => null) : null
  const newest = backup ? ` The newest one: \`plinth restore ${backup.name}\`.` : ''
  return error(trouble.explanation, trouble.remedy + newest)
}
