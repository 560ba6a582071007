// What types promise to readers: an exported type name is declared once, so that "go to type" finds it, and the code of modules
// relies on the types of records instead of casts.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm

/** The exported type names below a folder, with their files. Tests themselves export none. */
const declarationsIn = (folder: string): Map<string, string[]> => {
  const root = fileURLToPath(new URL(`../${folder}`, import.meta.url))
  const found = new Map<string, string[]>()
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.(test|fixture)\.tsx?$/.test(file) || file.includes('node_modules')) continue
    for (const [, name = ''] of readFileSync(`${root}/${file}`, 'utf8').matchAll(declaration))
      found.set(name, [...(found.get(name) ?? []), `${folder}/${file}`])
  }
  return found
}

const packages = ['plinth', 'web', 'client', 'rental', 'membership', 'create-plinth']
const folders = [
  ...packages.map(name => `packages/${name}/src`),
  ...[...packages, 'docs'].map(name => `packages/${name}/test`),
  ...['packages/test-kit/src', 'test', 'bench', 'scripts'],
]

/** Types of the test kit that stand for those of `plinth/testing`, for tests that also look inside. */
const standIns: readonly string[] = ['TestService']

test('no exported type name is declared twice', () => {
  const all = new Map<string, string[]>()
  for (const folder of folders)
    for (const [type, files] of declarationsIn(folder)) all.set(type, [...(all.get(type) ?? []), ...files])
  const twice = [...all].filter(([name, files]) => files.length > 1 && !standIns.includes(name))
  expect(twice).toEqual([])
})

/** `as X`, `<X>y` and `String(…)`; not `as const`. */
const isCast = (node: ts.Node): boolean =>
  (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) ||
  ts.isTypeAssertionExpression(node) ||
  (ts.isCallExpression(node) && node.expression.getText() === 'String')

const castsIn = (file: string): string[] => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (isCast(node)) found.push(`${file}: ${node.getText()}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test('the code of modules has fewer than 30 casts', () => {
  const casts = ['plinth/src/modules', 'rental/src', 'membership/src'].flatMap(folder => {
    const root = fileURLToPath(new URL(`../packages/${folder}`, import.meta.url))
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts') && !/\.(test|fixture)\.ts$|(^|[\\/])web[\\/]/.test(file))
      .flatMap(file => castsIn(join(root, file)))
  })
  expect(casts.length).toBeGreaterThan(0)
  expect(casts.length < 30 ? [] : casts).toEqual([])
})
