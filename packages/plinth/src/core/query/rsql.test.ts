import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../problem.ts'
import { anyText, faultsOf, problemOf } from './film-store.fixture.ts'
import { operators, type RsqlNode, readRsql } from './rsql.ts'

/** A tree in short: `['and', 'a == b', …]`; wildcards show as gaps between pieces. */
type Short = string | readonly Short[]

const shorten = (node: RsqlNode): Short => {
  if (node.kind === 'not') return ['not', shorten(node.part)]
  if (node.kind !== 'comparison') return [node.kind, ...node.parts.map(shorten)]
  return `${node.selector} ${node.operator} ${node.values.map(({ pattern }) => pattern.join('…')).join('|')}`
}

test.each<[string, Short]>([
  ['a==b', 'a == b'],
  ['a!=b', 'a != b'],
  ['a=gt=1', 'a > 1'],
  ['a>1', 'a > 1'],
  ['a=ge=1', 'a >= 1'],
  ['a>=1', 'a >= 1'],
  ['a=lt=1', 'a < 1'],
  ['a<1', 'a < 1'],
  ['a=le=1', 'a <= 1'],
  ['a<=1', 'a <= 1'],
  ['a=in=(x,y,z)', 'a =in= x|y|z'],
  ['a=in=x', 'a =in= x'],
  ['a=out=( x , "y z" )', 'a =out= x|y z'],
  ['a=like=Al*', 'a =like= Al…'],
  ['a=ilike=%al%', 'a =ilike= …al…'],
  ['a=isnull=true', 'a =isnull= true'],
  ['a=bt=(1,5)', 'a =bt= 1|5'],
  ['a.b.c==x', 'a.b.c == x'],
  ['a==-1.5', 'a == -1.5'],
  ['a==2024-01-01T10:00:00Z', 'a == 2024-01-01T10:00:00Z'],
  ['a==1;b==2', ['and', 'a == 1', 'b == 2']],
  ['a==1 and b==2', ['and', 'a == 1', 'b == 2']],
  ['a==1,b==2', ['or', 'a == 1', 'b == 2']],
  ['a==1 or b==2', ['or', 'a == 1', 'b == 2']],
  ['a==1,b==2;c==3,d==4', ['or', 'a == 1', ['and', 'b == 2', 'c == 3'], 'd == 4']],
  ['(a==1,b==2);c==3', ['and', ['or', 'a == 1', 'b == 2'], 'c == 3']],
  ['(a==1 or b==2) and(c==3)', ['and', ['or', 'a == 1', 'b == 2'], 'c == 3']],
  ['((a==1))', 'a == 1'],
  ['!(a==1,b==2);c==3', ['and', ['not', ['or', 'a == 1', 'b == 2']], 'c == 3']],
  ['!(!(a==1))', ['not', ['not', 'a == 1']]],
  [' a == 1 ; ( b == 2 ) ', ['and', 'a == 1', 'b == 2']],
  ['and==or;or==and', ['and', 'and == or', 'or == and']],
  ['android==1;oreo==2', ['and', 'android == 1', 'oreo == 2']],
  ["a=='it\\'s'", "a == it's"],
  ['a=="say \\"hi\\""', 'a == say "hi"'],
  ["a=='x;y,(z)=1'", 'a == x;y,(z)=1'],
  ["a=='a\\\\b'", 'a == a\\b'],
  ["a==O\\'Brien", "a == O'Brien"],
  ['a==x\\;y', 'a == x;y'],
  ['a==*x*', 'a == …x…'],
  ['a==x**%y', 'a == x…y'],
  ['a==x\\*y', 'a == x*y'],
  ["a=='x\\%*'", 'a == x%…'],
  ['a==_', 'a == _'],
  ["a==''", 'a == '],
  ["a=='';b==1", ['and', 'a == ', 'b == 1']],
  ["a=in=('',b)", 'a =in= |b'],
  ['títle==日本', 'títle == 日本'],
])('%s is understood', (text, expected) => {
  expect(shorten(readRsql(text))).toEqual(expected)
})

const listed = operators.join(' ')
const advice = `Quote values that contain spaces or any of " ' ( ) ; , = ! ~ < >`

