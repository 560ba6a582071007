// The prose check itself; `npm run check` runs it over all pages, comments and texts.

import { expect, test } from 'vitest'
import { findingsIn } from '../scripts/prose.ts'

test('phrases of a translation are found in pages, with their lines and what to write instead', () => {
  expect(findingsIn('docs/page.md', 'Good.\n\nThe client is told, and nobody waits.')).toEqual([
    { file: 'docs/page.md', line: 3, found: 'is told', instead: 'is notified, is sent, is reported' },
    { file: 'docs/page.md', line: 3, found: 'nobody', instead: 'the caller, a user, no one' },
  ])
})

test('in code, comments and texts are read, and names are not', () => {
  const code = `// A comment that goes on as it\n// stands.\nconst nobody = 'nobody'\nexport const text = \`Sown data \${nobody}\`\n`
  expect(findingsIn('src/code.ts', code).map(({ line, found }) => [line, found])).toEqual([
    [1, 'as it stands'],
    [4, 'Sown'],
  ])
})

test('doc comments without a subject are found', () => {
  const code = [
    '/** Of one body. */',
    '/** Null when there is no such file. It is read once. */',
    '/**',
    ' * Those that the node',
    ' * does not have yet.',
    ' */',
    '/** In JSON:API, every document has one. */',
    '/** The size of one body. */',
    '/** Returns null when there is no such file. */',
    '// Of one body.',
  ]
  expect(findingsIn('src/code.ts', code.join('\n')).map(({ line, found }) => [line, found])).toEqual([
    [1, 'Of one body.'],
    [2, 'Null when there is no such file.'],
    [3, 'Those that the node does not have yet.'],
  ])
})
