import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fault } from '../src/core/fault.ts'
import { problemsOf } from '../src/core/module.ts'
import { allModules, loadConfig, modules, modulesFor, settings } from './support/platform.ts'

/** The rows of a table of a page, as cells, without its head; by default those of the first table. */
const tableOf = (page: string, at = 0): string[][] => {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')
  const table = text.match(/^\|.*(?:\n\|.*)+/gm)?.at(at) ?? ''
  const cells = (line: string) => line.slice(2, -2).split(' | ')
  return table
    .split('\n')
    .slice(2)
    .map(line => cells(line).map(cell => cell.trim()))
}

test('the page of settings lists what the code knows', () => {
  const known = [...settings].map(([name, { type, options }]) => {
    const usual = String(options.default ?? '')
    return [`\`${name}\``, type.name, usual ? `\`${usual}\`` : '(none)', options.about]
  })
  expect(tableOf('settings.md')).toEqual(known)
})

test('the page of problems lists what the code knows', () => {
  const known = Object.entries(problemsOf(allModules)).map(([code, { status, meaning }]) => [
    `\`${code}\``,
    `${status}`,
    meaning,
  ])
  expect(tableOf('problems.md')).toEqual(known)
})

test('the page of problems lists the faults of the platform and of every module', () => {
  const modules = modulesFor(loadConfig({ env: { APP_MODULES: 'rental,membership' }, cwd: import.meta.dirname }))
  const known = Object.assign({}, fault.table, ...modules.map(({ faults }) => faults))
  expect(tableOf('problems.md', -1)).toEqual(Object.entries(known).map(([code, message]) => [`\`${code}\``, message]))
})

test('the page of security lists the audit events of every module', () => {
  const known = allModules.flatMap(({ name, auditTypes }) =>
    auditTypes ? [[name, auditTypes.map(type => `\`${type}\``).join(', ')]] : [],
  )
  expect(tableOf('security.md', -1)).toEqual(known)
})

test('the architecture page names every module, in the order of the list', () => {
  const text = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, section = ''] = /## The modules\n([^#]*)/.exec(text) ?? []
  const named = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(named).toEqual(allModules.map(({ name }) => name))
  expect(modules.map(({ name }) => name).sort()).toEqual(readdirSync(new URL('../src/modules', import.meta.url)).sort())
})
