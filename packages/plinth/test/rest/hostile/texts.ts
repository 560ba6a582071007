// Texts that have broken other systems, and the ways in which they can be written into an address.

import fc from 'fast-check'

const marks = [
  "'",
  '"',
  '\\',
  '*',
  '%',
  '_',
  ';',
  ',',
  '(',
  ')',
  '=',
  '!',
  '~',
  '<',
  '>',
  ' ',
  '\t',
  '.',
  '-',
  '/',
  '?',
  '#',
  '&',
  '+',
  '|',
  '[',
  ']',
  '{',
  '}',
  '$',
  '^',
  '`',
  '@',
  ':',
]

const famous = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  'a\udfffb',
  '\ufeff',
  '\ufffe',
  '\u2028',
  '\u202e',
  'ﬀ',
  'İ',
  'ß',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  '\r\nX-Injected: yes',
  '%0d%0aX-Injected: yes',
  '__proto__',
  'constructor',
  'constructor.prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'null',
  'undefined',
  'true',
  'false',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '1e-999',
  '0x10',
  '１２',
  '9007199254740993',
  '9223372036854775808',
  '-9223372036854775809',
  '340282366920938463463374607431768211456',
  '0.1234567890123456789',
  `${'9'.repeat(400)}`,
  '2024-02-30',
  '0000-00-00',
  '-000001-01-01',
  '+010000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999+14:00',
  '2024-01-01T24:00:00Z',
  '253402300800000',
  '-62135596800001',
  '8640000000000001',
  "' OR '1'='1",
  "'; DROP TABLE books; --",
  '" UNION SELECT 1 --',
  '$1',
  '?1',
  ':name',
  '%s%n',
  '$' + '{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  ']]>',
  '<!ENTITY x "y">',
  '&amp;',
  '../../etc/passwd',
  '..\\..\\x',
  '/etc/passwd',
  'C:\\x',
  'file:///x',
  'http://127.0.0.1:1/',
  '.',
  '..',
  '*',
  '%',
  '**%%**',
  '\\',
  '\\\\\\',
  '\\*',
  '=cmd|x',
] as const

export const nasty: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...famous) },
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...marks, 'a', 'G', '0'), maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)),
      maxLength: 10,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('a', '(', ')', '*', "'", '\\', ',', 'ß', '👩', '-', ' ', '.'),
        fc.oneof({ weight: 9, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.nat(9000) }),
      )
      .map(([unit, times]) => unit.repeat(times)),
  },
)

/** Some characters taken out, doubled or replaced. */
export const mutated = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.array(fc.tuple(fc.nat(), fc.constantFrom('cut', 'put', 'swap', 'end'), nasty), { maxLength: 3 }))
    .map(([whole, changes]) =>
      changes.reduce((now, [where, how, what]) => change(now, where % (now.length + 1), { how, what }), whole),
    )

const change = (text: string, at: number, { how, what }: { how: string; what: string }): string => {
  if (how === 'cut') return text.slice(0, at) + text.slice(at + 1)
  if (how === 'put') return text.slice(0, at) + what + text.slice(at)
  if (how === 'swap') return text.slice(0, at) + what + text.slice(at + 1)
  return text.slice(0, at)
}

/** Each code unit that is no UTF-8 of its own becomes the three bytes that careless encoders write. */
const percentOf = (text: string): string =>
  [...text]
    .map(character => {
      const code = character.codePointAt(0) ?? 0
      if (code < 0xd800 || code > 0xdfff) return encodeURIComponent(character)
      return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)].map(toPercent).join('')
    })
    .join('')

const toPercent = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`

/** What may stand in a request line at all; the rest is encoded. */
const asIs = (text: string): string => text.replace(/[^\x21-\x7e\x80-\xff]/gu, percentOf)

const spelled = (text: string, how: number): string => {
  if (how > 10) return percentOf(text)
  if (how > 7) return asIs(text)
  if (how > 6) return encodeURIComponent(percentOf(text))
  if (how > 5) return `${percentOf(text)}%`
  if (how > 4) return `%zz${percentOf(text)}`
  if (how > 3) return `${percentOf(text)}%C0%AF`
  if (how > 2) return `%ED%A0%80${percentOf(text)}`
  if (how > 1) return percentOf(text).toLowerCase()
  return percentOf(text).replaceAll('%20', '+')
}

/** A text as it may arrive in an address: mostly as it should be. */
export const encoded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat(250)).map(([plain, how]) => spelled(plain, 250 - how))
