// `npm start`: the service of this repository in demo mode. The documentation site is built beside it when it is missing or older
// than its pages, in a process that ends with this one.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { canBuild, isStale, root, site } from './builds.js'

if (canBuild(site) && isStale(site)) {
  // With a channel, the process sees when this one is gone. In a group of its own, it ends together with the programs that it runs.
  const build = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=plinth-source', 'packages/docs/build-site.ts', '--idle'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: process.platform !== 'win32',
    },
  )
  build.unref()
  process.once('exit', () => {
    if (build.exitCode === null && build.pid) process.kill(process.platform === 'win32' ? build.pid : -build.pid)
  })
}

const launcher = join(root, 'packages/plinth/bin/plinth.js')
process.argv = [process.execPath, launcher, 'start', '--app.demo=true', ...process.argv.slice(2)]
await import(pathToFileURL(launcher).href)
