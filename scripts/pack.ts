// `npm run pack [-- <folder> [version]]`: the packages of this repository as tarballs, as they are published. Run `npm run build`
// first. All packages have one version: that of the repository, or the given one. The documentation site is built here, since only
// the package needs it.
//
// Each package is put together in a temporary folder, since its own folder has more than is published: sources, old chunks of the
// build, and development settings.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Manifest, readManifest, root, withVersion } from './manifests.ts'

const givenVersion = process.argv[3]

interface PublishedPackage {
  readonly folder: string
  /** The files of `dist` that others load: by default those of its `exports`. The files that these import come along. */
  readonly entries?: readonly string[]
  /** Files and folders from elsewhere, by their places in the package. */
  readonly added?: Readonly<Record<string, string>>
  /** The folder of its types below `dist`; null for a program, which is not imported. */
  readonly types?: string | null
}

const packages: readonly PublishedPackage[] = [
  {
    folder: 'packages/plinth',
    entries: ['main.js', 'index.js', 'testing.js', 'sqlite-reader.js'],
    added: { bin: 'packages/plinth/bin', 'dist/client': 'packages/web/dist', 'dist/docs': 'packages/docs/dist' },
  },
  { folder: 'packages/client', types: '.' },
  { folder: 'packages/rental' },
  { folder: 'packages/membership' },
  {
    folder: 'packages/create-plinth',
    entries: ['main.js'],
    added: { bin: 'packages/create-plinth/bin', template: 'packages/create-plinth/template' },
    types: null,
  },
]

/** Without what only this repository needs. */
const publishedManifest = (folder: string): Manifest => {
  const manifest = readManifest(join(root, folder, 'package.json'))
  const { scripts, devDependencies, ...published } = withVersion(manifest, givenVersion ?? manifest.version)
  return { ...published, exports: withoutSources(manifest.exports), files: ['bin', 'dist', 'template'] }
}

const withoutSources = (exports: unknown): unknown => {
  if (typeof exports !== 'object' || exports === null) return exports
  const kept = Object.entries(exports).filter(([condition]) => condition !== 'plinth-source')
  return Object.fromEntries(kept.map(([condition, target]) => [condition, withoutSources(target)]))
}

/** The file and all files that it imports, from `dist`. */
const reachable = (dist: string, file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found
  found.add(file)
  const text = readFileSync(join(dist, file), 'utf8')
  for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?\s*"\.\/([\w.-]+\.js)"/g))
    reachable(dist, name, found)
  return found
}

/** Every file that `exports` leads to. */
const exportedFiles = (exports: unknown): readonly string[] => {
  if (typeof exports === 'string') return /^\.\/dist\/.*\.js$/.test(exports) ? [exports.slice('./dist/'.length)] : []
  return typeof exports === 'object' && exports !== null ? Object.values(exports).flatMap(exportedFiles) : []
}

const stage = ({ folder, entries, added = {}, types = 'types' }: PublishedPackage, place: string): void => {
  const dist = join(root, folder, 'dist')
  const manifest = publishedManifest(folder)
  const loaded = entries ?? exportedFiles(manifest.exports)
  const missing = [...loaded, ...(types === null ? [] : [join(types, 'index.d.ts')])].find(
    entry => !existsSync(join(dist, entry)),
  )
  if (missing) throw new Error(`${folder}/dist/${missing} is missing: run \`npm run build\` first`)
  mkdirSync(join(place, 'dist'), { recursive: true })
  const files = new Set(loaded.flatMap(entry => [...reachable(dist, entry)]))
  for (const file of files)
    for (const name of [file, `${file}.map`].filter(name => existsSync(join(dist, name))))
      cpSync(join(dist, name), join(place, 'dist', name))
  for (const name of types === null ? [] : declarationsIn(join(dist, types)))
    cpSync(join(dist, types ?? '', name), join(place, 'dist', types ?? '', name))
  for (const [to, from] of Object.entries(added)) cpSync(join(root, from), join(place, to), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(place, 'LICENSE'))
  cpSync(join(root, folder, 'README.md'), join(place, 'README.md'))
  writeFileSync(join(place, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

const declarationsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.d.ts'))

// `npm run test:all` builds the site once, before tests pack in parallel.
if (process.env.PACK_BUILT_DOCS !== 'true')
  execFileSync('npm', ['run', '--silent', 'docs'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })

const target = resolve(process.argv[2] ?? join(root, 'dist'))
mkdirSync(target, { recursive: true })
for (const one of packages) {
  const place = mkdtempSync(join(tmpdir(), 'plinth-pack-'))
  try {
    stage(one, place)
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
      cwd: place,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    console.log(join(target, packed.trim()))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
