// The command line. It reads the application first, whose modules have commands and settings of their own.

import { relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Argument, Command, CommanderError, Option } from 'commander'
import { builtClient } from '../app/built-client.ts'
import { isLanguageCode, mergedTexts, readClientTexts } from '../app/client-options.ts'
import { type AppDefinition, defineApp, modulesFor } from '../app/define-app.ts'
import { pageSources } from '../app/pages/page-sources.ts'
import { type Config, loadConfig, readArguments, settingsOf } from '../config.ts'
import { settingText } from '../core/config/fields.ts'
import { inLanguage } from '../core/model/words.ts'
import { version } from '../version.ts'
import {
  fetchOpenapi,
  formatNames,
  type OpenapiOptions,
  type TypesOptions,
  writeOpenapi,
  writeTypes,
} from './api-description.ts'
import { builtApp, findApp, findSource, folderOf, hasApp, loadApp, needsPages, pagesFolderOf } from './app-file.ts'
import { buildApp, buildPages } from './build-app.ts'
import { runConsole } from './console.ts'
import { runDev } from './dev.ts'
import { CommandError, explain } from './explain.ts'
import { generate, generatedParts, isGeneratedPart } from './generate.ts'
import { languageTexts, writeLanguage } from './language.ts'
import { addModuleCommands } from './module-commands.ts'
import { awaitTurn, isUnderDev, reportPages, reportStarted } from './standby.ts'
import { runUntilStopped } from './stop.ts'
import { addTraceCommand } from './trace.ts'
import { typeErrorsIn } from './type-check.ts'
import { type CommandScope, loadService, print, type StartOptions, withApp } from './with-app.ts'

/**
 * Starts the collection of old garbage when it fills a fifth of the room that V8 gives it, which is half a gigabyte at first. Under
 * a flood of requests that wait, memory would otherwise grow to that before anything is freed.
 */
const collectGarbageEarly = (): void => setFlagsFromString('--incremental-marking-hard-trigger=20')

const start = async (scope: CommandScope, { allowOlder }: StartOptions): Promise<void> => {
  const { app: definition, folder: appFolder, pagesFolder, needsPages = false, config } = scope
  const { createApp } = await loadService()
  if (isUnderDev()) reportPages(pageSources(definition.modules))
  else if (needsPages && pagesFolder !== undefined) await buildPages(definition, pagesFolder)
  // Developers go back and forth between states of their model.
  const allowsOlder = allowOlder === true || isUnderDev()
  const app = await createApp(definition, config(), {
    appFolder,
    pagesFolder,
    allowsOlder,
    isDevelopment: isUnderDev(),
  })
  runUntilStopped(app)
  try {
    if (isUnderDev()) await app.checkMigration()
    await awaitTurn()
    const address = await app.listen()
    collectGarbageEarly()
    reportStarted()
    const greeting = await app.greeting(process.stdout.isTTY ? 'terminal' : 'log')
    print(...['', `Plinth ${version} is ready at ${address}`, ...greeting, ''].map(line => `  ${line}`.trimEnd()))
  } catch (error) {
    await app.close()
    throw error
  }
}

interface PrintOptions extends TypesOptions {
  readonly from?: string
}

const printTypes = async (scope: CommandScope, { from, ...options }: PrintOptions): Promise<void> => {
  if (from !== undefined) return print(await writeTypes(await fetchOpenapi(from), options))
  await withApp(scope, async app => print(await writeTypes(await app.openapi(), options, scope.app)))
}

const printLanguage = async (scope: CommandScope, code: string): Promise<void> => {
  if (!isLanguageCode(code)) throw new CommandError(`'${code}' is not the code of a language, such as fr or pt-BR.`)
  await withApp(scope, async ({ platform: { registry } }) => {
    const modules = modulesFor(scope.app, scope.config())
    const { textsOfPages } = await import('../app/pages/page-texts.ts')
    const client = mergedTexts(readClientTexts(builtClient), await textsOfPages(pageSources(modules)))
    const present = scope.app.languages[code]
    const texts = languageTexts(code, { client, resources: registry.resources, modules, present })
    print(...(await writeLanguage(scope.folder, code, texts)))
  })
}

