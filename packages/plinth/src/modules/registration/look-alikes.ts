// Names that look alike to people have the same skeleton (the idea of UTS 39, section 4, for the letters that occur in names).

/**
 * By the letter that they are taken for: letters of other scripts, small capitals, and letters with a stroke or a hook. Letters come in
 * lower case; some look alike in capitals only.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑᴀⱥɐ',
  b: 'вβʙƀɓ',
  c: 'сϲᴄȼƈ',
  d: 'ԁᴅđɖɗð',
  e: 'еεᴇɇ',
  f: 'ꜰƒ',
  g: 'ɡɢǥɠ',
  h: 'нһʜħɦ',
  i: 'ıιіl1|!ǀɪɨɩʟłƚɫɬ',
  j: 'јϳᴊȷɉ',
  k: 'кκᴋƙĸ',
  m: 'мᴍɱ',
  n: 'пηɴƞɲŋ',
  o: '0оοσᴏøɵ',
  p: 'рρᴘƥ',
  q: 'ԛꞯɋ',
  r: 'ʀɍɼɾ',
  s: '5ѕ$ꜱʂ',
  t: 'тτᴛŧƭʈ',
  u: 'υᴜʉʋ',
  v: 'ѵνᴠ',
  w: 'ԝωшɯᴡⱳ',
  x: 'хχ',
  y: 'уγʏɏƴ',
  z: 'ᴢƶȥʐ',
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
