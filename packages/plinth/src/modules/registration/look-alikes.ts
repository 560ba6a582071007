// Names that look alike to people have the same skeleton (the idea of UTS 39, section 4, for the letters that occur in names).

/** By the letter that they are taken for. Letters come in lower case; some look alike in capitals only. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'вβ',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еε',
  g: 'ɡ',
  h: 'нһ',
  i: 'ıιіl1|!ǀ',
  j: 'јϳ',
  k: 'кκ',
  m: 'м',
  n: 'пη',
  o: '0оοσ',
  p: 'рρ',
  q: 'ԛ',
  s: '5ѕ$',
  t: 'тτ',
  u: 'υ',
  v: 'ѵν',
  w: 'ԝωшɯ',
  x: 'хχ',
  y: 'уγ',
}

const letters = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) => [...others].map(other => [other, letter] as const)),
)

/** Two letters that look like one. */
const pairs: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
  ['ci', 'd'],
]

/** Equal for names that people may take for each other. Marks and separators do not count. */
export const skeletonOf = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}._-]/gu, '')
  const skeleton = [...plain].map(letter => letters.get(letter) ?? letter).join('')
  return pairs.reduce((text, [pair, letter]) => text.replaceAll(pair, letter), skeleton)
}
