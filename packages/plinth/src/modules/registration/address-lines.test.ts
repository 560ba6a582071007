import { expect, test } from 'vitest'
import { readAddressLines } from './invitations.ts'

test.each([
  ['ada@example.org', [['ada@example.org', '', '']]],
  ['<ada@example.org>', [['ada@example.org', '', '']]],
  ['Ada Lovelace <ada@example.org>', [['ada@example.org', 'Ada', 'Lovelace']]],
  ['Ada King Lovelace<ada@example.org>', [['ada@example.org', 'Ada', 'King Lovelace']]],
  ['"Lovelace, Ada" <ada@example.org>', [['ada@example.org', 'Ada', 'Lovelace']]],
  ['"Ada \\"the Countess\\" Lovelace" <ada@example.org>', [['ada@example.org', 'Ada', '"the Countess" Lovelace']]],
  ['"a; b" <ada@example.org>', [['ada@example.org', 'a;', 'b']]],
  ["'Ada Lovelace' <ada@example.org>", [['ada@example.org', 'Ada', 'Lovelace']]],
  ["'ada@example.org' <ada@example.org>", [['ada@example.org', '', '']]],
  ["'ada@example.org'", [['ada@example.org', '', '']]],
  ['ada@example.org (Ada Lovelace)', [['ada@example.org', 'Ada', 'Lovelace']]],
  ['ada@example.org (Lovelace, Ada)', [['ada@example.org', 'Ada', 'Lovelace']]],
  ['"Lovelace, Ada"\r\n <ada@example.org>', [['ada@example.org', 'Ada', 'Lovelace']]],
  [
    '"Lovelace, Ada" <ada@example.org>; Charles Babbage <cb@example.org>,\n\n  plain@example.org;',
    [
      ['ada@example.org', 'Ada', 'Lovelace'],
      ['cb@example.org', 'Charles', 'Babbage'],
      ['plain@example.org', '', ''],
    ],
  ],
])('%j is understood', (text, expected) => {
  const { recipients, invalid } = readAddressLines(text)
  expect(recipients.map(({ email, firstName, lastName }) => [email, firstName, lastName])).toEqual(expected)
  expect(invalid).toEqual([])
})

test.each([
  ['nonsense, ada@example.org', ['nonsense']],
  ['"Q, X" <q@>, ada@example.org', ['"Q, X" <q@>']],
  // A quote or a bracket that is never closed spoils its own entry alone.
  ['"Lovelace, ada@example.org', ['"Lovelace']],
  ['"Lovelace <x@example\nada@example.org', ['"Lovelace <x@example']],
  ['(unclosed, ada@example.org', ['(unclosed']],
  ['<a@example.org,b@example.org>, ada@example.org', ['<a@example.org,b@example.org>']],
  ['Ada ada@example.org; ada@example.org', ['Ada ada@example.org']],
])('of %j one entry is invalid', (text, expected) => {
  const { recipients, invalid } = readAddressLines(text)
  expect([recipients.map(({ email }) => email), invalid]).toEqual([['ada@example.org'], expected])
})

test.each(['"', '<', '(', '\\"', '"\\', '"a', ',"', '<>'])('a long text of %j is read in one pass', piece => {
  expect(readAddressLines(piece.repeat(25_000)).recipients).toEqual([])
})
