// The parts of a spreadsheet beside its sheets: names, styles, and how the parts belong together.

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, so they are written as _xHHHH_ (ECMA-376, 22.9.2.19).
const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(special, sign => entities[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)

/** The formats of cells, by their places in the list below. */
export const styles = { plain: 0, header: 1, date: 2, timestamp: 3 } as const

/** 14 and 22 are the formats of dates and of dates with times in the language of the reader (ECMA-376, 18.8.30). */
const styleSheet =
  `<styleSheet xmlns="${mainNamespace}"><fonts count="2"><font/><font><b/></font></fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4">' +
  '<xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="14" applyNumberFormat="1"/>' +
  '<xf xfId="0" numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>'

const longestName = 31

/** Names of sheets are short and have no signs that formulas need, such as the apostrophe that quotes a name. */
const sheetName = (title: string, at: number): string => {
  const suffix = at === 1 ? '' : ` (${at})`
  const name = title
    .replaceAll(/[[\]:*?/\\]/g, ' ')
    .replaceAll("'", '’')
    .slice(0, longestName - suffix.length)
    .trim()
  return escaped(`${name || 'Sheet'}${suffix}`)
}

/** Returns the parts of a spreadsheet with this number of sheets. */
export const partsOf = (title: string, count: number): Readonly<Record<string, string>> => {
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  const sheets = numbers.map(at => `<sheet name="${sheetName(title, at)}" sheetId="${at}" r:id="r${at}"/>`)
  const targets = numbers.map(
    at => `<Relationship Id="r${at}" Type="${relations}/worksheet" Target="worksheets/sheet${at}.xml"/>`,
  )
  const types = numbers.map(
    at => `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${contentTypes}.worksheet+xml"/>`,
  )
  return {
    'xl/workbook.xml':
      `<workbook xmlns="${mainNamespace}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews>` +
      `<sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/styles.xml': styleSheet,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${packageNamespace}/relationships">${targets.join('')}` +
      `<Relationship Id="styles" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels':
      `<Relationships xmlns="${packageNamespace}/relationships">` +
      `<Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      `<Types xmlns="${packageNamespace}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${contentTypes}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${contentTypes}.styles+xml"/>${types.join('')}</Types>`,
  }
}
