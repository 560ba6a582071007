// The program `plinth`.

import { runCommandLine } from './cli/command-line.ts'

const code = await runCommandLine(process.argv.slice(2))
// A failed start may leave connections open that would keep the process alive.
if (code !== 0) process.exit(code)
