// The records of a CSV file (RFC 4180), piece by piece. Each record is read when it is asked for, so that the work on a long file can be
// interrupted, and the rows before a fault arrive. (csv-parse counts CRLF in quotes as two lines and drops parsed rows at a fault.)
// Spreadsheets of many languages separate cells by semicolons or tabs: the first line shows which.

import { Problem } from '../../problem.ts'

export interface CsvRecord {
  readonly cells: readonly CsvCell[]
  /** The line on which the record ends, counted from 1. */
  readonly line: number
}

interface CsvCell {
  readonly text: string
  /** Says that the cell is in quotes. */
  readonly isQuoted: boolean
}

/** The most characters of a record: a quote that is never closed would make the rest of the file one cell. */
const longestRecord = 10_000_000

/**
 * The mark at the beginning of a file: some spreadsheets write one, and take a file without for one in another
 * encoding.
 */
export const byteOrderMark = '\ufeff'

export async function* readCsvRecords(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let [parser, start]: [CsvParser | null, string] = [null, '']
  for await (const piece of pieces) {
    if (parser) yield* parser.read(piece)
    else {
      start += piece
      if (!hasFirstLine(start)) continue
      parser = new CsvParser(separatorIn(start))
      yield* parser.read(withoutMark(start))
    }
  }
  if (!parser) {
    parser = new CsvParser(separatorIn(start))
    yield* parser.read(withoutMark(start))
  }
  yield* parser.end()
}

const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text)

// What separates the cells of the first line.

const separators = [',', ';', '\t']
const longestFirstLine = 65_536

const outsideQuotes = (text: string): string => text.replaceAll(/"[^"]*"/g, '')

const hasFirstLine = (text: string): boolean =>
  text.length > longestFirstLine || /^[^"]*[\r\n]/.test(outsideQuotes(text))

const separatorIn = (text: string): string => {
  const [line = ''] = outsideQuotes(text.slice(0, longestFirstLine)).split(/[\r\n]/, 1)
  return separators.find(one => line.includes(one)) ?? ','
}

class CsvParser {
  readonly #separator: string
  #cells: CsvCell[] = []
  #text = ''
  /** The state of the cell's quote: open, or closed unless another quote follows. */
  #quote: 'none' | 'open' | 'closed' = 'none'
  #length = 0
  #line = 1
  #quotedFrom = 1
  #isAfterReturn = false

  constructor(separator: string) {
    this.#separator = separator
  }

  *read(piece: string): Generator<CsvRecord> {
    let at = this.#isAfterReturn && piece.startsWith('\n') ? 1 : 0
    if (piece.length > 0) this.#isAfterReturn = false
    while (at < piece.length) {
      if (this.#quote === 'open') {
        at = this.#readQuoted(piece, at)
        continue
      }
      const sign = piece[at] ?? ''
      if (sign === '"' && this.#isAtQuote()) {
        at += 1
        continue
      }
      if (sign === this.#separator) this.#endCell()
      else if (sign === '\n' || sign === '\r') {
        yield* this.#endRecord()
        this.#line += 1
        if (sign === '\r' && at + 1 === piece.length) this.#isAfterReturn = true
        else if (sign === '\r' && piece[at + 1] === '\n') at += 1
      } else {
        at = this.#readPlain(piece, at)
        continue
      }
      at += 1
    }
  }

  *end(): Generator<CsvRecord> {
    if (this.#quote === 'open')
      throw new Problem('bad_request', `The quote that is opened in line ${this.#quotedFrom} is never closed.`)
    yield* this.#endRecord()
  }

  /** A quote that opens a cell, or the second one of two, which stand for one. */
  #isAtQuote(): boolean {
    if (this.#quote === 'closed') this.#text += '"'
    else if (this.#text !== '') return false
    else this.#quotedFrom = this.#line
    this.#quote = 'open'
    return true
  }

  #readQuoted(piece: string, from: number): number {
    const found = piece.indexOf('"', from)
    const to = found < 0 ? piece.length : found
    const text = piece.slice(from, to)
    this.#add(text)
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#line += 1
    if (found >= 0) this.#quote = 'closed'
    return to + 1
  }

  #readPlain(piece: string, from: number): number {
    if (this.#quote === 'closed')
      throw new Problem('bad_request', `Line ${this.#line}: after a closing quote the cell must end.`)
    let to = from + 1
    while (to < piece.length && !this.#endsCell(piece[to] ?? '')) to += 1
    this.#add(piece.slice(from, to))
    return to
  }

  #endsCell(sign: string): boolean {
    return sign === this.#separator || sign === '\n' || sign === '\r'
  }

  #add(text: string): void {
    this.#text += text
    this.#length += text.length
    if (this.#length > longestRecord)
      throw new Problem('bad_request', `The row that begins before line ${this.#line} is too long.`)
  }

  #endCell(): void {
    this.#cells.push({ text: this.#text, isQuoted: this.#quote === 'closed' })
    this.#text = ''
    this.#quote = 'none'
  }

  /** Ends a record; empty lines are none. */
  *#endRecord(): Generator<CsvRecord> {
    const isEmpty = this.#cells.length === 0 && this.#text === '' && this.#quote === 'none'
    this.#length = 0
    if (isEmpty) return
    this.#endCell()
    const cells = this.#cells
    this.#cells = []
    yield { cells, line: this.#line }
  }
}
