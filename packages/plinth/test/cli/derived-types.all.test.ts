// The types that `plinth types` writes of a running service, and those that `SchemaOf` derives from its application: the compiler
// compares them.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchOpenapi, writeTypes } from '../../src/cli/api-description.ts'

const run = promisify(execFile)
const compiler = fileURLToPath(new URL('../../../../node_modules/typescript-native/bin/tsc', import.meta.url))
const near = fileURLToPath(new URL('.', import.meta.url))

/** Endpoints that other settings publish, and one that shares the operation of a generic one. */
const absent = ['createBasicLogin', 'scan', 'takeNodeMessage']

let service: TestService
let folder: string

beforeAll(async () => {
  service = await startService('sqlite')
  folder = await mkdtemp(join(near, 'derived-types-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  allowImportingTsExtensions: true,
  customConditions: ['plinth-source'],
  lib: ['es2023', 'es2024.string'],
  types: ['node'],
}

const head = `import type { SchemaOf } from 'plinth'
import type app from '../../../../../plinth.config.ts'
import type { Schema } from './plinth.ts'

type Written = Schema
type Derived = SchemaOf<typeof app>

type Either<A, B> = Exclude<keyof A, keyof B> | Exclude<keyof B, keyof A>
/** Names that only one of both has; never, if there are none. */
type SameNames<A, B> = [Either<A, B>] extends [never] ? true : Either<A, B>
type NoOther<K, Known> = [Exclude<K, Known>] extends [never] ? true : Exclude<K, Known>
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
/** What cannot be left out. */
type RequiredNames<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T]
/** One type may be more exact than the other. */
type Alike<A, B> = [A] extends [B] ? true : [B] extends [A] ? true : false
type Unlike<A, B> = { [K in keyof A & keyof B]: Alike<A[K], B[K]> extends true ? never : K }[keyof A & keyof B]
/** An endpoint takes a body or none. */
type SameBody<A, B> = Same<[A] extends [undefined] ? 'none' : 'one', [B] extends [undefined] ? 'none' : 'one'>
type AllAlike<A, B> = [Unlike<A, B>] extends [never] ? SameNames<A, B> : Unlike<A, B>
`

interface Comparison {
  readonly name: string
  readonly type: string
}

const comparisonsOf = (types: string): readonly Comparison[] => {
  const [resources = '', endpoints = ''] = types.split('\n  endpoints: {')
  const both = (path: string): string => `Written${path}, Derived${path}`
  const ofResource = (name: string): Comparison[] => {
    const at = (part: string) => both(`['resources']['${name}']['${part}']`)
    const create = `['resources']['${name}']['create']`
    return [
      { name: `${name}: values`, type: `AllAlike<${at('values')}>` },
      { name: `${name}: create`, type: `SameNames<${at('create')}>` },
      { name: `${name}: required`, type: `Same<RequiredNames<Written${create}>, RequiredNames<Derived${create}>>` },
      ...['one', 'lists', 'many'].map(part => ({ name: `${name}: ${part}`, type: `Same<${at(part)}>` })),
    ]
  }
  const ofEndpoint = (name: string): Comparison[] => {
    const at = (part: string) => both(`['endpoints']['${name}']['${part}']`)
    return [
      ...['route', 'params'].map(part => ({ name: `${name}: ${part}`, type: `Same<${at(part)}>` })),
      { name: `${name}: query`, type: `AllAlike<${at('query')}>` },
      { name: `${name}: body`, type: `SameBody<${at('body')}>` },
    ]
  }
  const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const known = namesIn(endpoints, /^ {4}(\w+): \{ route/gm)
  return [
    { name: 'resources', type: `SameNames<${both("['resources']")}>` },
    { name: 'endpoints', type: `NoOther<keyof Derived['endpoints'], '${[...known, ...absent].join("' | '")}'>` },
    ...namesIn(resources, /^ {4}(\w+): \{$/gm).flatMap(ofResource),
    ...known.flatMap(ofEndpoint),
  ]
}

test('SchemaOf has the resources and endpoints that plinth types writes, with the same fields, paths and parameters', async () => {
  await writeTypes(await fetchOpenapi(service.url), { out: join(folder, 'plinth.ts') })
  const comparisons = comparisonsOf(await writeTypes(await fetchOpenapi(service.url)))
  expect(comparisons.length).toBeGreaterThan(500)
  const lines = comparisons.map(({ type }, at) => `export const c${at}: ${type} = true`)
  const before = head.split('\n').length
  await writeFile(join(folder, 'compare.ts'), [head, ...lines].join('\n'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['compare.ts'] }))
  const { stdout } = await run(process.execPath, [compiler, '-p', folder], { maxBuffer: 50_000_000 }).catch(
    (failed: { stdout: string }) => failed,
  )
  const differing = [...stdout.matchAll(/compare\.ts\((\d+),.*?error TS\d+: (.{0,200})/g)].map(
    ([, line, message]) => `${comparisons[Number(line) - before - 1]?.name}: ${message}`,
  )
  expect(differing).toEqual([])
  expect(stdout).toBe('')
})
