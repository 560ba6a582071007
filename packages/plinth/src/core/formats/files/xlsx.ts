// Spreadsheets (Office Open XML, ECMA-376). Texts are written as texts, so no cell is ever a formula. The first row names the columns and
// stays in sight. A sheet that is full is continued on another one.

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Json } from '../../model/json.ts'
import { Problem } from '../../problem.ts'
import type { CellRows, FileFormat, WrittenColumn, WrittenFile } from './file-format.ts'
import { toSerial } from './serial-dates.ts'
import { declaration, escaped, mainNamespace, partsOf, styles } from './xlsx-parts.ts'
import { readSpreadsheet } from './xlsx-read.ts'

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const xlsx: FileFormat = {
  name: 'xlsx',
  mediaType,
  contentType: mediaType,
  read: readSpreadsheet,
  write: writeSpreadsheet,
}

/** The limits of Excel; the first row of a sheet names the columns. */
const maxRows = 1_048_575
const maxCellLength = 32_767

async function* writeSpreadsheet(file: WrittenFile): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream as AsyncIterable<Buffer>)
  zip.on('error', (error: Error) => output.destroy(error))
  addSheets(zip, file).catch((error: Error) => output.destroy(error))
  yield* output
}

const addSheets = async (zip: ZipFile, { title, columns, rows }: WrittenFile): Promise<void> => {
  const cells = eachRow(rows)
  let next = await cells.next()
  let count = 0
  do {
    count += 1
    const sheet = async function* (): AsyncGenerator<string> {
      yield sheetStart(columns)
      let [written, text] = [0, '']
      while (!next.done && written < maxRows) {
        text += toRowXml(columns, next.value)
        written += 1
        if (text.length > pieceLength) {
          yield text
          text = ''
        }
        next = await cells.next()
      }
      yield `${text}</sheetData></worksheet>`
    }
    const stream = Readable.from(sheet())
    const ended = new Promise((resolve, reject) => stream.once('end', resolve).once('error', reject))
    zip.addReadStream(stream, `xl/worksheets/sheet${count}.xml`)
    await ended
  } while (!next.done)
  for (const [path, text] of Object.entries(partsOf(title, count))) zip.addBuffer(Buffer.from(declaration + text), path)
  zip.end()
}

/** The length of the text that is compressed at once. */
const pieceLength = 65_536

async function* eachRow(rows: CellRows): AsyncGenerator<readonly Json[], undefined> {
  for await (const batch of rows) yield* batch
}

// XML

/** The first row does not scroll. Columns of dates are as wide as dates. */
const sheetStart = (columns: readonly WrittenColumn[]): string => {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const widths = columns.flatMap(({ type }, at) =>
    type === 'other' ? [] : [`<col min="${at + 1}" max="${at + 1}" width="${widthOf[type]}" customWidth="1"/>`],
  )
  const header = columns.map(column => textCell(column.header, styles.header)).join('')
  return (
    `${declaration}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` +
    `${widths.length > 0 ? `<cols>${widths.join('')}</cols>` : ''}<sheetData><row>${header}</row>`
  )
}

/** The widths of columns in characters. */
const widthOf = { date: 12, timestamp: 18 } as const

const toRowXml = (columns: readonly WrittenColumn[], cells: readonly Json[]): string =>
  `<row>${cells.map((value, at) => toCellXml(value, columns[at]?.type ?? 'other')).join('')}</row>`

const toCellXml = (value: Json, type: WrittenColumn['type']): string => {
  if (value === null) return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const serial = type === 'other' ? null : toSerial(type, text)
  if (type !== 'other' && serial !== null) return `<c s="${styles[type]}"><v>${serial}</v></c>`
  return textCell(text)
}

const textCell = (text: string, style: number = styles.plain): string => {
  if (text.length > maxCellLength)
    throw new Problem('bad_request', `A text has more than ${maxCellLength} characters, too many for a spreadsheet.`)
  const styled = style === styles.plain ? '' : ` s="${style}"`
  return `<c${styled} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}
