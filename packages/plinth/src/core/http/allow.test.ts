import { expect, test } from 'vitest'
import { createAllowedMethods } from './allow.ts'
import type { Method } from './exchange.ts'

const handler = () => ({ status: 200 })
const methodsOf = createAllowedMethods(
  (
    [
      ['GET', '/'],
      ['GET', '/a'],
      ['POST', '/a'],
      ['GET', '/a/schema'],
      ['PATCH', '/a/{pk}'],
      ['GET', '/a/{pk}/{name}'],
      ['DELETE', '/a/schema/{part}'],
    ] as [Method, string][]
  ).map(([method, path]) => ({ method, path, handler })),
)

test.each([
  ['/', 'GET, HEAD, OPTIONS'],
  ['/a', 'GET, HEAD, POST, OPTIONS'],
  ['/%61', 'GET, HEAD, POST, OPTIONS'],
  ['/a/7', 'PATCH, OPTIONS'],
  ['/a/schema', 'GET, HEAD, PATCH, OPTIONS'],
  ['/a/schema/x', 'GET, HEAD, DELETE, OPTIONS'],
  ['/a/%zz', 'PATCH, OPTIONS'],
])('%s allows %s', (path, methods) => {
  expect(methodsOf(path)?.join(', ')).toBe(methods)
})

test.each(['', '*', '/b', '/a/', '/a//x', '/A', '/a/7/x/y', '/a/7/', `/${'/'.repeat(60_000)}`, '/constructor'])(
  '%s is no path',
  path => {
    expect(methodsOf(path)).toBeNull()
  },
)
