import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modules } from '../src/app.ts'
import { settings } from '../src/config.ts'
import { problemKinds } from '../src/core/problem.ts'

/** The rows of the first table of a page, as cells, without its head. */
const tableOf = (page: string): string[][] => {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const [table = ''] = /^\|.*(?:\n\|.*)+/m.exec(text) ?? []
  const cells = (line: string) => line.slice(2, -2).split(' | ')
  return table
    .split('\n')
    .slice(2)
    .map(line => cells(line).map(cell => cell.trim()))
}

test('the page of settings lists what the code knows', () => {
  const known = Object.entries(settings).map(([name, setting]) => {
    const usual = 'default' in setting ? String(setting.default) : ''
    return [`\`${name}\``, setting.is.type, usual ? `\`${usual}\`` : '(none)', setting.meaning]
  })
  expect(tableOf('settings.md')).toEqual(known)
})

test('the page of problems lists what the code knows', () => {
  const known = Object.entries(problemKinds).map(([code, { status, meaning }]) => [`\`${code}\``, `${status}`, meaning])
  expect(tableOf('problems.md')).toEqual(known)
})

test('the architecture page names every module, in the order of the list', () => {
  const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, section = ''] = /## The modules\n([^#]*)/.exec(text) ?? []
  const named = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(named.slice(0, modules.length)).toEqual(modules.map(({ name }) => name))
  expect(named.sort()).toEqual(readdirSync(new URL('../src/modules', import.meta.url)).sort())
})
