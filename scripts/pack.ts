// `npm run pack`: the packages of this repository as tarballs, as they are published. All packages have one version: that of the
// repository, or the given one. The documentation site is built here, since only the package needs it.
//
// Each package is put together in a temporary folder, since its own folder has more than is published: sources, old chunks of the
// build, and development settings.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mustBeBuilt, readScriptArguments, runScript } from './command.ts'
import { reachableDeclarations } from './declarations.ts'
import { type Manifest, publishedManifest, root } from './manifests.ts'
import { precompress } from './precompress.ts'

interface PublishedPackage {
  readonly folder: string
  /** The files of `dist` that others load: by default those of its `exports`. The files that these import come along. */
  readonly entries?: readonly string[]
  /** Files and folders from elsewhere, by their places in the package. */
  readonly added?: Readonly<Record<string, string>>
  /** The folder with what is built; `dist` unless given. */
  readonly dist?: string
  /** A program is not imported: it has no declarations. */
  readonly isLibrary?: boolean
}

const deployExamples = ['plinth.service', 'nginx.conf', 'Caddyfile', 'kubernetes.yaml', 'prometheus.yml']

const packages: readonly PublishedPackage[] = [
  {
    folder: 'packages/plinth',
    entries: ['main.js', 'index.js', 'module.js', 'testing.js', 'sqlite-reader.js', 'type-check-process.js'],
    added: {
      bin: 'packages/plinth/bin',
      // Applications have a Dockerfile of their own.
      ...Object.fromEntries(deployExamples.map(name => [`deploy/${name}`, `deploy/${name}`])),
      'CHANGELOG.md': 'CHANGELOG.md',
      'dist/client': 'packages/web/dist',
      'dist/docs': 'packages/docs/dist',
    },
  },
  { folder: 'packages/client' },
  { folder: 'packages/web', dist: 'lib' },
  { folder: 'packages/rental' },
  { folder: 'packages/membership' },
  {
    folder: 'packages/create-plinth',
    entries: ['main.js'],
    added: { bin: 'packages/create-plinth/bin', template: 'packages/create-plinth/template' },
    isLibrary: false,
  },
]

/** The file and all files that it imports, from `dist`. */
const reachable = (dist: string, file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found
  found.add(file)
  const text = readFileSync(join(dist, file), 'utf8')
  for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?\s*"\.\/([\w.-]+\.js)"/g))
    reachable(dist, name, found)
  return found
}

/** The paths that `exports` leads to. */
const exportedPaths = (exports: unknown): readonly string[] => {
  if (typeof exports === 'string') return [exports]
  return typeof exports === 'object' && exports !== null ? Object.values(exports).flatMap(exportedPaths) : []
}

/** Every script that `exports` leads to, below the folder with what is built. */
const exportedFiles = (exports: unknown, dist: string): readonly string[] =>
  exportedPaths(exports)
    .filter(path => path.startsWith(`./${dist}/`) && path.endsWith('.js'))
    .map(path => path.slice(`./${dist}/`.length))

/** The declarations that `exports` leads to, below the folder with what is built. */
const exportedTypes = (exports: unknown, dist: string): readonly string[] =>
  exportedPaths(exports)
    .filter(path => path.endsWith('.d.ts'))
    .map(path => path.slice(`./${dist}/`.length))

/** Sources, for editors that follow the maps of declarations and programs. */
const copySources = (folder: string, place: string): void => {
  const from = join(root, folder, 'src')
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' }))
    if (/(?<!\.(test|fixture))\.tsx?$/.test(name)) cpSync(join(from, name), join(place, 'src', name))
}

