// Queries: the grammar of searches, spoken well, badly and not at all.

import fc from 'fast-check'
import { encoded, mutated, nasty } from './texts.ts'

/** What the generators know of the service under test. */
export interface Ground {
  /** Names of fields, hidden ones among them. */
  readonly fields: readonly string[]
  /** The fields that queries can name, by resource: its own and those of related records. */
  readonly reachable: Readonly<Record<string, readonly string[]>>
  readonly resources: readonly string[]
  /** Real cursors. */
  readonly cursors: readonly string[]
  readonly pks: readonly string[]
}

const operators = [
  '==',
  '!=',
  '=gt=',
  '>',
  '=ge=',
  '>=',
  '=lt=',
  '<',
  '=le=',
  '<=',
  '=in=',
  '=out=',
  '=like=',
  '=ilike=',
  '=isnull=',
  '=bt=',
]
const wrongOperators = ['=', '===', '=!=', '=foo=', '=~', '<>', '=IN=', '= =', '=like']

const pathsOf = ({ fields, reachable }: Ground, resource: string): fc.Arbitrary<string> => {
  const name = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...fields) },
    { weight: 1, arbitrary: nasty },
    { weight: 1, arbitrary: fc.constantFrom('pk', 'id', 'version', '__proto__', 'constructor', 'passwordHash') },
  )
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('pk', ...(reachable[resource] ?? [])) },
    { weight: 2, arbitrary: name },
    { weight: 1, arbitrary: fc.array(name, { minLength: 2, maxLength: 9 }).map(names => names.join('.')) },
  )
}

const valuesOf = (ground: Ground): fc.Arbitrary<string> => {
  const bare = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '1',
        '-5',
        '12.50',
        'true',
        'false',
        '2024-05-06',
        '2024-05-06T07:08:09Z',
        'G*',
        '*e*',
        'hardcover',
        'pb',
        ...ground.pks,
      ),
    },
    { weight: 1, arbitrary: nasty },
  )
  const quotedBy = (quote: string) =>
    bare.map(text => quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote)
  const one = fc.oneof(bare, quotedBy("'"), quotedBy('"'))
  return fc.oneof(
    { weight: 4, arbitrary: one },
    { weight: 2, arbitrary: fc.array(one, { minLength: 1, maxLength: 4 }).map(list => `(${list.join()})`) },
  )
}

const filterOf = (ground: Ground, resource: string): fc.Arbitrary<string> => {
  const operator = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...operators) },
    { weight: 1, arbitrary: fc.constantFrom(...wrongOperators) },
  )
  const comparison = fc.tuple(pathsOf(ground, resource), operator, valuesOf(ground)).map(parts => parts.join(''))
  const { tree } = fc.letrec<{ tree: string }>(tie => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      comparison,
      fc
        .tuple(tie('tree'), fc.constantFrom(';', ',', ' and ', ' or ', ';;', ' '), tie('tree'))
        .map(parts => parts.join('')),
      tie('tree').map(inner => `(${inner})`),
    ),
  }))
  const deep = fc
    .tuple(comparison, fc.nat(60), fc.nat(60))
    .map(([inner, open, close]) => '('.repeat(open) + inner + ')'.repeat(close))
  const wide = fc
    .tuple(comparison, fc.integer({ min: 50, max: 150 }))
    .map(([one, times]) => Array.from({ length: times }, () => one).join(';'))
  return fc.oneof(
    { weight: 10, arbitrary: tree },
    { weight: 6, arbitrary: mutated(tree) },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: wide },
    { weight: 2, arbitrary: nasty },
  )
}

/** A real cursor with some bits turned, or with other content in the same wrapping. */
const cursorOf = ({ cursors }: Ground): fc.Arbitrary<string> => {
  const real = fc.constantFrom(...cursors)
  const turned = fc.tuple(real, fc.array(fc.nat(), { minLength: 1, maxLength: 4 })).map(([cursor, bits]) => {
    const bytes = Buffer.from(cursor, 'base64url')
    for (const bit of bits) {
      const at = (bit >> 3) % bytes.length
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
    }
    return bytes.toString('base64url')
  })
  const rewritten = fc
    .tuple(real, fc.array(fc.oneof(fc.jsonValue(), nasty), { maxLength: 4 }))
    .map(([cursor, values]) => {
      const [spec] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
      return Buffer.from(JSON.stringify([spec, ...values])).toString('base64url')
    })
  return fc.oneof(real, turned, rewritten, mutated(real), nasty)
}

