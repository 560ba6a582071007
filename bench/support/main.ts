// `npm run bench -- <name> [arguments]` runs one benchmark, `run` unless named. Some of them run the service in their own process, from
// its source: the condition `plinth-source` of the command keeps the packages of the repository and the service one program.

import { readdirSync } from 'node:fs'
import { mustBeBuilt, runScript, ScriptError } from '../../scripts/command.ts'

const names = readdirSync(new URL('..', import.meta.url))
  .filter(name => name.endsWith('.ts'))
  .map(name => name.slice(0, -'.ts'.length))

const words = process.argv.slice(2)
const [name = 'run', ...rest] = words[0] === 'sqlite' || words[0] === 'postgres' ? ['run', ...words] : words

await runScript(async () => {
  if (!names.includes(name)) throw new ScriptError(`There is no benchmark '${name}'. These exist: ${names.join(', ')}.`)
  mustBeBuilt('packages/plinth/dist/main.js', 'packages/web/dist/index.html', 'dist/plinth.config.js')
  process.argv.splice(2, words.length, ...rest)
  await import(new URL(`../${name}.ts`, import.meta.url).href)
})