test.each([
  ['', 0, 'Expected a comparison, such as name==value, or a (, found the end.'],
  ['a==1;', 5, 'Expected a comparison, such as name==value, or a (, found the end.'],
  ['a==1 and', 8, 'Expected a comparison, such as name==value, or a (, found the end.'],
  ['!a==1', 0, "Expected a comparison, such as name==value, or a (, found '!'."],
  ['==1', 0, "Expected a comparison, such as name==value, or a (, found '='."],
  ['a==1;;b==2', 5, "Expected a comparison, such as name==value, or a (, found ';'."],
  ['()', 1, "Expected a comparison, such as name==value, or a (, found ')'."],
  ['title', 5, `Expected one of ${listed} after 'title', found the end.`],
  ['title=Alien', 5, `Expected one of ${listed} after 'title', found '=Alien'.`],
  ['title=eq=Alien', 5, `Expected one of ${listed} after 'title', found '=eq='.`],
  ['title =IN=(a)', 6, `Expected one of ${listed} after 'title', found '=IN='.`],
  ['title~Alien', 5, `Expected one of ${listed} after 'title', found '~'.`],
  ['title!Alien', 5, `Expected one of ${listed} after 'title', found '!'.`],
  ['title is Alien', 6, `Expected one of ${listed} after 'title', found 'i'.`],
  ['title==The Matrix', 11, `Expected ; (and), , (or) or the end, found 'M'. ${advice}`],
  ["title==O'Brien", 8, `Expected ; (and), , (or) or the end, found '''. ${advice}`],
  ['a===1', 3, `Expected a value, found '='. ${advice}`],
  ['a==1)', 4, 'This ) has no matching (; remove it, or add the (.'],
  ['b==2;(a==1', 10, 'Expected ; (and), , (or) or the ) for the ( at position 5, found the end.'],
  ['(a==1 b==2)', 6, `Expected ; (and), , (or) or the ) for the ( at position 0, found 'b'. ${advice}`],
  ['a=in=(1,2', 9, `Expected , or the ) for the list at position 5, found the end. ${advice}`],
  ['a=in=(1 2)', 8, `Expected , or the ) for the list at position 5, found '2'. ${advice}`],
  ['a==', 3, "Expected a value, found the end. Write '' for an empty value."],
  ['a=gt=;b==1', 5, "Expected a value, found ';'. Write '' for an empty value."],
  ['(a!=)', 4, "Expected a value, found ')'. Write '' for an empty value."],
  ['a=in=()', 6, "Expected a value, found ')'. Write '' for an empty value."],
  ['a=in=(1,)', 8, "Expected a value, found ')'. Write '' for an empty value."],
  ["a=='x", 3, "This quote is never closed; write a quote inside the value as \\'."],
  ['a=="x\\"', 3, 'This quote is never closed; write a quote inside the value as \\".'],
  ['a==x\\', 4, 'The backslash at the end escapes nothing; write \\\\ for a backslash.'],
  ['a==(1,2)', 6, '== takes one value, found 2; =in= and =out= take several.'],
  ['a=gt=(1,2)', 8, '=gt= takes one value, found 2; =in= and =out= take several.'],
  ['a=bt=1', 5, '=bt= takes two values, the lowest and the highest: a=bt=(1,5).'],
  ['a=bt=(1,2,3)', 10, '=bt= takes two values, the lowest and the highest: a=bt=(1,5).'],
])('%s is refused at position %i', (text, position, message) => {
  const problem = problemOf(() => readRsql(text))
  expect(problem.code).toBe('bad_filter')
  expect(problem.message).toBe(`${message} (position ${position})`)
  expect(problem.details.errors).toMatchObject([{ parameter: 'filter', position, message, code: 'syntax' }])
})

test.each([
  ['b==1;a==', 'a'],
  ['owner.name=bt=(1)', 'owner.name'],
  ["a=='x", 'a'],
  ['a=in=(1,2', 'a'],
  ['a==1;', undefined],
  ['a==1)', undefined],
])('the error in %s names the selector %s', (text, field) => {
  expect(faultsOf(() => readRsql(text))[0]?.member).toBe(field)
})

const nested = (depth: number) => `${'('.repeat(depth)}a==1${')'.repeat(depth)}`
const joined = (count: number) => Array(count).fill('a==1').join()

