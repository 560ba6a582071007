// `plinth doctor`: prints the findings.

import type { Command, CommandContext } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { examineDatabase, examineMachine, findingOf, type NamedFinding } from './examine.ts'

const examine = async ({ config, print, options, withPlatformAsIs }: CommandContext): Promise<number> => {
  let errors = 0
  const report = ({ check, level, explanation, remedy }: NamedFinding): void => {
    if (level === 'error') errors += 1
    print(`${level.padEnd(7)}  ${check}: ${explanation}`, ...(remedy ? [`         Remedy: ${remedy}`] : []))
  }
  for await (const finding of examineMachine(config)) report(finding)
  try {
    await withPlatformAsIs(async ({ store }, service) => {
      await store.ping()
      if (options.repair === true) await store.repairSearch()
      for await (const finding of examineDatabase(service)) report(finding)
    })
  } catch (cause) {
    report({ check: 'database', ...(await findingOf(cause, config)) })
  }
  return errors
}

export const doctorCommands: readonly Command[] = [
  {
    name: 'doctor',
    about: 'check settings, data folder, database, files, e-mail and backups, with a remedy for what is wrong',
    options: [{ name: '--repair', about: 'first build the search indexes again, while no service runs' }],
    run: async context => {
      const errors = await examine(context)
      if (errors === 1) throw new Problem('conflict', '1 of the findings is an error.')
      if (errors > 1) throw new Problem('conflict', `${errors} of the findings are errors.`)
    },
  },
]
