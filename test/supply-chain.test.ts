// What comes from others: which packages, under which licences, and pinned to which content.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isPermissive, licenceFaults, productionPackages, sbomOf } from '../scripts/sbom.ts'

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const components = productionPackages(read('package-lock.json'))

test('packages of an installation have permissive licences, or NOTICE names them', () => {
  expect(components.length).toBeGreaterThan(50)
  expect(licenceFaults(components, read('NOTICE'))).toEqual([])
  const strict = { name: 'strict', version: '1.0.0', license: 'AGPL-3.0-only', integrity: undefined, isOptional: false }
  expect(licenceFaults([strict], read('NOTICE'))).toEqual([
    'strict has the licence AGPL-3.0-only: name it in NOTICE, or do without it.',
  ])
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-2.0)', true],
  ['Apache-2.0 AND LGPL-3.0-or-later', false],
  ['unknown', false],
])('the licence %s is permissive: %s', (expression, expected) => {
  expect(isPermissive(expression)).toBe(expected)
})

test('each package is known by the digest of its content', () => {
  expect(components.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([])
})

test('the list of packages names each of them once, with its version, its licence and its digest', () => {
  const { components: listed, metadata } = sbomOf(components, { name: 'plinth', version: '1.2.3' })
  expect(metadata.component).toMatchObject({ name: 'plinth', version: '1.2.3' })
  expect(new Set(listed.map(one => one.purl)).size).toBe(listed.length)
  const fastify = listed.find(({ name }) => name === 'fastify')
  expect(fastify).toMatchObject({ licenses: [{ expression: 'MIT' }], scope: 'required' })
  expect(fastify?.purl).toMatch(/^pkg:npm\/fastify@\d/)
  expect(fastify?.hashes[0]?.content).toMatch(/^[\da-f]{128}$/)
})

test('actions are pinned to commits', () => {
  const files = [
    '.github/workflows/ci.yaml',
    '.github/workflows/nightly.yaml',
    'packages/create-plinth/template/_github/workflows/ci.yaml',
  ]
  const used = files.flatMap(file => [...read(file).matchAll(/uses: (\S+)/g)].map(([, action = '']) => action))
  expect(used.length).toBeGreaterThan(2)
  expect(used.filter(action => !/@[\da-f]{40}$/.test(action))).toEqual([])
})
