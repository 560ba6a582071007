import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  alien,
  base,
  blank,
  fieldOf,
  films,
  firstCopy,
  firstPage,
  hostileTexts,
  including,
  top,
  unpaged,
  viewOf,
  writePage,
} from './example.fixture.ts'
import { childrenOf, readXml } from './xml.fixture.ts'
import { xml } from './xml.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

const link = (rel: string, path: string) => `<link rel="${rel}" href="${base}/api/rest/${path}"/>`

const item = (record: typeof alien, view = films) => xml.item({ view, record, included: [] }, base)

describe('an item in XML', () => {
  test('has an element for each field and repeated elements for lists', () => {
    expect(item(alien)).toBe(
      `${declaration}<film><pk>f1</pk><title>Alien</title><cost>19.99</cost><available>true</available>` +
        '<tags>space</tags><tags>cat</tags><notes><entry name="seen">twice</entry></notes>' +
        '<shelf><pk>s1</pk><name>Top</name></shelf><actors><pk>a1</pk></actors>' +
        `<copyCount>2</copyCount><version>3</version><links>${link('self', 'films/f1')}` +
        `${['shelf', 'actors', 'fans', 'copies'].map(rel => link(rel, `films/f1/${rel}`)).join('')}</links></film>`,
    )
  })

  test('leaves out what has no value', () => {
    expect(item(blank, viewOf('films', ['title', 'tags', 'notes', 'actors', 'copyCount']))).toBe(
      `${declaration}<film><pk>f2</pk><copyCount>0</copyCount><links>${link('self', 'films/f2')}` +
        `${link('actors', 'films/f2/actors')}</links></film>`,
    )
  })

  test('repeats the pk as id where the resource says so', () => {
    expect(item(firstCopy, viewOf('copies', []))).toBe(
      `${declaration}<copy><pk>c1</pk><id>c1</id><links>${link('self', 'copies/c1')}</links></copy>`,
    )
  })

  test('is an empty element for an empty to-one relation', () => {
    expect(xml.item({ view: viewOf('shelves'), record: null, included: [] }, base)).toBe(
      `${declaration}<shelf></shelf>`,
    )
  })

  test('holds included records in full', () => {
    const included = [
      including({ relation: fieldOf('films', 'shelf'), records: { f1: [top] } }),
      including({ relation: fieldOf('films', 'copies'), records: { f1: [firstCopy, { ...firstCopy, pk: 'c2' }] } }),
    ]
    const root = readXml(xml.item({ view: films, record: alien, included }, base))
    expect(childrenOf(childrenOf(root, 'shelf')[0], 'version')[0]?.text).toBe('1')
    expect(childrenOf(root, 'copies').map(copy => childrenOf(copy, 'pk')[0]?.text)).toEqual(['c1', 'c2'])
  })
})

// XML 1.0, section 2.2: what cannot be in a document.
const stripped = (text: string) =>
  [...text].filter(one => /[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(one)).join('')

describe('whatever a record holds, its XML is well-formed', () => {
  const view = viewOf('films', ['title', 'tags', 'notes', 'shelf'])
  const check = (text: string) => {
    const shelf = { pk: text, label: text }
    const root = readXml(
      item({ ...alien, pk: `f${text}`, title: text, tags: [text], notes: { [text]: text }, shelf }, view),
    )
    const entry = childrenOf(childrenOf(root, 'notes')[0], 'entry')[0]
    const seen = [
      childrenOf(root, 'title')[0]?.text,
      childrenOf(root, 'tags')[0]?.text,
      entry?.text,
      entry?.attributes.name,
      childrenOf(childrenOf(root, 'shelf')[0], 'name')[0]?.text,
    ]
    expect(new Set(seen)).toEqual(new Set([stripped(text)]))
  }

  test.each(hostileTexts)('with the text %j', check)

  test('with any text', async () => {
    await checkProperty(fc.property(fc.string({ unit: 'binary' }), check))
  })

  test('with any UTF-16', async () => {
    const codeUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    await checkProperty(fc.property(codeUnits, units => check(String.fromCharCode(...units))))
  })

  test('with lists in lists, objects in objects and nulls', () => {
    const notes = { list: ['a', null, ['b']], '<x>': { inner: 1 }, none: null }
    expect(item({ ...alien, notes }, viewOf('films', ['notes']))).toContain(
      '<notes><entry name="list">a</entry><entry name="list"></entry><entry name="list"><entry>b</entry></entry>' +
        '<entry name="&lt;x&gt;"><entry name="inner">1</entry></entry></notes>',
    )
  })

  test('with any address that it was reached at', () => {
    const text = xml.item({ view: viewOf('actors', []), record: top, included: [] }, 'http://"><&')
    const [self] = childrenOf(childrenOf(readXml(text), 'links')[0], 'link')
    expect(self?.attributes.href).toBe('http://"><&/api/rest/actors/s1')
  })
})

describe('a page in XML', () => {
  const record = (pk: string) =>
    `<shelf><pk>${pk}</pk><name>Top</name><links>${link('self', `shelves/${pk}`)}</links></shelf>`

  test('has content, page and links', () => {
    expect(writePage(xml, firstPage, [{ records: [top] }, { records: [{ ...top, pk: 's2' }] }])).toBe(
      `${declaration}<shelves><content>${record('s1')}${record('s2')}</content>` +
        '<page><size>2</size><totalElements>3</totalElements><totalPages>2</totalPages><number>0</number></page>' +
        `<links>${link('self', 'shelves?_ps=2')}${link('next', 'shelves?_pn=1&amp;_ps=2')}` +
        `${link('last', 'shelves?_pn=1&amp;_ps=2')}</links></shelves>`,
    )
  })

  test('without paging has content and links only', () => {
    expect(writePage(xml, unpaged, [])).toBe(
      `${declaration}<shelves><content></content><links>${link('self', 'shelves?page=no')}</links></shelves>`,
    )
  })
})

test('a problem in XML follows appendix B of RFC 9457', () => {
  const text = xml.problem({
    type: '/problems/invalid',
    title: 'Invalid fields',
    status: 400,
    detail: 'a < b',
    code: 'invalid',
    errors: [{ message: 'is too long', code: 'max', pointer: '/title', position: 0 }],
    quote: { cost: 40, days: [1, null] },
    'no name': 'left out',
    instance: undefined,
  })
  expect(text).toBe(
    `${declaration}<problem xmlns="urn:ietf:rfc:7807"><type>/problems/invalid</type><title>Invalid fields</title>` +
      '<status>400</status><detail>a &lt; b</detail><code>invalid</code><errors><i><message>is too long</message>' +
      '<code>max</code><pointer>/title</pointer><position>0</position></i></errors>' +
      '<quote><cost>40</cost><days><i>1</i><i></i></days></quote></problem>',
  )
  readXml(text)
  expect(xml.problemType).toBe('application/problem+xml')
})
