// An exported type name is declared once, so that a name means one thing and "go to type" finds it.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm

const declarationsIn = (folder: string): Map<string, string[]> => {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url))
  const found = new Map<string, string[]>()
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.(test|fixture)\.tsx?$/.test(file)) continue
    for (const [, name = ''] of readFileSync(`${root}/${file}`, 'utf8').matchAll(declaration))
      found.set(name, [...(found.get(name) ?? []), file])
  }
  return found
}

const repeated = (declarations: ReadonlyMap<string, readonly string[]>): string[] =>
  [...declarations].filter(([, files]) => files.length > 1).map(([name]) => name)

test('no exported type name is declared twice in the core', () => {
  expect(repeated(declarationsIn('server/src/core'))).toEqual([])
})

/** Names that are still declared several times. The list only shrinks: rename one, and take it out. */
const known: readonly string[] = [
  'AuditEvent',
  'Body',
  'Change',
  'Client',
  'Counter',
  'Desk',
  'Headers',
  'Message',
  'Network',
  'Purpose',
  'Reading',
  'Received',
  'Row',
  'Status',
]

test('nor in the server and the web client, but for those that are on the list', () => {
  const all = declarationsIn('server/src')
  for (const [name, files] of declarationsIn('client/src')) all.set(name, [...(all.get(name) ?? []), ...files])
  const found = repeated(all)
  expect(found.filter(name => !known.includes(name))).toEqual([])
  expect(
    known.filter(name => !found.includes(name)),
    'declared once by now: take them out of the list',
  ).toEqual([])
})
