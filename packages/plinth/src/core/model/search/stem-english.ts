// Stems of English words: the algorithm of M. F. Porter, "An algorithm for suffix stripping" (Program 14, 1980), without its rarest steps.

const vowels = 'aeiou'

const isConsonant = (word: string, at: number): boolean => {
  const letter = word.charAt(at)
  if (vowels.includes(letter)) return false
  return letter !== 'y' || at === 0 || !isConsonant(word, at - 1)
}

/** How often a run of vowels is followed by consonants. */
const measure = (stem: string): number => {
  let [count, afterVowel] = [0, false]
  for (let at = 0; at < stem.length; at++) {
    const consonant = isConsonant(stem, at)
    if (consonant && afterVowel) count += 1
    afterVowel = !consonant
  }
  return count
}

const hasVowel = (stem: string): boolean => {
  for (let at = 0; at < stem.length; at++) if (!isConsonant(stem, at)) return true
  return false
}

const endsDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1)

/** Consonant, vowel, consonant: a short syllable, as in `hop`. */
const endsShort = (word: string): boolean => {
  const last = word.length - 1
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !'wxy'.includes(word.charAt(last))
  )
}

type Suffixes = readonly (readonly [suffix: string, replacement: string])[]

const longSuffixes: Suffixes = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['eli', 'e'],
]

const middleSuffixes: Suffixes = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

const lastSuffixes = 'ement ance ence able ible ment sion tion ant ent ism ate iti ous ive ize al er ic ou'.split(' ')

const replaced = (word: string, suffixes: Suffixes): string => {
  const found = suffixes.find(([suffix]) => word.endsWith(suffix))
  if (!found) return word
  const [suffix, replacement] = found
  const stem = word.slice(0, -suffix.length)
  return measure(stem) > 0 ? stem + replacement : word
}

const withoutPlural = (word: string): string => {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  return word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us') ? word.slice(0, -1) : word
}

const withoutTense = (word: string): string => {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = ['ed', 'ing'].find(one => word.endsWith(one))
  const stem = suffix && word.slice(0, -suffix.length)
  if (!stem || !hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

const withoutLast = (word: string): string => {
  const suffix = lastSuffixes.find(one => word.endsWith(one))
  if (!suffix) return word
  // Of `tion` and `sion` the first letter belongs to the stem.
  const stem = word.slice(0, suffix.endsWith('ion') ? -3 : -suffix.length)
  return measure(stem) > 1 ? stem : word
}

const withoutE = (word: string): string => {
  const stem = word.slice(0, -1)
  const isSilent = word.endsWith('e') && (measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem)))
  const short = isSilent ? stem : word
  return endsDouble(short) && short.endsWith('l') && measure(short.slice(0, -1)) > 1 ? short.slice(0, -1) : short
}

/** The stem of a folded word. */
export const stemEnglish = (word: string): string => {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const base = withoutTense(withoutPlural(word))
  const even = base.length > 2 && base.endsWith('y') && hasVowel(base.slice(0, -1)) ? `${base.slice(0, -1)}i` : base
  return withoutE(withoutLast(replaced(replaced(even, longSuffixes), middleSuffixes)))
}
