// Phrases that read like a translation, in the pages for readers and in the texts of the product.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

const phrases: readonly RegExp[] = [
  /\b(is|are|was|were|be|been) told\b/i,
  /\b(whoever|whomever|nobody|somebody|anybody)\b/i,
  /\banew\b/i,
  /\bmeanwhile\b/i,
  /\blook into your\b/i,
  /\b(sow|sown|sowing)\b/i,
  /\bas it stands\b/i,
  /\bto be had\b/i,
  /\bof one's own\b/i,
  /\bown ones?\b/i,
  /\bnow and then\b/i,
  /\bdo well to\b/i,
  /\bis no (address|amount|name|number|picture|JSON|relation|operator|field|setting|secret)\b/i,
  /\bare no (addresses|settings|administrators)\b/i,
  /\bnot yours to\b/i,
  /\bin the sight of\b/i,
  /\bby itself alone\b/i,
  /\b(minds|mind) (case|capital)/i,
  /\bcapital (and|or) small letters\b/i,
  /\bstands? still\b/i,
  /\bis not good\b/i,
  /\bis at fault\b/i,
  /\bare at fault\b/i,
]

const filesIn = (...paths: string[]): string[] =>
  execFileSync('git', ['ls-files', '--', ...paths], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')

const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')

/** Where a phrase stands in the text of a file. */
const findingsIn = (file: string, text: string, line = 1): string[] =>
  phrases.flatMap(phrase =>
    [...text.matchAll(new RegExp(phrase, 'gi'))].map(({ 0: found, index }) => {
      const at = line + text.slice(0, index).split('\n').length - 1
      return `${file}:${at}: ${found}`
    }),
  )

const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** Only texts of more than one word are for readers. */
const textFindings = (file: string): string[] => {
  const tree = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (isText(node) && / /.test(node.getText(tree))) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      found.push(...findingsIn(file, node.getText(tree), line + 1))
    } else ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

test('the pages for readers have none of the phrases of a translation', () => {
  expect(filesIn(':(glob)*.md', ':(glob)docs/**/*.md').flatMap(file => findingsIn(file, read(file)))).toEqual([])
})

test('the texts of the product have none of the phrases of a translation', () => {
  const sources = filesIn('packages/*/src/*.ts', 'packages/*/src/*.tsx').filter(
    file => !/\.(test|fixture)\.ts$/.test(file),
  )
  expect(sources.flatMap(textFindings)).toEqual([])
})
