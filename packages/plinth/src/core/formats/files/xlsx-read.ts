// Reads the rows of a spreadsheet: the first sheet, and those after it that have the same columns. Texts that cells share are in a
// part of their own and are held in memory; everything else passes by.

import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import sax, { type QualifiedTag, type Tag } from 'sax'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Problem } from '../../problem.ts'
import type { CheckColumns, FileRow } from './index.ts'

const unreadable = (cause?: unknown): Problem =>
  new Problem('bad_request', { detail: 'The file is not a spreadsheet (XLSX) that can be read.', cause })

/** Entries beyond these are not those of a spreadsheet with records: a small archive can unfold to any size. */
const maxEntries = 10_000
const maxUnpackedBytes = 2_000_000_000
/** Of the texts that cells share, in characters; an empty one counts as one. */
const maxSharedLength = 50_000_000
/** Of a spreadsheet (ECMA-376). */
const maxColumnsOfSheet = 16_384
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
        const header = cells.map(cell => (cell === null ? '' : String(cell)))
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

const toFileRow = (line: number, columns: readonly string[], cells: readonly Cell[]): FileRow => {
  const named = columns.flatMap((column, at) => (column === '' ? [] : [[column, cells[at] ?? null] as const]))
  const isUneven = cells.length > columns.length && cells.slice(columns.length).some(cell => cell !== null)
  return {
    line,
    cells: Object.fromEntries(named),
    cellsAre: 'text',
    ...(isUneven && { fault: 'the row has more cells than there are columns' }),
  }
}

// The archive

interface Archive {
  readonly zip: ZipFile
  readonly entries: ReadonlyMap<string, Entry>
}

const openArchive = async (path: string): Promise<Archive> => {
  const zip = await openPromise(path, { autoClose: false }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall ? error : unreadable(error)
  })
  try {
    const entries = new Map<string, Entry>()
    let bytes = 0
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry)
      bytes += entry.uncompressedSize
      if (entries.size > maxEntries || bytes > maxUnpackedBytes) throw unreadable()
    }
    return { zip, entries }
  } catch (error) {
    zip.close()
    throw error instanceof Problem ? error : unreadable(error)
  }
}

/** Null when there is no such part. */
const openPart = async ({ zip, entries }: Archive, path: string): Promise<Readable | null> => {
  const entry = entries.get(path)
  if (!entry) return null
  return (await zip.openReadStreamPromise(entry)).setEncoding('utf8')
}

// XML, piece by piece

interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** Calls the handlers for each element, and yields after each piece of the text. Prefixes of names are left out. */
async function* parseXml(content: Readable, { open, text, close }: XmlHandlers): AsyncGenerator<void> {
  const parser = sax.parser(true)
  const local = (name: string): string => name.slice(name.indexOf(':') + 1)
  parser.onopentag = (tag: Tag | QualifiedTag) =>
    open?.(local(tag.name), tag.attributes as Readonly<Record<string, string>>)
  parser.ontext = piece => text?.(piece)
  parser.oncdata = piece => text?.(piece)
  parser.onclosetag = name => close?.(local(name))
  parser.onerror = error => {
    throw unreadable(error)
  }
  try {
    for await (const piece of content) {
      parser.write(piece)
      yield
    }
    parser.close()
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(error)
  }
  yield
}

const parseWhole = async (archive: Archive, path: string, handlers: XmlHandlers): Promise<boolean> => {
  const content = await openPart(archive, path)
  if (!content) return false
  for await (const _ of parseXml(content, handlers));
  return true
}

/** The paths of the sheets, in order. */
const sheetsOf = async (archive: Archive): Promise<readonly string[]> => {
  const ids: string[] = []
  const targets = new Map<string, string>()
  const hasWorkbook = await parseWhole(archive, 'xl/workbook.xml', {
    open: (name, attributes) => {
      const id = Object.entries(attributes).find(([attribute]) => /:id$/.test(attribute))?.[1]
      if (name === 'sheet' && id) ids.push(id)
    },
  })
  await parseWhole(archive, 'xl/_rels/workbook.xml.rels', {
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
  await parseWhole(archive, 'xl/sharedStrings.xml', {
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
      length += text.length + 1
      if (length > maxSharedLength) throw tooMuchText()
      texts.push(unescaped(text))
    },
  })
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
  readonly cells: readonly Cell[]
}

interface SheetTask {
  readonly sheet: string
  readonly shared: readonly string[]
}

async function* readSheet(archive: Archive, { sheet, shared }: SheetTask): AsyncGenerator<SheetRow> {
  const content = await openPart(archive, sheet)
  if (!content) throw unreadable()
  let rows: SheetRow[] = []
  let [line, cells]: [number, Cell[]] = [0, []]
  let [type, text, isText, isHint] = ['', '', false, false]
  const pieces = parseXml(content, {
    open: (name, attributes) => {
      if (name === 'row') [line, cells] = [Number(attributes.r ?? line + 1), []]
      else if (name === 'c') {
        while (attributes.r && cells.length < columnOf(attributes.r)) cells.push(null)
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
      else if (name === 'c' && cells.length >= maxColumnsOfSheet) throw unreadable()
      else if (name === 'c') cells.push(toCell(type, text, shared))
      else if (name === 'row' && cells.some(cell => cell !== null)) rows.push({ line, cells })
    },
  })
  for await (const _ of pieces) {
    yield* rows
    rows = []
  }
}

const maxColumns = 16_384

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
