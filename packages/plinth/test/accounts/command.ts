// The command line as a process of its own, or in this one.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import platform from '../../../../plinth.config.ts'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { runsAll } from '../support/extent.ts'

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const launcher = fileURLToPath(new URL('../../bin/plinth.js', import.meta.url))
const checkout = fileURLToPath(new URL('../../../..', import.meta.url))

/** What a process prints, and the code with which it ends. */
export const outcomeOf = (child: ChildProcessWithoutNullStreams): Promise<Outcome> =>
  new Promise((resolve, reject) => {
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

/** Runs a command with the given standard input. */
export const plinth = (args: readonly string[], input: string): Promise<Outcome> => {
  const child = spawn(process.execPath, [launcher, `--app=${checkout}`, ...args], { stdio: 'pipe' })
  child.stdin.end(input)
  return outcomeOf(child)
}

/** The same in this process in `npm test`: to start another one costs more than the command. */
export const plinthHere = async (args: readonly string[], input: string): Promise<Outcome> => {
  if (runsAll) return plinth(args, input)
  const written = { out: '', err: '' }
  const collect = (to: 'out' | 'err') => (text: unknown) => {
    written[to] += String(text)
    return true
  }
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin),
    vi.spyOn(process.stdout, 'write').mockImplementation(collect('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(collect('err')),
    vi.spyOn(console, 'log').mockImplementation(text => void collect('out')(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation(text => void collect('err')(`${text}\n`)),
  ]
  try {
    return { code: await runCommandLine(args, platform), ...written }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
