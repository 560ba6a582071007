// The lock file: `npm ci` installs from any registry, and without warnings on the oldest Node that Plinth supports.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockedPackage {
  readonly resolved?: string
  readonly link?: boolean
  readonly optional?: boolean
  readonly engines?: { readonly node?: string }
}

const root = new URL('../', import.meta.url)
const read = (file: string) => JSON.parse(readFileSync(new URL(file, root), 'utf8'))
const packages: Readonly<Record<string, LockedPackage>> = read('package-lock.json').packages

type Version = readonly [number, number, number]

const toVersion = (text: string): Version => {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(part => Number.parseInt(part, 10) || 0)
  return [major, minor, patch]
}

const compare = (one: Version, other: Version): number => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]

const comparison = /(>=|<=|>|<|\^|~|=)?\s*v?(\d+(?:\.(?:\d+|x|\*))*)(?:-[\w.]+)?/g

const fits = (version: Version, range: string): boolean =>
  range.split('||').some(part =>
    [...part.matchAll(comparison)].every(([, sign = '=', text = '']) => {
      const limit = toVersion(text)
      const order = compare(version, limit)
      if (sign === '>=') return order >= 0
      if (sign === '>') return order > 0
      if (sign === '<=') return order <= 0
      if (sign === '<') return order < 0
      const precision = sign === '^' ? 1 : sign === '~' ? 2 : text.split('.').length
      return order >= 0 && version.slice(0, precision).join() === limit.slice(0, precision).join()
    }),
  )

test.each([
  ['>=20', true],
  ['^18.19.0 || >=20.5.0', true],
  ['20 || >=22', true],
  ['^20.19.0 || >=22.12.0', true],
  ['>= 6.x.x', true],
  ['*', true],
  ['>=22.0.0', false],
  ['^22 || ^24', false],
  ['>=14 <20', false],
])('Node 20.19 fits %s: %s', (range, expected) => {
  expect(fits([20, 19, 0], range)).toBe(expected)
})

test('every package that is installed runs on the oldest Node that is supported', () => {
  const oldest = toVersion(read('package.json').engines.node.replace(/^>=/, ''))
  const tooNew = Object.entries(packages)
    .filter(([, { engines, optional }]) => !optional && engines?.node && !fits(oldest, engines.node))
    .map(([name, { engines }]) => `${name} needs ${engines?.node}`)
  expect(Object.keys(packages).length).toBeGreaterThan(100)
  expect(tooNew).toEqual([])
})

test('it names no registry', () => {
  const addresses = Object.values(packages).flatMap(({ link, resolved }) => (link || !resolved ? [] : [resolved]))
  expect(addresses).toEqual([])
})
