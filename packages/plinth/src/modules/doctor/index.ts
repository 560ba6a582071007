// The doctor looks for what is wrong with an installation, and says what to do about it: on the command line and in management.

import { databasePlace } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { choice, text } from '../../core/model/fields.ts'
import { defineShape, list, object } from '../../core/model/shape.ts'
import { type Command, type CommandContext, defineModule } from '../../core/module.ts'
import { errorMessage, Problem } from '../../core/problem.ts'
import { defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { administrator } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { diagnose } from '../../core/store/databases.ts'
import { newestBackup } from '../backup/index.ts'
import { databaseChecks, error, type Finding, machineChecks } from './checks.ts'

interface NamedFinding extends Finding {
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

/** A trouble of the database has a remedy; other errors have their message. */
const findingOf = async (cause: unknown, config: Config): Promise<Finding> => {
  const trouble = diagnose(cause, databasePlace(config))
  if (!trouble) return error(`The check failed: ${errorMessage(cause)}`, 'See the message, and the log of the service.')
  const backup = trouble.isDamage ? await newestBackup(config, null).catch(() => null) : null
  const newest = backup ? ` The newest one: \`plinth restore ${backup.name}\`.` : ''
  return error(trouble.explanation, trouble.remedy + newest)
}

async function* examineMachine(config: Config): AsyncGenerator<NamedFinding> {
  for (const { name, run } of machineChecks) yield* await attempt(config, name, () => run(config))
}

async function* examineDatabase(service: Service, isBrief = false): AsyncGenerator<NamedFinding> {
  for (const { name, run, isSlow } of databaseChecks)
    if (!isBrief || !isSlow) yield* await attempt(service.config, name, () => run(service))
}

// The command

const examine = async ({ config, print, withPlatformAsIs }: CommandContext): Promise<number> => {
  let errors = 0
  const report = ({ check, level, explanation, remedy }: NamedFinding): void => {
    if (level === 'error') errors += 1
    print(`${level.padEnd(7)}  ${check}: ${explanation}`, ...(remedy ? [`         Remedy: ${remedy}`] : []))
  }
  for await (const finding of examineMachine(config)) report(finding)
  try {
    await withPlatformAsIs(async ({ store }, service) => {
      await store.ping()
      for await (const finding of examineDatabase(service)) report(finding)
    })
  } catch (cause) {
    report({ check: 'database', ...(await findingOf(cause, config)) })
  }
  return errors
}

const doctorCommands: readonly Command[] = [
  {
    name: 'doctor',
    about: 'check settings, data folder, database, files, e-mail and backups, with a remedy for what is wrong',
    run: async context => {
      const errors = await examine(context)
      if (errors === 1) throw new Problem('conflict', '1 of the findings is an error.')
      if (errors > 1) throw new Problem('conflict', `${errors} of the findings are errors.`)
    },
  },
]

// The endpoint

const must = { required: true } as const

const examination = defineShape('Examination', {
  findings: list(
    object({
      check: text(must),
      level: choice(['ok', 'warning', 'error'], must),
      explanation: text(must),
      remedy: text({ about: 'What to do; null when nothing is wrong.' }),
    }),
    must,
  ),
})

const doctorEndpoint = (service: Service): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/api/management/doctor',
    id: 'examineInstallation',
    summary: 'Check the installation',
    description: 'As `plinth doctor`, without the check of every page and reference of the database.',
    access: administrator,
    answers: { 200: examination },
    problems: [401, 403, 406, 503],
    run: async () => {
      const findings: NamedFinding[] = []
      for await (const finding of examineMachine(service.config)) findings.push(finding)
      for await (const finding of examineDatabase(service, true)) findings.push(finding)
      return { findings: findings.map(({ remedy = null, ...finding }) => ({ ...finding, remedy })) }
    },
  })

export const doctor = defineModule({
  name: 'doctor',
  title: { de: 'Prüfung' },
  about: { en: 'Checks of the installation.', de: 'Prüfungen der Installation.' },
  resources: [],
  commands: doctorCommands,
  endpoints: service => [doctorEndpoint(service)],
})
