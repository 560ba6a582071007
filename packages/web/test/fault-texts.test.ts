// Every fault of the service has a text in each language of the web client.

import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { fault } from 'plinth'
import { expect, test } from 'vitest'
import { faultTexts } from '../src/common/fault-texts.ts'

const env = { APP_MODULES: 'rental,membership' }
const tables = [
  fault.table,
  ...modulesFor(loadConfig({ env, cwd: import.meta.dirname })).map(({ faults = {} }) => faults),
]
const messages = new Map(tables.flatMap(table => Object.entries(table)))

const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

test('a code means the same in every module', () => {
  const twice = tables.flatMap(table => Object.entries(table)).filter(([code, text]) => messages.get(code) !== text)
  expect(twice).toEqual([])
})

test.each(Object.entries(faultTexts.texts))(
  'in %s there is a text for every code, which names only its parameters',
  (_, texts) => {
    expect(Object.keys(texts).sort()).toEqual([...messages.keys()].sort())
    for (const [code, text] of Object.entries(texts)) {
      const known = [...namesIn(messages.get(code) ?? ''), 'message']
      expect([code, namesIn(String(text)).filter(name => !known.includes(name))]).toEqual([code, []])
    }
  },
)
