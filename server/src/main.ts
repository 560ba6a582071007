// The command line. Commands load the service when they run, so that help and mistakes are answered at once.

import { writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { Command, CommanderError } from 'commander'
import type { App } from './app.ts'
import { askPassword } from './ask-password.ts'
import { type Config, loadConfig, readArguments, settings } from './config.ts'
import { Problem } from './core/problem.ts'
import { explain } from './explain.ts'
import { runUntilStopped } from './stop.ts'
import { version } from './version.ts'

const loadApp = () => import('./app.ts')
const loadAccounts = () => import('./modules/accounts/index.ts')
const loadMembership = () => import('./modules/membership/index.ts')

const print = (lines: readonly string[]): void => console.log(lines.join('\n'))

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
    print(['', `Plinth ${version} is ready at ${address}`, ...greeting, ''].map(line => `  ${line}`.trimEnd()))
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
  if (file === undefined) return print([text])
  await writeFile(file, `${text}\n`)
  print([`The OpenAPI document is in ${file}`])
}

const settingLines = (): string[] =>
  Object.entries(settings).flatMap(([name, setting]) => {
    const usual = 'default' in setting ? String(setting.default) : ''
    return [
      `${name} (${setting.is.type}${usual && `, default ${usual}`})`,
      `    ${setting.meaning.replaceAll('`', '')}`,
    ]
  })

const runNode = async (config: Config, name: string | undefined): Promise<void> => {
  const { startNode } = await loadMembership()
  const node = await startNode(config, name)
  runUntilStopped(node)
  print([`Node ${node.name} (${node.party}) is ready at ${node.address}`])
}

const checkNode = async (config: Config, name: string | undefined): Promise<void> => {
  const { verifyNode } = await loadMembership()
  const { node, states, memberships, faults } = await verifyNode(config, name)
  print([`Node ${node}: ${states} states, ${memberships} memberships.`, ...faults.map(fault => `- ${fault}`)])
  if (faults.length > 0) throw new Problem('conflict', `What node ${node} keeps is not sound.`)
  print(['All of them are sound.'])
}

const addNodeCommands = (program: Command, config: () => Config): void => {
  const node = program
    .command('node')
    .description('run a membership node as a process of its own, until it is told to stop')
    .argument('[name]', 'which of app.nodes; may be left out when there is one only')
    .action((name?: string) => runNode(config(), name))
  node
    .command('entry')
    .description('print what the network map of others must say of a node')
    .argument('[name]')
    .action(async (name?: string) => {
      const { nodeEntry } = await loadMembership()
      print([JSON.stringify(await nodeEntry(config(), name))])
    })
  node
    .command('verify')
    .description('check every signature and link in what a node keeps')
    .argument('[name]')
    .action((name?: string) => checkNode(config(), name))
}

const createAdmin = (app: App, username: string, email: string): Promise<void> =>
  withPassword(app, async password => {
    const { createAdministrator } = await loadAccounts()
    await createAdministrator(app.platform, { username, email, password }, { trace: { by: 'command line' } })
    return `${username} is an administrator now.`
  })

const resetAdmin = (app: App, username: string): Promise<void> =>
  withPassword(app, async password => {
    const { resetPassword } = await loadAccounts()
    await resetPassword(app.platform, username, password)
    return `${username} has a new password, and is signed out everywhere.`
  })

const resetSecondFactor = async (app: App, username: string): Promise<void> => {
  await app.prepare()
  const { removeSecondFactor } = await loadAccounts()
  await removeSecondFactor(app.platform, username)
  print([`${username} signs in with the password alone, and is signed out everywhere.`])
}

const withPassword = async (app: App, work: (password: string) => Promise<string>): Promise<void> => {
  await app.prepare()
  const { password, isMade } = await askPassword('Password (empty to have one made): ')
  print([await work(password), ...(isMade ? [`The password: ${password}`] : [])])
}

const addAdminCommands = (program: Command, config: () => Config): void => {
  const admin = program.command('admin').description('administrators, for whoever holds the machine')
  const password = 'the password is typed, or read from a pipe'
  admin
    .command('create')
    .description(`make an administrator; ${password}`)
    .argument('<username>')
    .argument('<email>')
    .action((username: string, email: string) => withApp(config(), app => createAdmin(app, username, email)))
  admin
    .command('reset-password')
    .description(`give a user a new password; ${password}`)
    .argument('<username>')
    .action((username: string) => withApp(config(), app => resetAdmin(app, username)))
  admin
    .command('reset-second-factor')
    .description('take away the second factor of a user who has lost it')
    .argument('<username>')
    .action((username: string) => withApp(config(), app => resetSecondFactor(app, username)))
}

const addKeyCommands = (program: Command, config: () => Config): void => {
  program
    .command('keys')
    .description('the keys that the service has generated')
    .command('move')
    .description('move them from the database to files in the data folder, for all instances that share it')
    .action(() => withApp(config(), app => moveGeneratedKeys(app, config())))
}

const moveGeneratedKeys = async (app: App, config: Config): Promise<void> => {
  await app.prepare()
  const { moveKeys } = await loadAccounts()
  const files = await moveKeys(app.platform.store, config)
  if (files.length === 0) return print(['There are no keys in the database.'])
  print(['Moved. Every instance needs these files in its data folder, and a restart:', ...files])
}

const importCatalogue = async (app: App, file: string): Promise<void> => {
  if (!app.platform.registry.has('films')) throw new Problem('conflict', 'The rental module is off: see app.modules.')
  await app.prepare()
  const { importFilms } = await import('./modules/rental/index.ts')
  const counts = await importFilms(app.platform, { file, tell: line => console.error(line) })
  const { created, changed, unchanged, refused } = counts
  print([`${created} films are new, ${changed} have changed, ${unchanged} are as they were, ${refused} were refused.`])
  if (refused > 0) throw new Problem('invalid', 'Not all rows could be taken.')
}

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
    .description('run the service until it is told to stop')
    .action(() => start(config()))
  program
    .command('migrate')
    .description('bring the database to the model')
    .option('--plan', 'only print what would be done')
    .action(({ plan }: { plan?: true }) =>
      withApp(config(), async app => print([plan ? await app.planMigration() : await app.migrate()])),
    )
  program
    .command('openapi')
    .description('print the OpenAPI document of the service')
    .option('--out <file>', 'write it to this file instead')
    .action(({ out }: { out?: string }) => withApp(config(), app => writeOpenapi(app, out)))
  addNodeCommands(program, config)
  addAdminCommands(program, config)
  addKeyCommands(program, config)
  program
    .command('import')
    .description('take in records from a file')
    .command('films')
    .description('films with their actors, categories and copies, from a CSV file')
    .argument('<file>')
    .action((file: string) => withApp(config(), app => importCatalogue(app, file)))
  program
    .command('settings')
    .description('list every setting: name, type, default, meaning')
    .action(() => print(settingLines()))
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
