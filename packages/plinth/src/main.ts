// The program `plinth`.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import { commandIn, runCommandLine } from './cli/command-line.ts'
import { standBy } from './cli/standby.ts'
import { errorCode } from './core/problem.ts'

const args = await standBy(process.argv.slice(2))

// Variables that are set already keep their values. `dev` leaves the file to the services that it starts, since it may change.
try {
  if (existsSync('.env') && commandIn(args) !== 'dev') loadEnvFile('.env')
} catch {
  console.error(`${resolve('.env')} cannot be read: it must be a file with lines NAME=value that this user may read.`)
  process.exit(1)
}

// A reader that has seen enough, such as `head`, closes the output: nothing is left to do. A service ends as after any other error.
if (!['start', 'dev'].includes(commandIn(args) ?? ''))
  process.stdout.on('error', error => {
    if (errorCode(error) !== 'EPIPE') throw error
    process.exit()
  })

const code = await runCommandLine(args)
// A failed start may leave connections open that would keep the process alive.
if (code !== 0) process.exit(code)
