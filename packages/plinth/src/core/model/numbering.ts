// Numbers that the service gives to records: how they are written, and which records are numbered together.

import { didYouMean } from './definition-error.ts'

/** A number in its group: groups are counted apart, such as those of years. */
export interface GroupedNumber {
  readonly group: string
  readonly number: number
}

export interface Numbering {
  /** The field whose records are numbered together. */
  readonly per: string | undefined
  readonly start: number
  /** Null: the number itself is the value. */
  readonly format: NumberFormat | null
}

export interface NumberFormat {
  readonly text: string
  /** What is wrong with it. */
  readonly faults: readonly string[]
  /** The group of a moment: the year, where the format has it. */
  groupAt(moment: Date): string
  write(number: GroupedNumber): string
  /** Returns the number in a text; null for a text of another form. */
  read(text: string): GroupedNumber | null
}

type Piece = { readonly literal: string } | { readonly digits: number } | { readonly year: 2 | 4 }

const tokens = /\{([^{}]*)\}/g

const toPiece = (token: string): Piece | null => {
  if (/^0+$/.test(token)) return { digits: token.length }
  return token === 'yyyy' ? { year: 4 } : token === 'yy' ? { year: 2 } : null
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** `T-{0000}` is T-0001, `{yyyy}-{0}` is 2027-1 and begins again each year. */
export const readNumberFormat = (text: string): NumberFormat => {
  const pieces: Piece[] = []
  const faults: string[] = []
  let from = 0
  for (const { 0: whole, 1: token = '', index } of text.matchAll(tokens)) {
    if (index > from) pieces.push({ literal: text.slice(from, index) })
    const piece = toPiece(token)
    if (piece) pieces.push(piece)
    else {
      const hint = didYouMean(['yyyy', 'yy', '0000'], token)
      faults.push(`format has '${whole}'${hint || '; it can have {0000} for the number, {yyyy} and {yy}'}`)
    }
    from = index + whole.length
  }
  if (from < text.length) pieces.push({ literal: text.slice(from) })
  if (pieces.filter(piece => 'digits' in piece).length !== 1)
    faults.push("format must have one number, such as 'T-{0000}'")
  if (pieces.filter(piece => 'year' in piece).length > 1) faults.push('format must have the year once at most')
  if (text.length > 100) faults.push('format must have at most 100 characters')
  return { text, faults, ...formatOf(faults.length > 0 ? [] : pieces) }
}

const formatOf = (pieces: readonly Piece[]): Pick<NumberFormat, 'groupAt' | 'write' | 'read'> => {
  const [year] = pieces.flatMap(piece => ('year' in piece ? [piece.year] : []))
  const pattern = new RegExp(`^${pieces.map(piecePattern).join('')}$`)
  return {
    groupAt: moment => (year ? String(moment.getUTCFullYear()).slice(-year) : ''),
    write: ({ group, number }) =>
      pieces
        .map(piece => {
          if ('literal' in piece) return piece.literal
          return 'digits' in piece ? String(number).padStart(piece.digits, '0') : group.slice(-piece.year)
        })
        .join(''),
    read: text => {
      const found = pattern.exec(text)?.groups
      if (!found) return null
      const number = Number(found.number)
      return Number.isSafeInteger(number) ? { group: found.year ?? '', number } : null
    },
  }
}

const piecePattern = (piece: Piece): string => {
  if ('literal' in piece) return escaped(piece.literal)
  if ('digits' in piece) return `(?<number>\\d{${piece.digits},15})`
  return `(?<year>\\d{${piece.year}})`
}

/** The number as the value of the field. */
export const writeNumber = ({ format }: Numbering, number: GroupedNumber): string | number =>
  format ? format.write(number) : number.number

/** Returns the number in a value; null for a value that the sequence has not made. */
export const readNumber = ({ format }: Numbering, value: unknown): GroupedNumber | null => {
  if (typeof value === 'number') return format ? null : { group: '', number: value }
  return typeof value === 'string' && format ? format.read(value) : null
}

/** What is wrong with the declaration by itself. */
export const numberingFaults = ({ start, format }: Numbering): readonly string[] => [
  ...(format?.faults ?? []),
  ...(Number.isSafeInteger(start) && start >= 0 ? [] : ['start must be a whole number from 0 on']),
]
