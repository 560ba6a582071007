// What the scripts of this repository have in common on the command line.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { root } from './manifests.ts'

/** A script cannot do its work, for a reason that its user can mend: the message is shown without a stack. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

/** Stops a script that needs what `npm run build` makes. */
export const mustBeBuilt = (...files: readonly string[]): void => {
  const missing = files.find(file => !existsSync(join(root, file)))
  if (missing !== undefined) throw new ScriptError(`${missing} is missing: run \`npm run build\` first.`)
}

type Options = NonNullable<ParseArgsConfig['options']>

interface ScriptArguments<O extends Options> {
  readonly usage: string
  readonly options?: O
  readonly maxArguments?: number
}

/** Reads the arguments; `--help` prints the usage and ends the process, and so does what it does not describe. */
export const readScriptArguments = <const O extends Options>({
  usage,
  options,
  maxArguments = 0,
}: ScriptArguments<O>) => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    const read = parseArgs({ args, allowPositionals: true, options: options ?? ({} as O) })
    if (read.positionals.length <= maxArguments) return read
    console.error(`Unexpected argument '${read.positionals[maxArguments]}'\n\n${usage}`)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
  process.exit(2)
}

/** A program that the script has run: it has printed why it failed. */
const isFailedProgram = (error: unknown): error is Error =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'

export const runScript = async (work: () => Promise<void> | void): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ScriptError || isFailedProgram(error))) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
