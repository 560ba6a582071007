// The areas of the web client are apart: what two of them need is in `common`, which knows neither areas nor the frame around them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../packages/web/src', import.meta.url))

const statement = /(?:from|import)\s*\(?'(\.[^']+)'/g

interface Import {
  readonly file: string
  readonly target: string
}

const imports: readonly Import[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => /\.tsx?$/.test(file))
  .flatMap(file =>
    [...readFileSync(join(src, file), 'utf8').matchAll(statement)].map(([, target = '']) => ({
      file,
      target: relative(src, resolve(dirname(join(src, file)), target)).replaceAll('\\', '/'),
    })),
  )

const areaOf = (file: string): string | undefined => /^areas\/(\w+)\//.exec(file)?.[1]

test('no area of the web client imports another', () => {
  expect(imports.some(({ file }) => areaOf(file))).toBe(true)
  const across = imports.filter(({ file, target }) => areaOf(file) && areaOf(target) && areaOf(file) !== areaOf(target))
  expect(across).toEqual([])
})

test('what the areas of the web client share imports neither areas nor the frame around them', () => {
  const upwards = imports.filter(
    ({ file, target }) => file.startsWith('common/') && /^(?:areas|shell|entry)\//.test(target),
  )
  expect(upwards).toEqual([])
})

test('the web client has areas for records and reports alone: all others belong to modules', () => {
  const areas = new Set(imports.map(({ file }) => areaOf(file)).filter(area => area !== undefined))
  expect([...areas].sort()).toEqual(['home', 'reports', 'resources'])
})

const packages = fileURLToPath(new URL('../packages', import.meta.url))
const modules = join(packages, 'plinth/src/modules')

test.each([
  ...['rental', 'membership'].map(name => [name, join(packages, name, 'web')] as const),
  ...readdirSync(modules)
    .map(name => [name, join(modules, name, 'web')] as const)
    .filter(([, folder]) => existsSync(folder)),
])('the pages of %s are made of the kit and of packages', (_, folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file))
  const targets = files.flatMap(file => {
    // The types of their own module and of plinth are public, and do not exist at run time.
    const text = readFileSync(join(folder, file), 'utf8').replace(
      /import type .* from '(plinth|..\/src\/index.ts)'/g,
      '',
    )
    return [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, target = '']) => target)
  })
  expect(targets).toContain('@plinth/web')
  const ours = targets.filter(target => target.startsWith('.') || /^(@plinth\/|plinth\b)/.test(target))
  expect(ours.filter(target => !/^(\.\/|@plinth\/(web|client)$)/.test(target))).toEqual([])
})

test('nothing in the web client names a module of an application', () => {
  const business = /\b(rentals?|memberships?|friends?|friendships?)\b/i
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file))
  expect(files.filter(file => business.test(readFileSync(join(src, file), 'utf8')))).toEqual([])
})
