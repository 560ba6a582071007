// No regular expression may take more than linear time on what callers send. Proved by analysis of the expressions
// themselves, so that no clock is needed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, expect, test, vi } from 'vitest'

/** The expressions of a degree above one that are harmless: the text is the service's own or has a small bound. */
const harmless: Readonly<Record<string, string>> = {
  '/\\/+$/': 'cuts slashes off the configured base address',
  '/=+$/': 'cuts the padding off base64 that the service has made',
  '/^[^\\p{L}]+|[^\\p{L}]+$/gu': 'reads passwords, which have a bound',
  '/\\{[^}]*\\}/g': 'reads the paths of endpoints, which stand in the code',
  '/\\{([^}]*)\\}/g': 'reads the paths of endpoints, which stand in the code',
  '/(?:\\(|at |@)((?:file:\\/\\/|\\/|[A-Za-z]:\\\\)[^()\\n]*?):(\\d+):\\d+\\)?$/gm': 'reads the lines of a stack',
  '/^s3:\\/\\/([^/]+)\\/?(.*)$/': 'reads a setting or an option of the command line',
  '/^\\/api\\/rest\\/(\\w+)(.*)$/': 'reads the paths of an OpenAPI document, for `plinth types`',
  '/\\/\\/.*|\\/\\*[\\s\\S]*?\\*\\/|\'(?:\\\\.|[^\'\\\\\\n])*\'|"(?:\\\\.|[^"\\\\\\n])*"|`(?:\\\\[\\s\\S]|[^`\\\\])*`/g':
    'reads source files of the application, for `plinth generate`',
  '/^import\\s[^\'"]*?from\\s*([\'"])([^\'"]+)\\1(;?)[ \\t]*$/gm':
    'reads source files of the application, for `plinth generate`',
  '/your|my|our|the|this|is|not|an?|at|least|\\d+|bits?|bytes?|characters?|jwt|token|signing|super|very|long|top|secret|key|change|me|it|pass(word|phrase)?|please|default|example|test|dev|abc|xyz|[^a-z]/g':
    'reads the secret of the settings',
  '/^(?:at )?(?:async )?(?:(.+?) \\()?(.+?):(\\d+):\\d+\\)?$/': 'reads the lines of a stack',
}

/**
 * The expressions found safe by analysis, which takes minutes for all of them; `npm run test:all` analyses them again.
 */
const verified: readonly string[] = readFileSync(new URL('verified-expressions.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')

/**
 * The expressions made while the service or a command starts, or for its own statements, from parts that stand in the
 * code or were typed at the command line.
 */
const madeAtStart: readonly string[] = [
  'app/pages/page-entry.ts',
  'app/pages/shared-modules.ts',
  'cli/generate.ts',
  'cli/source-list.ts',
  'core/config/names.ts',
  'core/describe/example.ts',
  'core/model/email-address.ts',
  'core/model/fields/number.ts',
  'core/model/numbering.ts',
  'core/store/sqlite/connection.ts',
  'modules/management/process.ts',
]

const packages = ['../../../src', '../../../../rental/src', '../../../../membership/src'].map(folder =>
  fileURLToPath(new URL(folder, import.meta.url)),
)
const files = packages.flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
    .map(file => ({ file, text: readFileSync(join(folder, file), 'utf8') })),
)

const literals = new Map<string, string[]>()
const constructed = new Set<string>()

const visit = (file: string) => (node: ts.Node) => {
  if (ts.isRegularExpressionLiteral(node)) literals.set(node.text, [...(literals.get(node.text) ?? []), file])
  if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') constructed.add(file)
  ts.forEachChild(node, visit(file))
}
for (const { file, text } of files) visit(file)(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))

let check: typeof import('recheck').checkSync
beforeAll(async () => {
  // In this process, without a virtual machine of another language.
  vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure')
  check = (await import('recheck')).checkSync
})

const verdictOf = (literal: string): string => {
  const end = literal.lastIndexOf('/')
  const found = check(literal.slice(1, end), literal.slice(end + 1), { timeout: Number.POSITIVE_INFINITY })
  return found.status === 'vulnerable' ? `${found.complexity.summary}, by ${found.attack.pattern}` : found.status
}

test('every regular expression is linear in what callers send', { timeout: 600_000 }, () => {
  const known = new Set(process.env.TEST_ALL === 'true' ? [] : verified)
  const faults = [...literals]
    .filter(([literal]) => !(literal in harmless) && !known.has(literal))
    .map(([literal, where]) => ({ literal, where, verdict: verdictOf(literal) }))
    .filter(({ verdict }) => verdict !== 'safe')
  expect(faults).toEqual([])
})

test('no regular expression is made from what callers send', () => {
  expect([...constructed].sort()).toEqual(madeAtStart)
})

test('the lists above hold nothing that the code no longer has', () => {
  expect([...Object.keys(harmless), ...verified].filter(literal => !literals.has(literal))).toEqual([])
})
