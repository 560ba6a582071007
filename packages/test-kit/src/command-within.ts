// A command of a module, run on the platform of a service that runs in this process.

import type { CommandContext } from '../../plinth/src/core/module.ts'
import { codeContextOf } from './code-context.ts'
import { type App, allModules } from './platform.ts'

/** Returns what the command has printed, which is also in `printed` when it fails. */
export const runWithin = async (
  { platform, service }: App,
  name: string,
  args: readonly string[] = [],
  options: CommandContext['options'] = {},
  printed: string[] = [],
): Promise<string> => {
  const command = allModules.flatMap(({ commands = [] }) => commands).find(one => one.name === name)
  if (!command?.run) throw new Error(`There is no command '${name}'.`)
  const { config } = service
  await command.run(
    {
      config,
      ...codeContextOf(config),
      options,
      print: (...lines) => void printed.push(...lines),
      printProgress: () => {},
      withPlatform: work => work(platform),
      withPlatformAsIs: work => work(platform, service),
      askPassword: () => Promise.reject(new Error('no password is asked for')),
      runUntilStopped: () => {},
    },
    ...args,
  )
  return printed.join('\n')
}
