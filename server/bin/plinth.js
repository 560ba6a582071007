#!/usr/bin/env node
// Starts the built service. In a checkout it builds first whatever is missing or older than its source.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Plinth needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const server = join(dirname(fileURLToPath(import.meta.url)), '..')
const checkout = join(server, '..')

const builds = [
  { workspace: 'server', result: 'server/dist/main.js', sources: ['server/src'] },
  {
    workspace: 'client',
    result: 'client/dist/index.html',
    sources: ['client/src', 'client/index.html', 'client/vite.config.ts'],
  },
]

/** The time of the last change in a file or anywhere below a folder; a folder's own time tells of removed files. */
const changed = path => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map(name => changed(join(path, name))))
}

const isStale = ({ result, sources }) => {
  const path = join(checkout, result)
  return !existsSync(path) || sources.some(source => changed(join(checkout, source)) > statSync(path).mtimeMs)
}

// An installed package has no source.
const stale = existsSync(join(server, 'src')) ? builds.filter(isStale) : []
for (const { workspace } of stale) {
  console.error(`Building the ${workspace} …`)
  const { status, stdout, stderr, error } = spawnSync('npm', ['run', '--silent', 'build', '--workspace', workspace], {
    cwd: checkout,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\nThe ${workspace} could not be built.`)
    process.exit(1)
  }
}

process.setSourceMapsEnabled(true)
await import('../dist/main.js')
