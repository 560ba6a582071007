import { describe, expect, test } from 'vitest'
import { canonicalX500, isX500, readX500 } from './x500.ts'

describe('spellings of one name', () => {
  test.each([
    ['O=Alpha Works, L=London, C=GB'],
    ['C=GB,L=London,O=Alpha Works'],
    ['  o = Alpha   Works ;l=London;  c=gb '],
    ['L=London, O=Alpha\\20Works, C=GB'],
    ['O=\\41lpha Works,L=London,C=GB'],
    ['O=Alpha\tWorks,\nL=London, C=GB'],
  ])('%j is the same', spelling => {
    expect(canonicalX500(spelling)).toBe('O=Alpha Works, L=London, C=GB')
  })

  test.each([
    ['C=GR,ST=Attica,L=Athens,O=Beta,OU=Nodes,CN=One', 'CN=One, OU=Nodes, O=Beta, L=Athens, ST=Attica, C=GR'],
    ['O=Smith\\, Jones \\+ Co,L=Paris,C=FR', 'O=Smith\\, Jones \\+ Co, L=Paris, C=FR'],
    ['O=Caf\\C3\\A9,L=Paris,C=FR', 'O=Café, L=Paris, C=FR'],
    ['O=Cafe\u0301,L=Paris,C=FR', 'O=Café, L=Paris, C=FR'],
    ['O=Alpha\\ ,L=Paris,C=FR', 'O=Alpha, L=Paris, C=FR'],
    ['O=\\#1 Ltd,L=Paris,C=FR', 'O=\\#1 Ltd, L=Paris, C=FR'],
    ['O=a\\\\b,L=Paris,C=FR', 'O=a\\\\b, L=Paris, C=FR'],
    ['O=A\\=B,L=Paris,C=FR', 'O=A\\=B, L=Paris, C=FR'],
  ])('%j becomes %j, which stays as it is', (spelling, canonical) => {
    expect(canonicalX500(spelling)).toBe(canonical)
    expect(canonicalX500(canonical)).toBe(canonical)
  })
})

test.each([
  ['', /must consist of/],
  ['O=Alpha', /needs L/],
  ['O=Alpha, L=London', /needs C/],
  ['L=London, C=GB', /needs O/],
  ['O=Alpha, L=London, C=XX', /ISO 3166/],
  ['O=Alpha, L=London, C=GBR', /at most 2/],
  ['O=Alpha, O=Beta, L=London, C=GB', /O twice/],
  ['O=Alpha, L=London, C=GB, DC=com', /must consist of/],
  ['O=Alpha+OU=x, L=London, C=GB', /unescaped/],
  ['O="Alpha", L=London, C=GB', /unescaped/],
  ['O=#0401, L=London, C=GB', /hexadecimal/],
  ['O=Al\\pha, L=London, C=GB', /backslash/],
  ['O=Alpha, L=London, C=GB\\', /backslash/],
  ['O=A, L=London, C=GB', /at least 2/],
  ['O= , L=London, C=GB', /empty/],
  ['O=Al\\00pha, L=London, C=GB', /invalid characters/],
  ['O=Al\u202epha, L=London, C=GB', /invalid characters/],
  [`O=${'a'.repeat(129)}, L=London, C=GB`, /at most 128/],
  [`O=Alpha, L=${'a'.repeat(65)}, C=GB`, /at most 64/],
  [`O=${'b'.repeat(1000)}, L=London, C=GB`, /at most 1000/],
  [`CN=${'a'.repeat(64)},OU=${'b'.repeat(64)},O=${'c'.repeat(128)},L=${'d'.repeat(64)},C=GB`, /300 characters in all/],
])('%j is refused', (text, message) => {
  expect(() => readX500(text)).toThrow(message)
})

test('the plain name of an organisation is not taken for an X.500 name', () => {
  expect([isX500('Alpha Works'), isX500('E=mc2 Ltd'), isX500('c = gb, o=x')]).toEqual([false, false, true])
})

test('a hostile name costs no more than its length', () => {
  const hostile = `O=${'\\,'.repeat(400)}`
  expect(() => readX500(hostile)).toThrow()
})