const listOf = (entry: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(entry, { minLength: 1, maxLength }).map(entries => entries.join())

const numbers = fc.oneof(
  fc.integer({ min: -2, max: 600 }).map(String),
  fc.constantFrom('2147483647', '2147483648', '1e3', '0x1', '٣', ' 5', '5.0', ''),
  nasty,
)

const parameterOf = (ground: Ground, resource: string): fc.Arbitrary<readonly [string, string]> => {
  const path = pathsOf(ground, resource)
  const signed = fc.tuple(fc.constantFrom('', '-', '+', '--', ' - '), path).map(parts => parts.join(''))
  const type = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ground.resources) }, { weight: 1, arbitrary: nasty })
  const pair = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) => fc.tuple(encoded(name), encoded(value))
  const named = (name: string, value: fc.Arbitrary<string>) => pair(fc.constant(name), value)
  return fc.oneof(
    { weight: 10, arbitrary: named('filter', filterOf(ground, resource)) },
    { weight: 4, arbitrary: named('sort', listOf(fc.oneof(signed, nasty), 12)) },
    { weight: 3, arbitrary: named('include', listOf(path, 22)) },
    { weight: 2, arbitrary: named('fields', listOf(path, 5)) },
    {
      weight: 2,
      arbitrary: pair(
        type.map(name => `fields[${name}]`),
        listOf(path, 5),
      ),
    },
    {
      weight: 3,
      arbitrary: pair(fc.constantFrom('_after', 'page[after]', '_before', 'page[before]'), cursorOf(ground)),
    },
    {
      weight: 3,
      arbitrary: pair(
        fc.constantFrom('_pn', '_ps', 'page[number]', 'page[size]', 'page[offset]', 'page[limit]', 'days', 'size'),
        numbers,
      ),
    },
    {
      weight: 1,
      arbitrary: pair(
        fc.constantFrom('_total', 'page[total]'),
        fc.oneof(fc.constantFrom('exact', 'estimated', 'none'), nasty),
      ),
    },
    { weight: 1, arbitrary: named('page', fc.oneof(fc.constant('no'), nasty)) },
    {
      weight: 2,
      arbitrary: pair(
        fc.constantFrom('pks', 'pks[]'),
        listOf(fc.oneof(fc.constantFrom('GR', ...ground.pks), nasty), 6),
      ),
    },
    {
      weight: 3,
      arbitrary: pair(
        path.map(name => `filter[${name}]`),
        valuesOf(ground),
      ),
    },
    {
      weight: 2,
      arbitrary: pair(
        path.map(name => `filter[${name}][]`),
        valuesOf(ground),
      ),
    },
    {
      weight: 1,
      arbitrary: pair(
        fc.constantFrom('page[', 'page[]', 'page[size][]', 'filter[]', 'filter[a][b]', 'fields[]', 'filter[', '[]'),
        nasty,
      ),
    },
    { weight: 4, arbitrary: pair(path, valuesOf(ground)) },
    { weight: 1, arbitrary: pair(nasty, nasty) },
  )
}

/** Makes a query from the question mark on; empty when there is none. */
export const queryOf = (ground: Ground, resource: string): fc.Arbitrary<string> => {
  const parameter = parameterOf(ground, resource)
  const joined = (pairs: readonly (readonly [string, string])[]) => `?${pairs.map(pair => pair.join('=')).join('&')}`
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    { weight: 16, arbitrary: parameter.map(pair => joined([pair])) },
    { weight: 10, arbitrary: fc.array(parameter, { minLength: 2, maxLength: 4 }).map(joined) },
    { weight: 1, arbitrary: encoded(nasty).map(text => `?${text}`) },
    { weight: 1, arbitrary: fc.tuple(parameter, fc.nat(1100)).map(([pair, times]) => joined(Array(times).fill(pair))) },
  )
}
