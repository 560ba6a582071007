// Very many settings, most of which do not exist: messages name some of them and count the others.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testAll } from '@plinth/test-kit/extent'
import { type ConfigSources, loadConfig } from '@plinth/test-kit/platform'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accessSettings } from './core/config/api-settings.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'plinth-config-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const from = (sources: ConfigSources = {}) => loadConfig({ env: {}, cwd, ...sources })
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)

// Many enough that work for each pair of them, or for each of them and each setting, would take minutes.
const count = 20_000
const names = Array.from({ length: count }, (_, number) => `unknown${number}.of.a.setting`)

test('in the environment: some are named, and the others counted', () => {
  const env = Object.fromEntries(names.map(name => [`APP_${name.toUpperCase().replaceAll('.', '_')}`, 'x']))
  const { warnings } = from({ env })
  expect(warnings).toHaveLength(21)
  expect(warnings[19]).toBe('APP_UNKNOWN19_OF_A_SETTING (environment) is ignored: there is no such setting')
  expect(warnings[20]).toBe('19,980 further variables are ignored: there are no such settings')
})

testAll('in a file: names of others are counted, names of ours are errors', () => {
  write('application.properties', names.map(name => `other.${name}=x\n`).join(''))
  const { warnings } = from()
  expect(warnings).toHaveLength(21)
  expect(warnings[20]).toBe('19,980 further names are ignored: settings start with app. or server.')
  write('application.properties', names.map(name => `app.${name}=x\n`).join(''))
  const load = () => from()
  expect(load).toThrow('The configuration has 20000 errors:')
  expect(load).toThrow('  - app.unknown19.of.a.setting (application.properties, line 20): there is no such setting\n')
  expect(load).toThrow(/line 20\): there is no such setting\n {2}- and 19,980 further errors$/)
})

testAll('the same name in a file again and again', () => {
  write('application.properties', names.map(() => 'server.port=80\n').join(''))
  expect(() => from()).toThrow('The configuration has 19999 errors:')
})

testAll('as options of the command line', () => {
  const overrides = Object.fromEntries(names.map(name => [`app.access.${name}`, 'x']))
  expect(() => from({ overrides })).toThrow('The configuration has 20000 errors:')
})

testAll('settings with a free part in their names may be many', () => {
  const overrides = Object.fromEntries(names.map((_, number) => [`app.access.a${number}.read`, 'true']))
  expect(from({ overrides }).named(accessSettings)).toHaveLength(20_000)
})
