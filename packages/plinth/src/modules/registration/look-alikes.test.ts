import { expect, test } from 'vitest'
import { skeletonOf } from './look-alikes.ts'

test.each([
  ['Lisu letters', '\ua4ee\ua4d3\ua4df\ua4f2\ua4e0', 'admin'],
  ['Cherokee letters', '\u13aa\u13e2\u13a5', 'api'],
  ['Canadian syllabics', '\u15e9\u15ea\u15f0\u14f0\u144e', 'admin'],
  ['Coptic letters', '\u2c81\u2ca3\u2c93', 'api'],
  ['Armenian letters', '\u0570\u057d\u0581\u0585', 'hugo'],
  ['Cyrillic letters', '\u0433\u043e\u043e\u0442', 'root'],
  ['a letter of medieval texts', '\ua75boot', 'root'],
  ['a sigma', '\u03f2lient', 'client'],
  ['a dash', 'help\u2013desk', 'helpdesk'],
  ['a dot in the middle', 'sys\u00b7tem', 'system'],
  ['an apostrophe', "sup'port", 'support'],
  ['stars', '\u2605admin\u2605', 'admin'],
  ['a trademark', 'support\u00ae', 'support'],
  ['digits', 'R00T5', 'roots'],
])('a name with %s looks like another one', (_, name, other) => {
  expect(skeletonOf(name)).toBe(skeletonOf(other))
})

test.each([
  ['zeldana', 'zelda'],
  ['roots', 'root'],
  ['иван', 'ivan'],
  ['さくら', 'sakura'],
])('%s does not look like %s', (name, other) => {
  expect(skeletonOf(name)).not.toBe(skeletonOf(other))
})