const stage = (one: PublishedPackage, manifest: Manifest, place: string): void => {
  const { folder, entries, added = {}, dist: built = 'dist', isLibrary = true } = one
  const dist = join(root, folder, built)
  const loaded = entries ?? exportedFiles(manifest.exports, built).filter(file => !file.startsWith('web/'))
  const typed = isLibrary ? exportedTypes(manifest.exports, built) : []
  mustBeBuilt(...[...loaded, ...typed].map(file => join(folder, built, file)))
  mkdirSync(join(place, built), { recursive: true })
  const files = new Set(loaded.flatMap(entry => [...reachable(dist, entry)]))
  for (const file of files)
    for (const name of [file, `${file}.map`].filter(name => existsSync(join(dist, name))))
      cpSync(join(dist, name), join(place, built, name))
  for (const name of reachableDeclarations(dist, typed))
    for (const file of [name, `${name}.map`].filter(file => existsSync(join(dist, file))))
      cpSync(join(dist, file), join(place, built, file))
  // The pages for the web client, all of whose files belong together.
  if (existsSync(join(dist, 'web'))) cpSync(join(dist, 'web'), join(place, built, 'web'), { recursive: true })
  if (isLibrary && built === 'dist') copySources(folder, place)
  for (const [to, from] of Object.entries(added))
    if (existsSync(join(root, from))) cpSync(join(root, from), join(place, to), { recursive: true })
  if (existsSync(join(place, 'deploy'))) adaptExamples(join(place, 'deploy'))
  cpSync(join(root, 'LICENSE'), join(place, 'LICENSE'))
  cpSync(join(root, folder, 'README.md'), join(place, 'README.md'))
}

/** Adapts examples to an application, where the program and its documentation are those of the installed package. */
const adaptExamples = (folder: string): void => {
  for (const file of readdirSync(folder).map(name => join(folder, name))) {
    const text = readFileSync(file, 'utf8')
      .replaceAll('packages/plinth/bin/', 'node_modules/plinth/bin/')
      .replaceAll('docs/operations.md', 'node_modules/plinth/dist/docs/operations.html')
    writeFileSync(file, text)
  }
}

/** The client that `npm start` builds is not compressed. */
const compressClient = async (place: string): Promise<void> => {
  const client = join(place, 'dist/client')
  if (existsSync(join(client, 'index.html')) && !existsSync(join(client, 'index.html.br'))) await precompress(client)
}

interface PackOptions {
  /** The version of all packages; by default that of the repository. */
  readonly version?: string | undefined
  /** Leaves out files for slow lines, for applications on this machine. */
  readonly isLocal?: boolean
}

/** The paths of the tarballs. */
export const packAll = async (target: string, { version, isLocal = false }: PackOptions = {}): Promise<string[]> => {
  mustBeBuilt('packages/web/dist/index.html')
  mkdirSync(target, { recursive: true })
  const tarballs: string[] = []
  for (const one of packages) {
    const place = mkdtempSync(join(tmpdir(), 'plinth-pack-'))
    try {
      const manifest = publishedManifest(one.folder, version)
      stage(one, manifest, place)
      if (!isLocal) await compressClient(place)
      const files = readdirSync(place).sort()
      writeFileSync(join(place, 'package.json'), `${JSON.stringify({ ...manifest, files }, null, 2)}\n`)
      const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
        cwd: place,
        encoding: 'utf8',
        shell: process.platform === 'win32',
      })
      tarballs.push(join(target, packed.trim()))
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  }
  return tarballs
}

const usage = `Usage: npm run pack -- [folder] [version]

Packs all packages of the repository as they are published: into dist unless a folder is given, in the version of the repository
unless another one is given. Run \`npm run build\` first.`

const run = async (): Promise<void> => {
  const { positionals } = readScriptArguments({ usage, maxArguments: 2 })
  const [folder = join(root, 'dist'), version] = positionals
  mustBeBuilt('packages/plinth/dist/main.js', 'packages/plinth/dist/types/index.d.ts')
  execFileSync('npm', ['run', '--silent', 'docs', '--', '--if-stale'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  for (const tarball of await packAll(resolve(folder), { version })) console.log(tarball)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runScript(run)
