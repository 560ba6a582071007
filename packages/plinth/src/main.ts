// The command line. The service is loaded when a command runs it, so that help and mistakes are answered at once.

import { writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { Command, CommanderError } from 'commander'
import { allModules } from './app/modules.ts'
import type { App } from './app.ts'
import { askPassword } from './cli/ask-password.ts'
import { explain } from './cli/explain.ts'
import { runUntilStopped } from './cli/stop.ts'
import { type Config, loadConfig, readArguments, settings } from './config.ts'
import type { CommandContext } from './core/command.ts'
import { inLanguage } from './core/model/words.ts'
import { version } from './version.ts'

const loadApp = () => import('./app.ts')

const print = (...lines: readonly string[]): void => console.log(lines.join('\n'))

/**
 * Starts the collection of old garbage when it fills a fifth of the room that V8 gives it, which is half a gigabyte at first. Under
 * a flood of requests that wait, memory would otherwise grow to that before anything is freed.
 */
const collectGarbageEarly = (): void => setFlagsFromString('--incremental-marking-hard-trigger=20')

const start = async (config: Config): Promise<void> => {
  collectGarbageEarly()
  const { createApp } = await loadApp()
  const app = await createApp(config)
  runUntilStopped(app)
  try {
    const address = await app.listen()
    const greeting = await app.greeting(process.stdout.isTTY ? 'terminal' : 'log')
    print(...['', `Plinth ${version} is ready at ${address}`, ...greeting, ''].map(line => `  ${line}`.trimEnd()))
  } catch (error) {
    await app.close()
    throw error
  }
}

const withApp = async (config: Config, work: (app: App) => Promise<void>): Promise<void> => {
  const { createApp } = await loadApp()
  // Standard output is for what the command was asked for.
  const app = await createApp(config, { logTo: 'stderr' })
  try {
    await work(app)
  } finally {
    await app.close()
  }
}

const writeOpenapi = async (app: App, file: string | undefined): Promise<void> => {
  const text = JSON.stringify(await app.openapi(), null, 2)
  if (file === undefined) return print(text)
  await writeFile(file, `${text}\n`)
  print(`The OpenAPI document is in ${file}`)
}

const settingLines = (): string[] =>
  [...settings].flatMap(([name, { type, options }]) => {
    const usual = String(options.default ?? '')
    return [
      `${name} (${type.name}${usual && `, default ${usual}`})`,
      `    ${inLanguage(options.about ?? '', 'en').replaceAll('`', '')}`,
    ]
  })

const contextOf = (config: Config): CommandContext => ({
  config,
  print,
  printProgress: line => console.error(line),
  withPlatform: work =>
    withApp(config, async app => {
      await app.prepare()
      await work(app.platform)
    }),
  askPassword: () => askPassword('Password (empty to have one generated): '),
  runUntilStopped,
})

/** Commands by their names; `admin create` is one of the command `admin`, which comes before it. */
const addModuleCommands = (program: Command, config: () => Config): void => {
  const known = new Map<string, Command>([['', program]])
  for (const { name, about, arguments: args = [], run } of allModules.flatMap(({ commands = [] }) => commands)) {
    const words = name.split(' ')
    const command = known.get(words.slice(0, -1).join(' '))?.command(words.at(-1) ?? '')
    if (!command) throw new Error(`The command '${name}' has no group; declare it before.`)
    known.set(name, command.description(about))
    for (const one of args) command.argument(one.name, one.about ?? '')
    if (run) command.action((...given) => run(contextOf(config()), ...given.slice(0, args.length).map(toArgument)))
  }
}

const toArgument = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined)

const createProgram = (configure: (file: string | undefined) => Config): Command => {
  const program = new Command('plinth')
  const config = () => configure(program.opts<{ config?: string }>().config)
  program
    .description('A platform service: declare a resource in one file, get storage and a complete HTTP interface.')
    .version(version, '--version', 'print the version')
    .option('--config <file>', 'read settings from this .yml, .yaml or .properties file')
    .addHelpText(
      'after',
      '\nEvery setting can be given as an option: --server.port=9000. `plinth settings` lists them.',
    )
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  program
    .command('start')
    .description('run the service until it is stopped')
    .action(() => start(config()))
  program
    .command('migrate')
    .description('migrate the database to the model')
    .option('--plan', 'only print the plan')
    .action(({ plan }: { plan?: true }) =>
      withApp(config(), async app => print(plan ? await app.planMigration() : await app.migrate())),
    )
  program
    .command('openapi')
    .description('print the OpenAPI document of the service')
    .option('--out <file>', 'write it to this file instead')
    .action(({ out }: { out?: string }) => withApp(config(), app => writeOpenapi(app, out)))
  addModuleCommands(program, config)
  program
    .command('settings')
    .description('list every setting: name, type, default, meaning')
    .action(() => print(...settingLines()))
  return program
}

/** The exit code: 0 done or running, 1 failed, 2 not understood. */
const run = async (args: readonly string[]): Promise<number> => {
  const { overrides, rest } = readArguments(args)
  let config: Config | undefined
  const program = createProgram(file => {
    config = loadConfig({ overrides, file })
    for (const warning of config.warnings) console.error(`Note: ${warning}`)
    return config
  })
  try {
    await program.parseAsync(rest, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has said what is wrong; asking for help or the version is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    console.error(explain(error, config))
    return 1
  }
}

const code = await run(process.argv.slice(2))
// A failed start may leave connections open that would keep the process alive.
if (code !== 0) process.exit(code)
