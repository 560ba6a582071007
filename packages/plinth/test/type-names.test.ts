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

const packages = ['plinth', 'web', 'client', 'rental', 'membership', 'create-plinth']

test('no exported type name is declared twice in the packages', () => {
  const all = new Map<string, string[]>()
  for (const name of packages)
    for (const [type, files] of declarationsIn(`${name}/src`)) all.set(type, [...(all.get(type) ?? []), ...files])
  expect([...all].filter(([, files]) => files.length > 1)).toEqual([])
})
