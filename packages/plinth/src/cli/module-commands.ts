// The commands that modules declare.

import type { Command } from 'commander'
import { type CodeContext, createCodeContexts } from '../core/model/code-context.ts'
import type { CommandContext } from '../core/module.ts'
import { askPassword } from './ask-password.ts'
import { CommandError } from './explain.ts'
import { runUntilStopped } from './stop.ts'
import { type CommandScope, print, withApp } from './with-app.ts'

const contextOf = (
  scope: CommandScope,
  { settings, log }: CodeContext,
  options: CommandContext['options'],
): CommandContext => ({
  ...{ config: scope.config(), settings, log },
  options,
  print,
  printProgress: line => console.error(line),
  withPlatform: work =>
    withApp(scope, async app => {
      await app.prepare()
      await work(app.platform)
    }),
  withPlatformAsIs: work => withApp(scope, app => work(app.platform, app.service)),
  askPassword: () => askPassword('Password (empty to have one generated): '),
  runUntilStopped,
})

type Run = (context: CommandContext) => Promise<void>

/** Runs a command with a log of its own, beside that of the service that it may open. */
const runCommand = async (scope: CommandScope, module: string, options: CommandContext['options'], run: Run) => {
  const { logsFor } = await import('../app/observation.ts')
  const logs = logsFor(scope.config(), 'stderr')
  try {
    await run(contextOf(scope, createCodeContexts(scope.config().get, logs)(module), options))
  } finally {
    await logs.flush()
  }
}

/** Commands by their names; `admin create` is one of the command `admin`, which comes before it. */
export const addModuleCommands = (program: Command, scope: CommandScope): void => {
  const known = new Map<string, Command>([['', program]])
  const all = scope.app.modules.flatMap(({ name: module, commands = [] }) => commands.map(one => ({ ...one, module })))
  for (const { module, name, about, arguments: args = [], options = [], run } of all) {
    const words = name.split(' ')
    const command = known.get(words.slice(0, -1).join(' '))?.command(words.at(-1) ?? '')
    if (!command) throw new CommandError(`The command '${name}' has no group; declare it first.`)
    known.set(name, command.description(about))
    for (const one of args) command.argument(one.name, one.about ?? '')
    for (const one of options) command.option(one.name, one.about)
    if (run)
      command.action((...values) =>
        runCommand(scope, module, command.opts(), context =>
          run(context, ...values.slice(0, args.length).map(toArgument)),
        ),
      )
  }
}

const toArgument = (values: unknown): string | undefined => (typeof values === 'string' ? values : undefined)
