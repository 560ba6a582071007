// The types of `SchemaOf` of whole applications: wrong uses do not compile, and the message names the mistake; right ones have the exact type.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { rightUsesOf } from './schema-uses/right-uses.ts'
import { schemas } from './schema-uses/schemas.ts'
import { wrongUsesOf } from './schema-uses/wrong-uses.ts'

// The compiler reads a whole application, which takes long where other work goes on.
vi.setConfig({ testTimeout: 600_000 })

const compiler = fileURLToPath(new URL('../../../node_modules/typescript-native/bin/tsc', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

const compilerOptions = {
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: 'es2023',
  module: 'nodenext',
  allowImportingTsExtensions: true,
  customConditions: ['plinth-source'],
  lib: ['es2023', 'es2024.string'],
  types: ['node'],
}

const headOf = (app: string): string => `
import { type AtomicResult, createClient, type FullRecord, type RecordLink, ref } from '@plinth/client'
import type { SchemaOf } from 'plinth'
import type app from '../../../../${app}'

type Schema = SchemaOf<typeof app>
type State = 'received' | 'repairing' | 'ready' | 'rejected' | 'collected'
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <Expected>() => ({
  as: <Actual>(_: Actual, ..._same: Equal<Expected, Actual> extends true ? [] : [never]) => {},
})
const client = createClient<Schema>()
export type Used = [AtomicResult, FullRecord<Schema, 'users'>, RecordLink, State, typeof same, typeof ref]
`

/** What the compiler says of each line of the program, by its number in `lines`. */
const compile = async (app: string, lines: readonly string[]): Promise<ReadonlyMap<number, string>> => {
  const folder = await mkdtemp(join(here, 'uses-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const head = headOf(app)
  const functions = lines.map((line, at) => `export const use${at} = async () => { ${line} }`)
  await writeFile(join(folder, 'uses.ts'), [head, ...functions].join('\n'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['uses.ts'] }))
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder], {
    maxBuffer: 50_000_000,
  }).catch((failed: { readonly stdout: string }) => failed)
  const said = new Map<number, string>()
  let line = -1
  for (const part of stdout.split('\n')) {
    const [, number] = /uses\.ts\((\d+),/.exec(part) ?? []
    if (number !== undefined) line = Number(number) - head.split('\n').length - 1
    if (part !== '') said.set(line, `${said.get(line) ?? ''}${part}\n`)
  }
  return said
}

describe.each(schemas)('$name', ({ app, resources, wrong, right }) => {
  test('a hundred wrong uses do not compile, and each message names the mistake', async () => {
    const uses = [...resources.flatMap(wrongUsesOf), ...wrong]
    expect(uses.length).toBeGreaterThanOrEqual(100)
    const said = await compile(
      app,
      uses.map(({ code }) => code),
    )
    const unnoticed = uses.filter(({ named }, at) => !said.get(at)?.includes(named))
    expect(unnoticed.map(use => `${use.code}: ${said.get(uses.indexOf(use)) ?? 'compiles'}`)).toEqual([])
    expect(said.get(-1)).toBeUndefined()
  })

  test('eighty right uses have the exact type', async () => {
    const uses = [...resources.flatMap(rightUsesOf), ...right]
    expect(uses.length).toBeGreaterThanOrEqual(80)
    const lines = uses.map(({ code, type }) => `same<${type}>().as(${code})`)
    const said = await compile(app, lines)
    expect([...said].map(([at, message]) => `${lines[at]}: ${message}`)).toEqual([])
  })
})
