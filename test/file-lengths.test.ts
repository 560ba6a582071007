// A file can be read in one go, tests and benchmarks included.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const isWritten = (file: string): boolean => /\.tsx?$/.test(file) && !/(?:^|\/)(?:node_modules|dist)\//.test(file)

test.each(['packages', 'examples', 'test', 'bench', 'scripts'])('no file in %s has more than 350 lines', folder => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(isWritten)
  expect(files.length).toBeGreaterThan(1)
  const linesOf = (file: string): number => readFileSync(join(root, folder, file), 'utf8').split('\n').length - 1
  expect(files.filter(file => linesOf(file) > 350)).toEqual([])
})
