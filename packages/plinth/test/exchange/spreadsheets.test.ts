// Files for spreadsheet programs: CSV as they read it, real dates in XLSX, and XLSX that was made to do harm.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { fetchRaw } from '@plinth/test-kit/fetch-raw'
import { make, startLibrary } from '@plinth/test-kit/library'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'

const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** An archive with these parts. */
const pack = async (parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

const workbook = {
  'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="s" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
}

const withSheet = (xml: string, more: Readonly<Record<string, string>> = {}): Promise<Buffer> =>
  pack({ ...workbook, ...more, 'xl/worksheets/sheet1.xml': xml })

const header = '<row><c t="inlineStr"><is><t>title</t></is></c></row>'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    service = await startLibrary(database)
    folder = await mkdtemp(join(tmpdir(), 'plinth-sheets-'))
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const send = (body: Uint8Array, query = 'books') =>
    service.as('admin')(`/api/import/${query}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': sheet, Accept: 'application/json' },
    })

  const staff = { Authorization: `Basic ${btoa('staff:staff')}` }

  const partsOf = async (archive: Buffer): Promise<Map<string, string>> => {
    const file = join(folder, 'export.xlsx')
    await writeFile(file, archive)
    const zip = await openPromise(file, { autoClose: false })
    const parts = new Map<string, string>()
    for await (const entry of zip.eachEntry()) {
      let text = ''
      for await (const piece of (await zip.openReadStreamPromise(entry)).setEncoding('utf8')) text += piece
      parts.set(entry.fileName, text)
    }
    zip.close()
    return parts
  }

  test('CSV ends lines with CRLF, and begins with a byte order mark on request', async () => {
    await make(service.as('staff'), 'authors', { name: 'Zoë' })
    const path = `${service.url}/api/rest/authors?fields=name&name=Zo%C3%AB`
    const plain = await fetchRaw(path, { ...staff, Accept: 'text/csv' })
    expect(plain.bytes.toString()).toBe('name\r\nZoë\r\n')
    const marked = await fetchRaw(`${path}&_bom=true`, { ...staff, Accept: 'text/csv' })
    expect(marked.bytes.toString()).toBe('\ufeffname\r\nZoë\r\n')
    const unmarked = await fetchRaw(`${path}&_export=csv&_bom=false`, staff)
    expect(unmarked.bytes.toString()).toBe('name\r\nZoë\r\n')
    for (const wrong of ['_export=csv&_bom=maybe', '_export=xlsx&_bom=true'])
      expect((await service.as('staff').get(`/api/rest/authors?${wrong}`)).body.code).toBe('bad_parameter')
    const again = await service.as('admin')('/api/import/authors?dryRun=true', {
      method: 'POST',
      body: marked.bytes,
      headers: { 'Content-Type': 'text/csv', Accept: 'application/json' },
    })
    expect(again.body).toMatchObject({ created: 1, refused: 0 })
  })

  test('XLSX has real dates, a header that stays in sight and the name of the records, and is imported as it was', async () => {
    const moments = ['2021-01-02T03:04:05.678Z', '1999-12-31T23:59:59.999Z', '1850-06-01T12:00:00.000Z']
    const days = ['2020-02-29', '1900-03-01', '1899-01-01']
    for (const [at, acquired] of moments.entries())
      await make(service.as('staff'), 'books', { title: `dated ${at}`, acquired, published: days[at] })
    const path = `${service.url}/api/rest/books?fields=pk,title,published,acquired&sort=title&filter=title==dated*`
    const { bytes } = await fetchRaw(path, { ...staff, Accept: sheet, 'Accept-Language': 'en' })
    const parts = await partsOf(bytes)
    expect(parts.get('xl/workbook.xml')).toContain('<sheet name="Books" ')
    const xml = parts.get('xl/worksheets/sheet1.xml') ?? ''
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    // Days since 30 December 1899, with the time as a fraction.
    expect(xml).toContain('<c s="2"><v>43890</v></c><c s="3"><v>44198.127843495')
    // A spreadsheet cannot count so far back.
    expect(xml).toContain('>1899-01-01<')
    expect(xml).toContain('>1850-06-01T12:00:00.000Z<')
    expect(parts.get('xl/styles.xml')).toMatch(/numFmtId="14".*numFmtId="22"/)
    expect((await send(bytes, 'books?key=pk')).body).toMatchObject({ created: 0, changed: 0, unchanged: 3, refused: 0 })
  })

  test('a sheet may leave out empty cells and rows, and rows with too many cells are refused', async () => {
    const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
    const rows = [
      `<row r="1">${text('B1', 'title')}${text('D1', 'isbn')}</row>`,
      `<row r="4">${text('D4', '1234567890')}${text('B4', 'placed')}</row>`,
      '<row r="5"/>',
      `<row r="7">${text('B7', 'uneven')}${text('XFD7', 'far away')}</row>`,
    ]
    const { body } = await send(await withSheet(`<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`))
    expect(body).toMatchObject({ created: 1, refused: 1, rows: [{ line: 7 }] })
    const { body: found } = await service
      .as('staff')
      .get('/api/rest/books?title=placed', { Accept: 'application/json' })
    expect(found.content).toMatchObject([{ isbn: '1234567890' }])
  })

  test.each([
    ['two million nested elements', () => withSheet('<a>'.repeat(2_000_000)), 'nested more than 32 deep'],
    [
      'nested elements among the shared texts',
      () => withSheet('<worksheet/>', { 'xl/sharedStrings.xml': '<a>'.repeat(1000) }),
      'nested more than 32 deep',
    ],
    [
      'an element with many attributes',
      () => withSheet(`<row ${Array.from({ length: 5000 }, (_, at) => `a${at}="1"`).join(' ')}/>`),
      'too many attributes',
    ],
    [
      'a small archive that unpacks to 150 MB',
      () => withSheet(`<worksheet><sheetData>${header}${' '.repeat(150_000_000)}</sheetData></worksheet>`),
      'more than 100 times its size',
    ],
    [
      'a list of sheets without end',
      () =>
        pack({
          ...workbook,
          'xl/workbook.xml': `<workbook xmlns:r="r">${'<sheet name="s" r:id="r1"/>'.repeat(200_000)}</workbook>`,
        }),
      'too many sheets',
    ],
  ])('a spreadsheet with %s is refused, with the reason', async (_, bomb, reason) => {
    const { status, body } = await send(await bomb())
    expect([status, body.code]).toEqual([400, 'bad_request'])
    expect(body.detail).toContain(reason)
    expect(body.detail).toContain('or use CSV')
  })
})
