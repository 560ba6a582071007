// `npm run release:tag`: an annotated tag for a release, with its section of CHANGELOG.md as the message.

import { readScriptArguments, runScript } from './command.ts'
import { root } from './manifests.ts'
import { tagRelease } from './releases.ts'

const usage = `Usage: npm run release:tag -- [version] [commit]

Makes an annotated tag, such as v2.2.0, with the section of the release in CHANGELOG.md as its message: for the version of the packages
at the last commit, unless a version and a commit are given. It pushes nothing.`

await runScript(() => {
  const { positionals } = readScriptArguments({ usage, maxArguments: 2 })
  const [version, commit] = positionals
  const tag = tagRelease(root, { version, commit })
  console.log(`Made the tag ${tag}. Publish it with \`git push origin ${tag}\`.`)
})
