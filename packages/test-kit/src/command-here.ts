// The command line in this process: starting another one takes longer than most commands.

import { Readable } from 'node:stream'
import { vi } from 'vitest'
import platform from '../../../plinth.config.ts'
import { runCommandLine } from '../../plinth/src/cli/command-line.ts'

export interface CommandOutcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** `input` is what the command reads from standard input. It replaces the standard streams, so only one command runs at a time. */
export const runHere = async (args: readonly string[], input = ''): Promise<CommandOutcome> => {
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
