// `npm run sbom`: lists the packages that an installation runs with, in dist/sbom.json (CycloneDX 1.6), and checks their licences. It reads
// the lock file, so it needs neither a registry nor an installation. Part of `npm run build`.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runScript, ScriptError } from './command.ts'
import { root } from './manifests.ts'

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

export interface Component {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly integrity: string | undefined
  readonly isOptional: boolean
}

/** Licences that ask for nothing but their text. */
const permissive = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'Unlicense',
    'CC0-1.0',
  ],
])

/** Says whether a licence expression (SPDX) leaves a choice of permissive licences. */
export const isPermissive = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(one => permissive.has(one.trim())))

/** What `npm ci --omit=dev` installs from elsewhere. */
export const productionPackages = (lock: string): readonly Component[] => {
  const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(lock).packages
  return Object.entries(packages).flatMap(
    ([path, { version, license, integrity, dev, devOptional, link, optional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (!path.includes('node_modules/') || dev || devOptional || link || version === undefined) return []
      return [{ name, version, license: license ?? 'unknown', integrity, isOptional: optional ?? false }]
    },
  )
}

/** A sentence for each package whose licence asks for more, and which NOTICE does not name. */
export const licenceFaults = (components: readonly Component[], notice: string): readonly string[] =>
  components
    .filter(
      ({ name, license }) => !isPermissive(license) && !notice.includes(name.replace(/-(linux|darwin|win32).*/, '')),
    )
    .map(({ name, license }) => `${name} has the licence ${license}: name it in NOTICE, or do without it.`)

const purlOf = ({ name, version }: Component): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** The digest of the lock file is in base64, that of CycloneDX in hexadecimal digits. */
const hashesOf = (integrity: string | undefined) => {
  const [, digits] = /^sha512-([\w+/=]+)$/.exec(integrity ?? '') ?? []
  return digits === undefined ? [] : [{ alg: 'SHA-512', content: Buffer.from(digits, 'base64').toString('hex') }]
}

export const sbomOf = (components: readonly Component[], { name, version }: { name: string; version: string }) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version } },
  components: [...new Map(components.map(one => [purlOf(one), one])).values()].map(one => ({
    type: 'library',
    'bom-ref': purlOf(one),
    name: one.name,
    version: one.version,
    purl: purlOf(one),
    scope: one.isOptional ? 'optional' : 'required',
    licenses: [{ expression: one.license }],
    hashes: hashesOf(one.integrity),
  })),
})

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

if (process.argv[1]?.endsWith('sbom.ts'))
  await runScript(async () => {
    const components = productionPackages(read('package-lock.json'))
    const faults = licenceFaults(components, read('NOTICE'))
    if (faults.length > 0) throw new ScriptError(faults.join('\n'))
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(
      join(root, 'dist/sbom.json'),
      `${JSON.stringify(sbomOf(components, JSON.parse(read('package.json'))), null, 2)}\n`,
    )
  })
