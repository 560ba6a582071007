// `plinth doctor` looks for what is wrong with an installation, and says what to do about it.

import { type Command, type CommandContext, defineModule } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { databaseChecks } from './database-checks.ts'
import { error, type Finding } from './finding.ts'
import { machineChecks } from './machine-checks.ts'

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const examine = async ({ config, print, withPlatformAsIs }: CommandContext): Promise<number> => {
  let errors = 0
  const report = (name: string, findings: readonly Finding[]): void => {
    for (const { level, explanation, remedy } of findings) {
      if (level === 'error') errors += 1
      print(`${level.padEnd(7)}  ${name}: ${explanation}`, ...(remedy ? [`         Remedy: ${remedy}`] : []))
    }
  }
  /** A check that fails is a finding too, and the others go on. */
  const attempt = async (name: string, check: () => Promise<readonly Finding[]>): Promise<void> =>
    report(name, await check().catch(cause => [error(`The check failed: ${messageOf(cause)}`, 'See the message.')]))
  for (const { name, run } of machineChecks) await attempt(name, () => run(config))
  try {
    await withPlatformAsIs(async platform => {
      await platform.store.ping()
      for (const { name, run } of databaseChecks) await attempt(name, () => run(platform, config))
    })
  } catch (cause) {
    const remedy = 'Check app.database.url, and that the database runs.'
    report('database', [error(`The database does not answer: ${messageOf(cause)}`, remedy)])
  }
  return errors
}

const doctorCommands: readonly Command[] = [
  {
    name: 'doctor',
    about: 'check settings, data folder, database, files, e-mail and backups, with a remedy for what is wrong',
    run: async context => {
      const errors = await examine(context)
      if (errors > 0) throw new Problem('conflict', `${errors} of the findings are errors.`)
    },
  },
]

export const doctor = defineModule({
  name: 'doctor',
  title: { de: 'Prüfung' },
  about: { en: 'Checks of the installation.', de: 'Prüfungen der Installation.' },
  resources: [],
  commands: doctorCommands,
})
