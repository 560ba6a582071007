// Writes a new application and installs its packages, as the command line says.

import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import { type NewAppOptions, readOptions, usage } from './options.ts'
import type { Tarball } from './tarballs.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'
import { writeApp } from './write-app.ts'

const install = (folder: string): boolean =>
  spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }).status === 0

const nextSteps = ({ folder, database, isDemo, installs }: NewAppOptions): string[] => {
  const near = relative(process.cwd(), folder)
  const path = near.length < folder.length ? near : folder
  return [
    ...(path ? [`cd ${path.includes(' ') ? JSON.stringify(path) : path}`] : []),
    ...(installs ? [] : ['npm install']),
    ...(database === 'postgres' ? ['docker compose up -d development-database'] : []),
    ...(isDemo ? [] : ['npx plinth admin create <username> <email>']),
    'npm run dev',
  ]
}

const create = async (options: NewAppOptions): Promise<number> => {
  const files = await writeApp(options)
  console.log(`Wrote ${files.length} files to ${options.folder}`)
  if (options.installs && !install(options.folder)) {
    console.error('The packages could not be installed. Run `npm install` in the folder of the application.')
    return 1
  }
  const steps = nextSteps(options).map(line => `  ${line}`)
  console.log(['', 'Next:', '', ...steps, '', 'Then open http://127.0.0.1:8080/client/', ''].join('\n'))
  return 0
}

/** Packages of Plinth, where the command line names none. They are asked for once it is clear what is to be created. */
type PackageSource = () => Promise<readonly Tarball[]>

const fromRegistry: PackageSource = async () => []

const withPackages = async (options: NewAppOptions, source: PackageSource): Promise<NewAppOptions> =>
  options.tarballs.length > 0 ? options : { ...options, tarballs: await source() }

/** The exit code. */
export const runCreate = async (args: readonly string[], source = fromRegistry): Promise<number> => {
  try {
    const options = await readOptions(args)
    if (options === 'help') console.log(usage)
    else if (options === 'version') console.log(version)
    else return await create(await withPackages(options, source))
    return 0
  } catch (error) {
    // Ctrl+C or Ctrl+D instead of an answer.
    if (error instanceof Error && error.name === 'AbortError') {
      console.error('\nNothing was created.')
      return 130
    }
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    return 2
  }
}
