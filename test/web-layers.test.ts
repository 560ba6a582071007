// The areas of the web client are apart: what two of them need is in `common`, which knows neither areas nor the frame around them.

import { readdirSync, readFileSync } from 'node:fs'
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

test('nothing in the web client names a module of an application', () => {
  const business = /\b(rentals?|memberships?|friends?|friendships?)\b/i
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file))
  expect(files.filter(file => business.test(readFileSync(join(src, file), 'utf8')))).toEqual([])
})
