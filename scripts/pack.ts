// `npm run pack [-- <folder>]`: the packages of this repository as tarballs, as they are published. Run `npm run build` first.
//
// Each package is put together in a temporary folder, since its own folder has more than is published: sources, old chunks of the
// build, and development settings.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface PublishedPackage {
  readonly folder: string
  /** The files of `dist` that others load; the files that these import come along. */
  readonly entries: readonly string[]
  /** Files and folders from elsewhere, by their places in the package. */
  readonly added?: Readonly<Record<string, string>>
  /** It is run, not imported, so it has no types. */
  readonly isProgram?: boolean
}

const packages: readonly PublishedPackage[] = [
  {
    folder: 'packages/plinth',
    entries: ['main.js', 'index.js', 'testing.js', 'sqlite-reader.js'],
    added: { bin: 'packages/plinth/bin', 'dist/client': 'packages/web/dist' },
  },
  { folder: 'packages/rental', entries: ['index.js'] },
  { folder: 'packages/membership', entries: ['index.js'] },
  {
    folder: 'packages/create-plinth',
    entries: ['main.js'],
    added: { bin: 'packages/create-plinth/bin', template: 'packages/create-plinth/template' },
    isProgram: true,
  },
]

type Manifest = Record<string, unknown>

/** Without what only this repository needs. */
const publishedManifest = (folder: string): Manifest => {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const { scripts, devDependencies, ...published } = manifest
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

const stage = ({ folder, entries, added = {}, isProgram = false }: PublishedPackage, place: string): void => {
  const dist = join(root, folder, 'dist')
  const missing = [...entries, ...(isProgram ? [] : ['types/index.d.ts'])].find(entry => !existsSync(join(dist, entry)))
  if (missing) throw new Error(`${folder}/dist/${missing} is missing: run \`npm run build\` first`)
  mkdirSync(join(place, 'dist'), { recursive: true })
  const files = new Set(entries.flatMap(entry => [...reachable(dist, entry)]))
  for (const file of files)
    for (const name of [file, `${file}.map`]) cpSync(join(dist, name), join(place, 'dist', name))
  if (!isProgram) cpSync(join(dist, 'types'), join(place, 'dist/types'), { recursive: true })
  for (const [to, from] of Object.entries(added)) cpSync(join(root, from), join(place, to), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(place, 'LICENSE'))
  cpSync(join(root, folder, 'README.md'), join(place, 'README.md'))
  writeFileSync(join(place, 'package.json'), `${JSON.stringify(publishedManifest(folder), null, 2)}\n`)
}

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
