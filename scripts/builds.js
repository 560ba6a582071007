// The parts of this repository that are built, and whether they are older than their sources. In JavaScript: a checkout without
// development dependencies runs it too.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeLock } from './lock.js'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const npm = (script, workspace) => ['npm', 'run', '--silent', script, '--workspace', workspace]

const toProgram = (name, folder, result) => ({
  name,
  tool: 'esbuild',
  result: join('packages', folder, result),
  sources: [join('packages', folder, 'src')],
  command: npm('build:js', name),
})

const toTypes = (name, folder) => ({
  name: `the types of ${name}`,
  tool: 'typescript-native',
  result: join('packages', folder, 'dist/types/index.d.ts'),
  sources: [join('packages', folder, 'src')],
  command: npm('build:types', name),
})

const programs = [
  toProgram('plinth', 'plinth', 'dist/main.js'),
  toProgram('@plinth/rental', 'rental', 'dist/index.js'),
  toProgram('@plinth/membership', 'membership', 'dist/index.js'),
]

/** The pages that a module brings to the web client. */
const toPages = (name, source, result) => ({
  name: `the pages of ${name}`,
  tool: 'esbuild',
  result: join('packages', result),
  sources: [join('packages', source)],
  command: npm('build:web', name),
})

const standardModules = join(root, 'packages/plinth/src/modules')

const withPages = existsSync(standardModules)
  ? readdirSync(standardModules).filter(name => existsSync(join(standardModules, name, 'web')))
  : []

const pages = [
  ...withPages.map(name => toPages('plinth', `plinth/src/modules/${name}/web`, `plinth/dist/web/${name}/index.js`)),
  toPages('@plinth/rental', 'rental/web', 'rental/dist/web/index.js'),
  toPages('@plinth/membership', 'membership/web', 'membership/dist/web/index.js'),
]

const webClient = {
  name: '@plinth/web',
  tool: 'vite',
  result: 'packages/web/dist/index.html',
  sources: ['packages/web/src', 'packages/client/src', 'packages/web/index.html', 'packages/web/vite.config.ts'],
  command: npm('build:js', '@plinth/web'),
}

const application = {
  name: 'the application',
  tool: 'esbuild',
  result: 'dist/plinth.config.js',
  // The pages of its modules are bundled for the files of the web client.
  sources: ['plinth.config.ts', webClient.result, ...pages.map(({ result }) => result)],
  command: [process.execPath, 'packages/plinth/bin/plinth.js', 'build'],
}

/** What the service of this repository needs. */
export const serviceBuilds = [...programs, ...pages, webClient, application]

const plinthTypes = toTypes('plinth', 'plinth')

/** What the packages contain that applications install. Modules are built against the types of plinth, so these come first. */
export const packageBuilds = [
  ...programs,
  ...pages,
  plinthTypes,
  toTypes('@plinth/rental', 'rental'),
  toTypes('@plinth/membership', 'membership'),
  {
    name: '@plinth/client',
    tool: 'esbuild',
    result: 'packages/client/dist/index.d.ts',
    sources: ['packages/client/src'],
    command: npm('build', '@plinth/client'),
  },
  {
    name: 'the types of @plinth/web',
    tool: 'typescript-native',
    result: 'packages/web/lib/kit.d.ts',
    sources: ['packages/web/src', 'packages/client/src'],
    command: npm('build:types', '@plinth/web'),
  },
  {
    name: 'create-plinth',
    tool: 'esbuild',
    result: 'packages/create-plinth/dist/main.js',
    sources: ['packages/create-plinth/src'],
    command: npm('build', 'create-plinth'),
  },
  webClient,
]

/** The documentation site. `packages/plinth/api.md` changes with the declarations from which its last pages are made. */
export const site = {
  name: 'the documentation',
  tool: 'vitepress',
  result: 'packages/docs/dist/index.html',
  /** Its last pages are made from them. */
  needs: [plinthTypes],
  sources: [
    'docs',
    ...['config.ts', 'sidebar.ts', 'theme'].map(name => `packages/docs/.vitepress/${name}`),
    'packages/plinth/api.md',
  ],
}

/** The time of the last change to a file or to anything in a folder; the folder's own time changes with removed files. */
const changed = path => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // Written by the build of the site.
  const names = readdirSync(path).filter(name => join(path, name) !== join(root, 'docs/api'))
  return Math.max(stats.mtimeMs, ...names.map(name => changed(join(path, name))))
}

export const isMissing = ({ result }) => !existsSync(join(root, result))

export const isStale = build => {
  if (isMissing(build)) return true
  const built = statSync(join(root, build.result)).mtimeMs
  return build.sources.some(source => existsSync(join(root, source)) && changed(join(root, source)) > built)
}

/** A checkout without development dependencies (`npm ci --omit=dev`) runs as built. */
export const canBuild = ({ tool }) => existsSync(join(root, 'node_modules', tool))

/** Those that are stale, one after the other. The process ends when one fails. */
export const buildStale = builds => {
  for (const build of builds.filter(canBuild).filter(isStale)) withLock(() => isStale(build) && run(build))
}

const lock = join(root, 'node_modules/.cache/build.lock')

/** Another process may have built it by then. */
const withLock = work => {
  while (!takeLock(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

const run = ({ name, command }) => {
  console.error(`Building ${name} …`)
  const [program, ...args] = command
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    // Compressed files are for slow lines, and take longer than all the rest.
    env: { ...process.env, BUILD_UNCOMPRESSED: 'true' },
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  console.error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${name} could not be built.`)
  process.exit(1)
}
