// Builds the parts of this repository whose build is missing or older than their source; `npm start` runs it first.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const toPackage = (name, folder, result, ...sources) => ({
  name,
  tool: result.endsWith('.html') ? 'vite' : 'esbuild',
  result: join('packages', folder, result),
  sources: ['src', ...sources].map(source => join('packages', folder, source)),
  command: ['npm', 'run', '--silent', result.endsWith('.html') ? 'build' : 'build:js', '--workspace', name],
})

const builds = [
  toPackage('plinth', 'plinth', 'dist/main.js'),
  toPackage('@plinth/rental', 'rental', 'dist/index.js'),
  toPackage('@plinth/membership', 'membership', 'dist/index.js'),
  toPackage('plinth-web', 'web', 'dist/index.html', 'index.html', 'vite.config.ts'),
  {
    name: 'the application',
    tool: 'esbuild',
    result: 'dist/plinth.config.js',
    sources: ['plinth.config.ts'],
    command: [process.execPath, 'packages/plinth/bin/plinth.js', 'build'],
  },
]

/** The time of the last change to a file or to anything in a folder; the folder's own time changes with removed files. */
const changed = path => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map(name => changed(join(path, name))))
}

const isMissing = ({ result }) => !existsSync(join(root, result))

const isStale = build => {
  if (isMissing(build)) return true
  const built = statSync(join(root, build.result)).mtimeMs
  return build.sources.some(source => changed(join(root, source)) > built)
}

// A checkout without development dependencies (npm ci --omit=dev) runs as built.
const canBuild = ({ tool }) => existsSync(join(root, 'node_modules', tool))

for (const { name, command } of builds.filter(canBuild).filter(isStale)) {
  console.error(`Building ${name} …`)
  const [program, ...args] = command
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) continue
  console.error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${name} could not be built.`)
  process.exit(1)
}

const missing = builds.filter(isMissing)
for (const { name, result } of missing)
  console.error(
    `Not built: ${name}. ${result} is missing. Run \`npm ci && npm run build\` first, with the development dependencies.`,
  )
// The service runs without its web client.
if (missing.some(({ tool }) => tool !== 'vite')) process.exit(1)