test.each([
  ['a filter of 8 kB', `a==${'x'.repeat(8189)}`],
  ['a hundred comparisons', joined(100)],
  ['twenty levels', nested(20)],
  ['groups side by side', `${nested(20)};${nested(20)}`],
])('%s is allowed', (_name, text) => {
  expect(() => readRsql(text)).not.toThrow()
})

test.each([
  ['more than 8 kB', `a==${'x'.repeat(8190)}`, 'A filter may have at most 8192 bytes.', undefined],
  ['more than 8 kB in UTF-8', `a==${'é'.repeat(4095)}`, 'A filter may have at most 8192 bytes.', undefined],
  ['101 comparisons', joined(101), 'A filter may hold at most 100 comparisons.', 500],
  ['21 levels', nested(21), 'Parentheses may nest at most 20 deep.', 20],
  ['8,000 open parentheses', '('.repeat(8000), 'Parentheses may nest at most 20 deep.', 20],
])('%s is too costly', (_name, text, message, position) => {
  expect(problemOf(() => readRsql(text)).code).toBe('too_costly')
  expect(faultsOf(() => readRsql(text))).toEqual([
    { parameter: 'filter', message, code: 'limit', ...(position !== undefined && { position }) },
  ])
})

test('positions point at the field, the operator and each value', () => {
  expect(readRsql(' a =in= (x, "y")')).toMatchObject({
    position: 1,
    operatorPosition: 3,
    written: '=in=',
    values: [{ position: 9 }, { position: 12 }],
  })
})

const literal = (text: string) => text.replace(/[\\*%"']/g, '\\$&')
const quote = (pieces: readonly string[]) => `'${pieces.map(literal).join('*')}'`
const bare = (pieces: readonly string[]) => pieces.map(piece => piece.replace(/[\\*%"'();,=!~<>\s]/g, '\\$&')).join('%')

const pieces = fc
  .array(fc.string({ unit: 'grapheme-composite', maxLength: 6 }), { minLength: 1, maxLength: 4 })
  .map(all => all.filter((piece, at) => at === 0 || at === all.length - 1 || piece !== ''))
const selector = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,5}(\.[a-z]{1,5}){0,2}$/)
const comparison = fc
  .record({ selector, operator: fc.constantFrom(...operators), one: pieces, two: pieces, quotes: fc.boolean() })
  .map(({ selector, operator, one, two, quotes }) => {
    const values = operator === '=in=' || operator === '=out=' || operator === '=bt=' ? [one, two] : [one]
    const print = (value: readonly string[]) => (quotes || value.join('') === '' ? quote(value) : bare(value))
    const list = values.map(print).join(' , ')
    return {
      text: `${selector}${operator}${values.length > 1 ? `(${list})` : list}`,
      short: `${selector} ${operator} ${values.map(value => value.join('…')).join('|')}` as Short,
    }
  })
const { tree } = fc.letrec<{ tree: { text: string; short: Short }; group: { text: string; short: Short } }>(tie => ({
  tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, comparison, tie('group')),
  group: fc
    .record({
      kind: fc.constantFrom('and', 'or'),
      words: fc.boolean(),
      parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    })
    .map(({ kind, words, parts }) => ({
      text: parts
        .map(({ text, short }) => (typeof short === 'string' ? text : `(${text})`))
        .join(words ? ` ${kind} ` : kind === 'and' ? ';' : ','),
      short: [kind, ...parts.map(({ short }) => short)] as Short,
    })),
}))

test('a tree that is printed reads back as the same tree', async () => {
  await checkProperty(
    fc.property(tree, ({ text, short }) => {
      fc.pre(Buffer.byteLength(text) <= 8192)
      expect(shorten(readRsql(text))).toEqual(short)
    }),
  )
})

test('any text is read or refused with a problem', async () => {
  const token = fc.constantFrom(
    'a',
    '==',
    '=in=',
    '(',
    ')',
    ';',
    ',',
    "'",
    '"',
    '\\',
    ' and ',
    ' or ',
    '*',
    '=',
    '!',
    '~',
    '\u0000',
    '😀',
  )
  await checkProperty(
    fc.property(
      fc.oneof(
        anyText,
        fc.array(token).map(all => all.join('')),
      ),
      text => {
        try {
          readRsql(text)
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
        }
      },
    ),
    { runs: 500 },
  )
})
