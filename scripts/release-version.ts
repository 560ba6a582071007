// `npm run release:version`: prepares a release of all packages. It sets their version in the manifests and the lock file, and moves the
// texts of the folder `changes` into CHANGELOG.md, with the date of today. `npm run release:tag` follows, after the commit.

import { readScriptArguments, runScript } from './command.ts'
import { root } from './manifests.ts'
import { prepareRelease } from './releases.ts'

const usage = `Usage: npm run release:version -- [version]

Sets the version of all packages, and moves the texts of the folder changes into CHANGELOG.md. Without a version, it follows from
the current one and from the changes: a pre-release is followed by the next one of the same version.`

await runScript(() => {
  const { positionals } = readScriptArguments({ usage, maxArguments: 1 })
  const version = prepareRelease(root, positionals[0])
  console.log(`All packages are version ${version}. Read CHANGELOG.md, commit, and run \`npm run release:tag\`.`)
})
