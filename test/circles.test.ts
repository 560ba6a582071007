// No file imports itself through others, neither its code nor its types: each can be read after those that it imports.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A statement that imports; what is imported later, by `import()`, does not count. */
const statement = /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"](\.[^'"]+)['"]/g

const isCode = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.(test|fixture)\.tsx?$/.test(file) && !/(?:^|[\\/])(?:node_modules|dist)[\\/]/.test(file)

const importsIn = (folder: string): ReadonlyMap<string, readonly string[]> => {
  const top = join(root, folder)
  const files = readdirSync(top, { recursive: true, encoding: 'utf8' }).filter(isCode)
  return new Map(
    files.map(file => {
      const found = [...readFileSync(join(top, file), 'utf8').matchAll(statement)]
      const targets = found.map(([, target = '']) => relative(top, resolve(dirname(join(top, file)), target)))
      return [file, targets.filter(target => files.includes(target))]
    }),
  )
}

const circlesIn = (imports: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return circles
}

test('a circle is found', () => {
  const circle = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b']],
  ])
  expect(circlesIn(circle)).toEqual(['b -> c -> b'])
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
])('no file in %s imports itself through others', folder => {
  const imports = importsIn(folder)
  expect(imports.size).toBeGreaterThan(1)
  expect(circlesIn(imports)).toEqual([])
})
