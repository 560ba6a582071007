// Where the words of RSQL end. Each function looks at every character at most once.

const codesOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const reserved = codesOf(`"'();,=!~<> \t\r\n`)
const blanks = codesOf(' \t\r\n')
const operatorShape = /[!<>=]=|[<>]|=[A-Za-z]*=?/y

/** Says whether a delimiter is at the place, as after the last character. */
export const isDelimiter = (text: string, at: number): boolean =>
  at >= text.length || reserved[text.charCodeAt(at)] === 1

export const blanksEnd = (text: string, from: number): number => {
  let at = from
  while (blanks[text.charCodeAt(at)] === 1) at++
  return at
}

export const wordEnd = (text: string, from: number): number => {
  let at = from
  while (!isDelimiter(text, at)) at++
  return at
}

/** A backslash takes the next character along; one at the very end leads beyond the text. */
export const unquotedEnd = (text: string, from: number): number => {
  let at = from
  while (!isDelimiter(text, at)) at += text[at] === '\\' ? 2 : 1
  return at
}

/** Returns the place of the closing quote; -1 when there is none. */
export const quoteEnd = (text: string, open: number): number => {
  const quote = text[open]
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
  }
  return -1
}

/** The end of what looks like an operatorShape; `from` itself when nothing does. */
export const operatorEnd = (text: string, from: number): number => {
  operatorShape.lastIndex = from
  return operatorShape.test(text) ? operatorShape.lastIndex : from
}
