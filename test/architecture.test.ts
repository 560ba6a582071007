// The table of ARCHITECTURE.md that leads from a change to its file is true.

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const text = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8')
const [table = ''] = /### Where to change what\n[\s\S]*?\n(?=## )/.exec(text) ?? []

const isThere = (path: string): boolean =>
  [path, `packages/plinth/src/${path}`].some(place => existsSync(new URL(place, root)))

test('every path under "Where to change what" exists', () => {
  const paths = [...table.matchAll(/`([^`\s<]+\/[^`\s<]*)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter(path => !isThere(path))).toEqual([])
})
