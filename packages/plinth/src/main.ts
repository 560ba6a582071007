// The program `plinth`.

import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { runCommandLine } from './cli/command-line.ts'

// Variables that are set already keep their values.
if (existsSync('.env')) loadEnvFile('.env')

const code = await runCommandLine(process.argv.slice(2))
// A failed start may leave connections open that would keep the process alive.
if (code !== 0) process.exit(code)
