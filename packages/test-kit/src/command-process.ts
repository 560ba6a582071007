// The command line as a process of its own, or in this one.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { waitingFor } from '../../plinth/src/testing/waiting.ts'
import { type CommandOutcome, runHere } from './command-here.ts'
import { runsAll } from './extent.ts'

const launcher = fileURLToPath(new URL('../../plinth/bin/plinth.js', import.meta.url))
const checkout = fileURLToPath(new URL('../../..', import.meta.url))

/** What a process prints, and the code with which it ends. */
export const outcomeOf = (child: ChildProcessWithoutNullStreams): Promise<CommandOutcome> => {
  const ended = new Promise<CommandOutcome>((resolve, reject) => {
    let [out, err] = ['', '']
    child.stdout.on('data', piece => {
      out += String(piece)
    })
    child.stderr.on('data', piece => {
      err += String(piece)
    })
    child.once('error', reject)
    child.once('close', code => resolve({ code, out, err }))
  })
  return waitingFor(`${child.spawnargs.slice(2).join(' ')} to end`, ended)
}

/** Runs a command with the given standard input. */
export const plinth = (args: readonly string[], input: string): Promise<CommandOutcome> => {
  const child = spawn(process.execPath, [launcher, `--app=${checkout}`, ...args], { stdio: 'pipe' })
  child.stdin.end(input)
  return outcomeOf(child)
}

/** Runs a command as `plinth` does, but within this process in `npm test`. */
export const plinthHere = (args: readonly string[], input: string): Promise<CommandOutcome> =>
  runsAll ? plinth(args, input) : runHere(args, input)
