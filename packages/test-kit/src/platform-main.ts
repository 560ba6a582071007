// The command line with the application of this repository, from its source.

import platform from '../../../plinth.config.ts'
import { runCommandLine } from '../../plinth/src/cli/command-line.ts'

const code = await runCommandLine(process.argv.slice(2), platform)
if (code !== 0) process.exit(code)
