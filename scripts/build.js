// `npm run build`: builds all packages, and the application of this repository. The web client is built beside the others, because
// it needs none of them.

import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** What a build prints comes in one piece, when it is over. */
const run = (command, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' })
    const printed = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', piece => printed.push(piece))
    child.once('error', reject)
    child.once('close', code => {
      process.stdout.write(Buffer.concat(printed))
      if (code === 0) resolve()
      else reject(new Error(`${[command, ...args].join(' ')} ended with ${code}`))
    })
  })

const build = workspace => run('npm', ['run', '--silent', 'build', '--workspace', workspace])

const buildOthers = async () => {
  // Modules are built against the types of plinth.
  for (const workspace of ['plinth', '@plinth/client', 'create-plinth', '@plinth/membership', '@plinth/rental'])
    await build(workspace)
}

try {
  await Promise.all([build('@plinth/web'), buildOthers()])
  await run(process.execPath, ['packages/plinth/bin/plinth.js', 'build'])
  await run('npm', ['run', '--silent', 'sbom'])
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
