// What the page about the security standard says can be shown: each test that it names exists.

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chapters } from '../asvs.ts'

const root = new URL('../../../', import.meta.url)
const requirements = chapters().flatMap(({ requirements }) => requirements)

test('every requirement of levels 1 and 2 is there once, in its order', () => {
  expect(requirements.filter(({ level }) => level === 1)).toHaveLength(70)
  expect(requirements.filter(({ level }) => level === 2)).toHaveLength(183)
  const numbers = requirements.map(({ number }) => number)
  const inOrder = new Intl.Collator('en', { numeric: true })
  expect(numbers).toEqual([...new Set(numbers)].sort(inOrder.compare))
  for (const [at, { requirements }] of chapters().entries())
    for (const { number } of requirements) expect(number).toMatch(new RegExp(`^${at + 1}\\.\\d+\\.\\d+$`))
})

test('what is met is shown, and what is not is explained', () => {
  for (const { number, state, title, how, evidence } of requirements) {
    expect([number, title !== '', how !== '']).toEqual([number, true, true])
    if (state === 'met') expect([number, evidence === null]).toEqual([number, false])
    if (state === 'none') expect([number, evidence]).toEqual([number, null])
  }
})

test('the tests and pages that are named exist', () => {
  const missing = requirements.flatMap(({ number, evidence }) => {
    if (evidence === null) return []
    const file = new URL(evidence.file, root)
    if (!existsSync(file)) return [`${number}: there is no ${evidence.file}`]
    if (evidence.file.endsWith('.md')) return []
    const isThere = evidence.test !== null && readFileSync(file, 'utf8').includes(evidence.test)
    return isThere ? [] : [`${number}: ${evidence.file} has no test '${evidence.test}'`]
  })
  expect(missing).toEqual([])
})
