import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { allModules, modules } from '@plinth/test-kit/platform'
import { expect, test } from 'vitest'
import { readPages, withGenerated } from '../reference.ts'

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
  expect(modules.map(({ name }) => name).sort()).toEqual(
    readdirSync(new URL('../../plinth/src/modules', import.meta.url)).sort(),
  )
})

// Links of the pages lead somewhere, to the heading that they name.

/** Makes an anchor as VitePress and GitHub do, except that VitePress puts `_` before a digit. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/[`*]|\[|\]\([^)]*\)/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .replace(/^(?=\d)/, '_')

const pageTexts = new Map(readPages().map(({ name, text }) => [name, text]))

const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')

const anchorsOf = (name: string): ReadonlySet<string> => {
  const text = (pageTexts.get(name) ?? '').replaceAll(/^```.*?^```$/gms, '')
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))
}

const deadLinks = (name: string, text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => {
      if (/^(https?|mailto):/.test(target)) return false
      const [path = '', anchor] = target.split('#')
      if (path.startsWith('../') || path.startsWith('images/'))
        return !existsSync(new URL(path, new URL('../../../docs/', import.meta.url)))
      const page = path === '' ? name : path
      return !pageTexts.has(page) || (anchor !== undefined && !anchorsOf(page).has(anchor))
    })

test.each(readPages())('the links of $name lead to pages and headings', ({ name, text }) => {
  expect(deadLinks(name, text)).toEqual([])
})

test('every page is in the sidebar and in the overview', () => {
  const sidebar = readFileSync(new URL('../.vitepress/sidebar.ts', import.meta.url), 'utf8')
  const names = [...pageTexts.keys()].filter(name => name !== 'README.md').map(name => name.replace(/\.md$/, ''))
  expect(names.filter(name => !sidebar.includes(`'/${name}'`))).toEqual([])
  expect(names.filter(name => !pageTexts.get('README.md')?.includes(`(${name}.md)`))).toEqual([])
})
