// Stems of German words: CISTEM (L. Weissweiler, A. Fraser, "Developing a Stemmer for German Based on a Comparative Analysis of
// Publicly Available Stemmers", 2017), for words whose accents are folded already.

/** Groups of letters that count as one. */
const groups: readonly (readonly [letters: string, sign: string])[] = [
  ['sch', '$'],
  ['ei', '%'],
  ['ie', '&'],
]

const shortest = 4

const withSigns = (word: string): string => {
  const grouped = groups.reduce((text, [letters, sign]) => text.replaceAll(letters, sign), word)
  return grouped.replace(/(.)\1/g, '$1*')
}

const withLetters = (word: string): string => {
  const doubled = word.replace(/(.)\*/g, '$1$1')
  return groups.reduce((text, [letters, sign]) => text.replaceAll(sign, letters), doubled)
}

const endings: readonly (readonly [ending: RegExp, leastLength: number])[] = [
  [/e[mr]$/, shortest + 2],
  [/nd$/, shortest + 2],
  [/t$/, shortest],
  [/[esn]$/, shortest],
]

/** The stem of a folded word. */
export const stemGerman = (word: string): string => {
  if (word.length < shortest || !/^[a-z]+$/.test(word)) return word
  let stem = withSigns(word.length > 6 && word.startsWith('ge') ? word.slice(2) : word)
  while (stem.length >= shortest) {
    const found = endings.find(([ending, least]) => stem.length >= least && ending.test(stem))
    if (!found) break
    stem = stem.replace(found[0], '')
  }
  return withLetters(stem)
}
