// `npm run bench -- <name> [arguments]` runs one benchmark, `run` unless named. Some of them run the service in their own process, from
// its source: the condition `plinth-source` of the command keeps the packages of the repository and the service one program.

import { readdirSync } from 'node:fs'

const names = readdirSync(new URL('..', import.meta.url))
  .filter(name => name.endsWith('.ts'))
  .map(name => name.slice(0, -'.ts'.length))

const words = process.argv.slice(2)
const [name = 'run', ...rest] = words[0] === 'sqlite' || words[0] === 'postgres' ? ['run', ...words] : words

if (names.includes(name)) {
  process.argv.splice(2, words.length, ...rest)
  await import(new URL(`../${name}.ts`, import.meta.url).href)
} else {
  console.error(`There is no benchmark '${name}'. These exist: ${names.join(', ')}.`)
  process.exitCode = 1
}
