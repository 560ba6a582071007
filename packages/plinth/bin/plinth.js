#!/usr/bin/env node
// Starts the built service. A development checkout is rebuilt first where the build is missing or older than its source.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Plinth needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const plinth = join(dirname(fileURLToPath(import.meta.url)), '..')
const checkout = join(plinth, '../..')

const plinthBuild = {
  workspace: 'plinth',
  folder: plinth,
  tool: 'esbuild',
  result: 'dist/main.js',
  sources: ['src'],
}
const webBuild = {
  workspace: 'plinth-web',
  folder: join(plinth, '../web'),
  tool: 'vite',
  result: 'dist/index.html',
  sources: ['src', 'index.html', 'vite.config.ts'],
}

// An installed package has no sources. A checkout without development dependencies (npm ci --omit=dev) runs as built.
const hasSources = existsSync(join(plinth, 'src'))
const canBuild = ({ tool }) => hasSources && existsSync(join(checkout, 'node_modules', tool))
const isMissing = ({ folder, result }) => !existsSync(join(folder, result))

/** The time of the last change to a file or to anything in a folder; the folder's own time changes with removed files. */
const changed = path => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map(name => changed(join(path, name))))
}

const isStale = build => {
  if (isMissing(build)) return true
  const built = statSync(join(build.folder, build.result)).mtimeMs
  return build.sources.some(source => changed(join(build.folder, source)) > built)
}

for (const { workspace } of [plinthBuild, webBuild].filter(canBuild).filter(isStale)) {
  console.error(`Building ${workspace} …`)
  const { status, stdout, stderr, error } = spawnSync('npm', ['run', '--silent', 'build', '--workspace', workspace], {
    cwd: checkout,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${workspace} could not be built.`)
    process.exit(1)
  }
}

const howToBuild = 'Run `npm ci && npm run build` first, with the development dependencies.'
if (isMissing(plinthBuild)) {
  console.error(`Plinth is not built: packages/plinth/${plinthBuild.result} is missing. ${howToBuild}`)
  process.exit(1)
}
if (hasSources && isMissing(webBuild)) {
  console.error(`The web client is not built: packages/web/${webBuild.result} is missing. ${howToBuild}`)
}

process.setSourceMapsEnabled(true)
await import('../dist/main.js')
