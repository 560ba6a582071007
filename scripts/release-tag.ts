// `npm run release:tag`: an annotated tag for a release, with its section of CHANGELOG.md as the message.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { readNotes } from './changelog.ts'
import { readScriptArguments, runScript, ScriptError } from './command.ts'
import { readManifest, root } from './manifests.ts'

const usage = `Usage: npm run release:tag -- [version] [commit]

Makes an annotated tag, such as v2.2.0, with the section of the release in CHANGELOG.md as its message: for the version of the packages
at the last commit, unless a version and a commit are given. It pushes nothing.`

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

await runScript(() => {
  const { positionals } = readScriptArguments({ usage, maxArguments: 2 })
  const [version = String(readManifest(join(root, 'package.json')).version), commit = 'HEAD'] = positionals
  const notes = readNotes(version)
  if (!notes) throw new ScriptError(`CHANGELOG.md has no section of ${version}: run \`npm run release:version\` first.`)
  const tag = `v${version}`
  if (git('tag', '--list', tag) !== '') throw new ScriptError(`The tag ${tag} exists already.`)
  if (commit === 'HEAD' && git('status', '--porcelain') !== '')
    throw new ScriptError('There are changes that are not committed.')
  // Headings begin with a number sign, which git takes for a comment by default.
  git(
    'tag',
    '--annotate',
    '--cleanup=verbatim',
    '--message',
    `${version} - ${notes.date}\n\n${notes.text}\n`,
    tag,
    commit,
  )
  console.log(
    `${tag} is ${git('rev-parse', '--short', `${tag}^{commit}`)}. Publish it with \`git push origin ${tag}\`.`,
  )
})