const settingLines = (app: AppDefinition): string[] =>
  [...settingsOf(app)].flatMap(([name, { type, options }]) => {
    const usual = settingText(type, options.default)
    const own = app.settings[name]
    const ofApp = own === undefined ? '' : `, ${own} in this application`
    return [
      `${name} (${type.name}${usual && `, default ${usual}`}${ofApp})`,
      `    ${inLanguage(options.about ?? '', 'en').replaceAll('`', '')}`,
    ]
  })

const createProgram = (): Command =>
  new Command('plinth')
    .description('Declare resources in TypeScript, get storage and a complete HTTP interface.')
    .version(version, '--version', 'print the version')
    .option('--app <path>', 'the folder of the application, or its configuration file')
    .option('--config <file>', 'read settings from this .yml, .yaml or .properties file')
    .addHelpText('after', '\nPass any setting as an option: --server.port=9000. Run `plinth settings` to list them.')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()

const addDevelopmentCommands = (program: Command, place: string, args: readonly string[]): void => {
  program
    .command('dev')
    .description('run the application from its source, and start it again when a file changes')
    .option('--inspect [address]', 'let a debugger attach to the service, at 127.0.0.1:9229 unless given')
    .option('--no-types', 'do not check types beside the service')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(({ types }: { types: boolean }) =>
      runDev(sourceIn(place), without(without(args, 'dev'), '--no-types'), { checksTypes: types }),
    )
  program
    .command('build')
    .description(`build the application to ${builtApp}, for start, with the pages of its modules`)
    .option('--no-types', 'do not check types')
    .action(async ({ types }: { types: boolean }) => {
      const source = sourceIn(place)
      const [file, errors] = await Promise.all([buildApp(source), types ? typeErrorsIn(source) : ''])
      if (errors !== '')
        throw new CommandError(`${errors}\n\nThe types have errors. \`--no-types\` builds nevertheless.`)
      print(`The application is in ${relative(process.cwd(), file)}`)
    })
  program
    .command('generate')
    .description('write the file of a resource, endpoint, job, module or page, and add it to its list')
    .addArgument(new Argument('<part>', generatedParts.join(', ')).choices(generatedParts))
    .argument('<name>', 'such as send-reminder')
    .option('--module <name>', 'the module that gets it, if there are several')
    .action(async (part: string, name: string, { module }: { module?: string }) => {
      if (isGeneratedPart(part)) print(...(await generate(sourceIn(place), { part, name, module })))
    })
}

const without = (args: readonly string[], word: string): readonly string[] => {
  const at = args.indexOf(word)
  return at < 0 ? args : args.toSpliced(at, 1)
}

/** Throws when there is none. */
const sourceIn = (place: string): string => findSource(place) ?? findApp(place, { prefersBuilt: false })

const allowOlderOption = () =>
  new Option('--allow-older', 'start although a newer version of the model has used the database')

const addServiceCommands = (program: Command, scope: CommandScope): void => {
  program
    .command('start')
    .description('run the service')
    .addOption(allowOlderOption())
    .action((options: StartOptions) => start(scope, options))
  program
    .command('migrate')
    .description('migrate the database to the model')
    .option('--plan', 'only print the plan: steps, locks and expected durations')
    .option(
      '--contract',
      'also drop former names and apply data migrations that wait until no instance of an earlier version runs',
    )
    .addOption(allowOlderOption())
    .action(({ plan, contract, ...options }: StartOptions & { plan?: true; contract?: true }) =>
      withApp(
        scope,
        async app => {
          const choice = { contracts: contract === true }
          print(await (plan ? app.planMigration(choice) : app.migrate(choice)))
        },
        options,
      ),
    )
  program
    .command('openapi')
    .description('print the OpenAPI document')
    .option('--only <names>', 'only these resources and modules, separated by commas')
    .addOption(new Option('--format <name>', 'only bodies and answers in this format').choices(formatNames))
    .option('--out <file>', 'write it to this file instead')
    .action((options: OpenapiOptions) =>
      withApp(scope, async app => print(await writeOpenapi(await app.openapi(), scope.app, options))),
    )
  program
    .command('types')
    .description('print the types of the service for @plinth/client')
    .option(
      '--out <file>',
      'write them to this file instead; a file that is no .d.ts also gets the routes of endpoints',
    )
    .option('--only <names>', 'only these resources and modules, separated by commas')
    .option('--from <address>', 'of the running service at this address')
    .action((options: PrintOptions) => printTypes(scope, options))
  program
    .command('language')
    .description('write the texts of a language to languages/<code>.json, to be translated')
    .argument('<code>', 'such as fr')
    .action((code: string) => printLanguage(scope, code))
  program
    .command('console')
    .description('work with records interactively, without permissions')
    .action(() =>
      withApp(scope, async app => {
        await app.prepare()
        await runConsole(app)
      }),
    )
  addTraceCommand(program, { print, withApp: (work, tracing) => withApp(scope, work, { tracing }) })
  addModuleCommands(program, scope)
  program
    .command('settings')
    .description('list all settings with type, default and description')
    .action(() => print(...settingLines(scope.app)))
}

