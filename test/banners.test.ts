// A file is one idea: where a comment between two blank lines divides it into several parts, the parts are files of their own. And it can
// be read in one go, tests and benchmarks included.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A list that has nothing but parts. */
const exceptions = ['packages/plinth/src/index.ts', 'packages/plinth/src/module.ts']

const isWritten = (file: string): boolean => /\.tsx?$/.test(file) && !/(?:^|\/)(?:node_modules|dist)\//.test(file)
const isCode = (file: string): boolean => isWritten(file) && !/\.(test|fixture)\.tsx?$/.test(file)

/** Comments of one or more lines that stand alone. The first one of a file says what the file is. */
const banner = /\n\n(?:\/\/ .*\n)+(?=\n)/g

const bannersIn = (text: string): number => text.match(banner)?.length ?? 0

test('a banner is found', () => {
  const text =
    "// A file.\n\nimport { a } from './a.ts'\n\n// One part\n\na()\n\n// Another part,\n// of two lines\n\na()\n"
  expect(bannersIn(text)).toBe(2)
})

test.each([
  'packages/plinth/src',
  'packages/rental/src',
  'packages/rental/web',
  'packages/membership/src',
  'packages/membership/web',
  'packages/client/src',
  'packages/create-plinth/src',
  'packages/web/src',
  'packages/test-kit/src',
  'packages/docs',
  'bench',
  'scripts',
])('no file in %s has more than one section banner', folder => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(file => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter(isCode)
  expect(files.length).toBeGreaterThan(1)
  const judged = files.filter(file => !exceptions.includes(file))
  expect(judged.filter(file => bannersIn(readFileSync(join(root, file), 'utf8')) > 1)).toEqual([])
})

test.each(['packages', 'examples', 'test', 'bench', 'scripts'])('no file in %s has more than 350 lines', folder => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(isWritten)
  expect(files.length).toBeGreaterThan(1)
  const linesOf = (file: string): number => readFileSync(join(root, folder, file), 'utf8').split('\n').length - 1
  expect(files.filter(file => linesOf(file) > 350)).toEqual([])
})
