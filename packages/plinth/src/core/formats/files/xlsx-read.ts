// Reads the rows of a spreadsheet: the first sheet, and those after it that have the same columns. Texts that cells share are in a
// part of their own and are held in memory; everything else passes by.

import { posix } from 'node:path'
import { Problem } from '../../problem.ts'
import type { CheckColumns, FileRow } from './file-format.ts'
import { parseWhole, parseXml, type WholePart } from './parse-xml.ts'
import { type Archive, openArchive, openPart, unreadable } from './xlsx-archive.ts'

/** The most bytes of the parts that name the sheets. */
const maxIndexBytes = 4_000_000
/** The most characters of the texts that cells share; what an empty one takes of memory counts too. */
const maxSharedLength = 50_000_000
const emptyLength = 16
/** The most columns of a spreadsheet (ECMA-376). */
const maxColumns = 16_384
const maxCellLength = 32_767 * 8

const tooMuchText = (): Problem => new Problem('bad_request', 'The spreadsheet has too much text: use CSV.')

export async function* readSpreadsheet(path: string, checkColumns: CheckColumns): AsyncGenerator<FileRow> {
  const archive = await openArchive(path)
  try {
    const shared = await readSharedTexts(archive)
    let columns: readonly string[] | null = null
    for (const sheet of await sheetsOf(archive)) {
      let isHeader = true
      for await (const { line, cells } of readSheet(archive, { sheet, shared })) {
        if (!isHeader) {
          yield toFileRow(line, columns ?? [], cells)
          continue
        }
        const width = Math.max(...cells.keys()) + 1
        const header = Array.from({ length: width }, (_, at) => String(cells.get(at) ?? ''))
        if (columns && columns.join('\n') !== header.join('\n')) return
        if (!columns) checkColumns(header.filter(name => name !== ''))
        columns = header
        isHeader = false
      }
    }
  } finally {
    archive.zip.close()
  }
}

type Cell = string | number | boolean | null

const toFileRow = (line: number, columns: readonly string[], cells: SheetRow['cells']): FileRow => {
  const named = columns.flatMap((column, at) => (column === '' ? [] : [[column, cells.get(at) ?? null] as const]))
  const isUneven = [...cells.keys()].some(at => at >= columns.length)
  return {
    line,
    cells: Object.fromEntries(named),
    cellsAre: 'text',
    ...(isUneven && { fault: 'the row has more cells than there are columns' }),
  }
}

/** The paths of the sheets, in order. */
const sheetsOf = async (archive: Archive): Promise<readonly string[]> => {
  const ids: string[] = []
  const targets = new Map<string, string>()
  const indexPart = (path: string): WholePart => ({ path, maxBytes: maxIndexBytes })
  const hasWorkbook = await parseWhole(archive, indexPart('xl/workbook.xml'), {
    open: (name, attributes) => {
      const id = Object.entries(attributes).find(([attribute]) => /:id$/.test(attribute))?.[1]
      if (name === 'sheet' && id) ids.push(id)
    },
  })
  await parseWhole(archive, indexPart('xl/_rels/workbook.xml.rels'), {
    open: (name, { Id = '', Target = '' }) => {
      if (name === 'Relationship') targets.set(Id, posix.resolve('/xl', Target).slice(1))
    },
  })
  if (!hasWorkbook || ids.length === 0) throw unreadable()
  return [...new Set(ids)].flatMap(id => targets.get(id) ?? [])
}

/** Phonetic hints beside a text are no part of it. */
const readSharedTexts = async (archive: Archive): Promise<readonly string[]> => {
  const texts: string[] = []
  let [text, isText, isHint, length] = ['', false, false, 0]
  await parseWhole(
    archive,
    { path: 'xl/sharedStrings.xml' },
    {
      open: name => {
        if (name === 'si') text = ''
        if (name === 'rPh') isHint = true
        if (name === 't') isText = !isHint
      },
      text: piece => {
        if (!isText) return
        text += piece
        if (text.length > maxCellLength) throw tooMuchText()
      },
      close: name => {
        if (name === 't') isText = false
        if (name === 'rPh') isHint = false
        if (name !== 'si') return
        length += text.length + emptyLength
        if (length > maxSharedLength) throw tooMuchText()
        texts.push(unescaped(text))
      },
    },
  )
  return texts
}

/** `_x000D_` is a character that XML cannot hold (ECMA-376, 22.9.2.19). */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

// Sheets

interface SheetRow {
  readonly line: number
  /** The cells by the numbers of their columns; empty ones are absent. */
  readonly cells: ReadonlyMap<number, Cell>
}

interface SheetTask {
  readonly sheet: string
  readonly shared: readonly string[]
}

async function* readSheet(archive: Archive, { sheet, shared }: SheetTask): AsyncGenerator<SheetRow> {
  const content = await openPart(archive, sheet)
  if (!content) throw unreadable()
  let rows: SheetRow[] = []
  let [line, cells] = [0, new Map<number, Cell>()]
  /** The column of the cell, counted from 0. */
  let column = -1
  let [type, text, isText, isHint] = ['', '', false, false]
  const pieces = parseXml(content, {
    open: (name, attributes) => {
      if (name === 'row') {
        line = lineOf(attributes.r) ?? line + 1
        cells = new Map()
        column = -1
      } else if (name === 'c') {
        column = attributes.r ? columnOf(attributes.r) : column + 1
        ;[type, text] = [attributes.t ?? 'n', '']
      } else if (name === 'rPh') isHint = true
      else if (name === 'v' || name === 't') isText = !isHint
    },
    text: piece => {
      if (!isText) return
      text += piece
      if (text.length > maxCellLength) throw tooMuchText()
    },
    close: name => {
      if (name === 'v' || name === 't') isText = false
      else if (name === 'rPh') isHint = false
      else if (name === 'c') {
        if (column >= maxColumns) throw unreadable()
        const cell = toCell(type, text, shared)
        if (cell !== null) cells.set(column, cell)
      } else if (name === 'row' && cells.size > 0) rows.push({ line, cells })
    },
  })
  for await (const _ of pieces) {
    yield* rows
    rows = []
  }
}

const lineOf = (text: string | undefined): number | null => {
  const line = Number(text ?? Number.NaN)
  return Number.isSafeInteger(line) && line > 0 ? line : null
}

/** `AB12` → 27. */
const columnOf = (place: string): number => {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(place)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  if (column > maxColumns) throw unreadable()
  return column - 1
}

const toCell = (type: string, text: string, shared: readonly string[]): Cell => {
  if (type === 'inlineStr' || type === 'str') return unescaped(text)
  if (type === 's') return shared[Number(text)] ?? null
  if (type === 'b') return text === '1'
  if (text === '' || type === 'e') return null
  return type === 'n' ? Number(text) : text
}
