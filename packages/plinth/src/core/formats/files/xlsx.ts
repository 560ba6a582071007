// Spreadsheets (Office Open XML, ECMA-376). Texts are written as texts, so no cell is ever a formula. A sheet that is full is
// continued on another one.

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Json } from '../../model/json.ts'
import { Problem } from '../../problem.ts'
import type { CellRows, FileFormat } from './index.ts'
import { readSpreadsheet } from './xlsx-read.ts'

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const xlsx: FileFormat = {
  name: 'xlsx',
  mediaType,
  contentType: mediaType,
  read: readSpreadsheet,
  write: (columns, rows) => writeSpreadsheet(columns, rows),
}

/** The limits of Excel; the first row of a sheet names the columns. */
const maxRows = 1_048_575
const maxCellLength = 32_767

async function* writeSpreadsheet(columns: readonly string[], rows: CellRows): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream as AsyncIterable<Buffer>)
  zip.on('error', (error: Error) => output.destroy(error))
  addSheets(zip, columns, rows).catch((error: Error) => output.destroy(error))
  yield* output
}

const addSheets = async (zip: ZipFile, columns: readonly string[], rows: CellRows): Promise<void> => {
  const cells = eachRow(rows)
  let next = await cells.next()
  let count = 0
  do {
    count += 1
    const sheet = async function* (): AsyncGenerator<string> {
      yield `${declaration}<worksheet xmlns="${main}"><sheetData>${toRowXml(columns)}`
      let [written, text] = [0, '']
      while (!next.done && written < maxRows) {
        text += toRowXml(next.value)
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
  for (const [path, text] of Object.entries(partsOf(count))) zip.addBuffer(Buffer.from(declaration + text), path)
  zip.end()
}

/** Of the text that is compressed at once. */
const pieceLength = 65_536

async function* eachRow(rows: CellRows): AsyncGenerator<readonly Json[], undefined> {
  for await (const batch of rows) yield* batch
}

// XML

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const toRowXml = (cells: readonly Json[]): string => `<row>${cells.map(toCellXml).join('')}</row>`

const toCellXml = (value: Json): string => {
  if (value === null) return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length > maxCellLength)
    throw new Problem('bad_request', `A text has more than ${maxCellLength} characters, too many for a spreadsheet.`)
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, so they are written as _xHHHH_ (ECMA-376, 22.9.2.19).
const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(special, sign => entities[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)

const partsOf = (count: number): Readonly<Record<string, string>> => {
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  const sheets = numbers.map(at => `<sheet name="Sheet${at}" sheetId="${at}" r:id="r${at}"/>`)
  const targets = numbers.map(
    at => `<Relationship Id="r${at}" Type="${relations}/worksheet" Target="worksheets/sheet${at}.xml"/>`,
  )
  const types = numbers.map(
    at => `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${contentTypes}.worksheet+xml"/>`,
  )
  return {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageNamespace}/relationships">${targets.join('')}</Relationships>`,
    '_rels/.rels':
      `<Relationships xmlns="${packageNamespace}/relationships">` +
      `<Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      `<Types xmlns="${packageNamespace}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${contentTypes}.sheet.main+xml"/>${types.join('')}</Types>`,
  }
}