/** The commands of an application, for their documentation: it reads no settings and runs nothing. */
export const createCommandLine = (app: AppDefinition): Command => {
  const program = createProgram()
  addDevelopmentCommands(program, '.', [])
  addServiceCommands(program, { app, folder: '.', config: () => loadConfig(app) })
  return program
}

/** Takes `--app <path>` out of the arguments: which commands there are depends on it. */
const takePlace = (args: readonly string[]): { readonly place: string; readonly args: readonly string[] } => {
  const at = args.findIndex(arg => arg === '--app' || arg.startsWith('--app='))
  const [option, next] = args.slice(at, at + 2)
  if (at < 0 || option === undefined) return { place: '.', args }
  if (option !== '--app') return { place: option.slice('--app='.length), args: args.toSpliced(at, 1) }
  if (next === undefined)
    throw new CommandError('--app takes the folder of the application, or its configuration file.')
  return { place: next, args: args.toSpliced(at, 2) }
}

/** The word that names the command: the first argument that is neither an option nor the value of one. */
export const commandIn = (args: readonly string[]): string | undefined =>
  args.find((arg, at) => !arg.startsWith('-') && !['--app', '--config'].includes(args[at - 1] ?? ''))

/** The commands that work on the source, which may be broken. */
const sourceCommands: readonly string[] = ['dev', 'build', 'generate']

/** Help lists the commands of the standard modules, and the types of a running service are read from it. */
const isOfEveryApp = (command: string | undefined, args: readonly string[]): boolean =>
  command === undefined ||
  command === 'help' ||
  args.some(arg => arg === '--help' || arg === '-h') ||
  (command === 'types' && args.some(arg => arg === '--from' || arg.startsWith('--from=')))

type AppInFolder = Pick<CommandScope, 'app' | 'folder' | 'pagesFolder' | 'needsPages'>

/** Returns undefined for commands that need none: those that work on the source, and the version. */
const appFor = async (place: string, args: readonly string[]): Promise<AppInFolder | undefined> => {
  const command = commandIn(args)
  if (args.includes('--version') || (command !== undefined && sourceCommands.includes(command))) return undefined
  if (isOfEveryApp(command, args) && !hasApp(place)) return { app: defineApp({ name: 'Plinth' }), folder: '.' }
  const file = findApp(place, { prefersBuilt: command === 'start' })
  return {
    app: await loadApp(file),
    folder: folderOf(file),
    pagesFolder: pagesFolderOf(file),
    needsPages: needsPages(file),
  }
}

/** The exit code: 0 done or running, 1 failed, 2 not understood. `app` is read from its file unless given. */
export const runCommandLine = async (allArgs: readonly string[], app?: AppDefinition): Promise<number> => {
  let config: Config | undefined
  try {
    const { place, args } = takePlace(allArgs)
    const program = createProgram()
    addDevelopmentCommands(program, place, args)
    const found = app ? { app, folder: '.' } : await appFor(place, args)
    if (!found) {
      await program.parseAsync(args, { from: 'user' })
      return 0
    }
    const { overrides, rest } = readArguments(found.app, args)
    const configure = (): Config => {
      const file = program.opts<{ config?: string }>().config
      if (config) return config
      config = loadConfig(found.app, { overrides, file })
      for (const warning of config.warnings) console.error(`Note: ${warning}`)
      return config
    }
    addServiceCommands(program, { ...found, config: configure })
    await program.parseAsync(rest, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has said what is wrong; asking for help or the version is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    console.error(explain(error, config))
    return 1
  }
}
