import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPages, withGenerated } from '../../docs/reference.ts'
import { allModules, modules } from './support/platform.ts'

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

test.each(readPages())('the generated parts of $name are current', ({ text }) => {
  // npm run reference -w plinth-docs
  expect(withGenerated(text)).toBe(text)
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
