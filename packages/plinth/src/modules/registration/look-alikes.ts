// Names that look alike to people have the same skeleton (the idea of UTS 39, section 4, for the letters that occur in names).

/**
 * By the letter that they are taken for: letters of other scripts, small capitals, and letters with a stroke or a hook. Letters come in
 * lower case; some look alike in capitals only. Of Lisu, Cherokee, Canadian syllabics, Coptic and Armenian, a whole name can look Latin.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑᴀⱥɐꓮꭺᗩⲁ',
  b: 'вβʙƀɓꓐᏼᗷⲃьᑲ',
  c: 'сϲςᴄȼƈꓚꮯᑕⲥ',
  d: 'ԁᴅđɖɗðꓓꭰᗪ',
  e: 'еεᴇɇꓰꭼⲉ',
  f: 'ꜰƒꓝᖴ',
  g: 'ɡɢǥɠꓖꮐԍց',
  h: 'нһʜħɦꓧꮋᕼհ',
  i: 'ıιіl1|!ǀɪɨɩʟłƚɫɬӏꞁꓲꓡꭵꮮᒪᓰⲓ',
  j: 'јϳᴊȷɉꓙꭻᒍ',
  k: 'кκᴋƙĸꓗꮶⲕ',
  m: 'мᴍɱꓟꮇᗰⲙ',
  n: 'пηɴƞɲŋꓠᑎⲛո',
  o: '0оοσᴏøɵꓳⲟօ',
  p: 'рρᴘƥꓑꮲᑭⲣ',
  q: 'ԛꞯɋզ',
  r: 'ʀɍɼɾꞅꝛꭇгґꓣꭱᖇ',
  s: '5ѕ$ꜱʂꓢꮪᔕ',
  t: 'тτᴛŧƭʈꓔꭲⲧ',
  u: 'υᴜʉʋꓴᑌս',
  v: 'ѵνᴠꓦꮩᐯ',
  w: 'ԝωшɯᴡⱳѡꓪꮃᗯ',
  x: 'хχꓫ᙭ⲭ',
  y: 'уγʏɏƴꓬꮍⲩ',
  z: 'ᴢƶȥʐꓜꮓⲍ',
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

/**
 * Returns the same for names that people may take for each other. Only letters and digits count: no marks, separators
 * or symbols.
 */
export const skeletonOf = (name: string): string => {
  const plain = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  const skeleton = [...plain]
    .map(letter => letters.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
  return pairs.reduce((text, [pair, letter]) => text.replaceAll(pair, letter), skeleton)
}
