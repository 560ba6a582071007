// `npm run release:version -- 2.2.0`: sets the version of all packages, which are released together. It changes the manifests and the
// lock file; the commit, the tag and the heading in CHANGELOG.md are yours.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestsIn, readManifest, root, withVersion } from './manifests.ts'

const [, , version = ''] = process.argv

if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(version)) {
  console.error('Usage: npm run release:version -- <version>, such as 2.2.0')
  process.exit(2)
}

for (const file of [join(root, 'package.json'), ...manifestsIn('packages'), ...manifestsIn('examples')])
  writeFileSync(file, `${JSON.stringify(withVersion(readManifest(file), version), null, 2)}\n`)
execFileSync('npm', ['install', '--package-lock-only', '--prefer-offline', '--ignore-scripts'], {
  cwd: root,
  stdio: 'inherit',
})
