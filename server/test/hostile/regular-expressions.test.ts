// No regular expression may take more than linear time on what callers send. Proved by analysis of the expressions
// themselves, so that no clock is needed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, expect, test, vi } from 'vitest'

/** Of a degree above one, and harmless: the text is the service's own or has a small bound. */
const harmless: Readonly<Record<string, string>> = {
  '/\\/+$/': 'cuts slashes off the configured base address',
  '/=+$/': 'cuts the padding off base64 that the service has made',
  '/[/\\\\]assets[/\\\\][^/\\\\]+-[\\w-]{8,}(?:\\.\\w+)+$/': 'reads the path of a file that exists in the build',
  '/^[^\\p{L}]+|[^\\p{L}]+$/gu': 'reads passwords, which have a bound',
  '/^(?:at )?(?:async )?(?:(.+?) \\()?(.+?):(\\d+):\\d+\\)?$/': 'reads the lines of a stack',
}

/** Safe, found so by long searches; searched again with HOSTILE_EXPRESSIONS=all. */
const searched: readonly string[] = [
  '/your|my|our|the|this|is|not|an?|at|least|\\d+|bits?|bytes?|characters?|jwt|token|signing|super|very|long|top|secret|key|change|me|it|pass(word|phrase)?|please|default|example|test|dev|abc|xyz|[^a-z]/g',
  '/^https?:\\/\\/(?:[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*|\\[[0-9a-f:.]+\\])(?::[1-9]\\d{0,4})?$/',
  '/^https:\\/\\/(?:(?:[a-z0-9_-]+\\.)*localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])(?::\\d+)?$/',
  '/^[A-Z-]{1,40} [/*h]/',
  '/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/',
  '/^(?:https?:\\/\\/[^/]+)?\\/api\\/rest\\/([^/?#]+)(?:\\/([^/?#]+)(?:\\/relationships\\/([^/?#]+))?)?$/',
  '/^[\\x21-\\x7e]{1,255}$/',
  '/^[^\\0]{1,255}$/',
  '/(^|,)\\s*return=minimal\\s*(,|;|$)/i',
  '/^(UNIQUE|NOT NULL) constraint failed: (.*)$/',
  '/^(08...|53...|57P0.|CONNECTION_.*|CONNECT_TIMEOUT|ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/',
  '/:\\d+:\\d+(?=\\)?$)/',
  '/^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\\[[0-9A-Fa-f:]+\\])(?::[0-9]{1,5})?$/',
  '/(?<!\\\\)(?:\\\\\\\\)*[+"<>]/',
  '/ (?=[A-Z][a-z]+(?: |$))/',
]

/** Made while the service starts, from parts that stand in the code. */
const madeAtStart: readonly string[] = [
  'config/names.ts',
  'core/describe/example.ts',
  'core/model/fields/number.ts',
  'modules/mail/address.ts',
  'modules/management/heap-dump.ts',
]

const sources = fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  file => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file),
)

const literals = new Map<string, string[]>()
const constructed = new Set<string>()

const visit = (file: string) => (node: ts.Node) => {
  if (ts.isRegularExpressionLiteral(node)) literals.set(node.text, [...(literals.get(node.text) ?? []), file])
  if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') constructed.add(file)
  ts.forEachChild(node, visit(file))
}
for (const file of files) {
  visit(file)(ts.createSourceFile(file, readFileSync(join(sources, file), 'utf8'), ts.ScriptTarget.Latest, true))
}

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
  const known = process.env.HOSTILE_EXPRESSIONS === 'all' ? [] : searched
  const faults = [...literals]
    .filter(([literal]) => !(literal in harmless) && !known.includes(literal))
    .map(([literal, where]) => ({ literal, where, verdict: verdictOf(literal) }))
    .filter(({ verdict }) => verdict !== 'safe')
  expect(faults).toEqual([])
})

test('no regular expression is made from what callers send', () => {
  expect([...constructed].sort()).toEqual(madeAtStart)
})

test('the lists above hold nothing that the code no longer has', () => {
  expect([...Object.keys(harmless), ...searched].filter(literal => !literals.has(literal))).toEqual([])
})
