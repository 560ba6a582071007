// Search: every operator, through HTTP, with the same answers on both databases. In `npm test` the databases take turns.

import { databases, itemsOn } from '@plinth/test-kit/databases'
import { column, fresh, freshCopy, make, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Sample {
  readonly title: string
  readonly [field: string]: unknown
}

const books: readonly Sample[] = [
  {
    title: 'Alpha',
    pages: 10,
    price: 1.5,
    published: '2020-01-01',
    acquired: '2020-01-01T00:00:00Z',
    tags: ['red', 'old'],
    binding: 'hardcover',
  },
  {
    title: 'alpha',
    pages: 20,
    price: 2.5,
    published: '2020-06-15',
    acquired: '2020-06-15T12:00:00.500Z',
    tags: ['Red'],
    inPrint: false,
  },
  { title: 'Al_ha', pages: 30, blurb: '100% pure', tags: [] },
  { title: 'Al%ha', pages: 40, blurb: 'a*b', published: '2021-12-31' },
  { title: 'Beta', pages: 50, price: 0, blurb: 'it\'s "quoted"; with, (all) = of! it~', tags: ['new'] },
  { title: 'Ünïcode Ω', blurb: 'back\\slash', isbn: '1111111111', binding: 'e-book' },
  { title: 'Émile', blurb: '' },
  { title: 'ΣΊΣΥΦΟΣ', blurb: 'line\nbreak' },
  { title: '📚 emoji', pages: 10_000, price: 1_000_000 },
]

const all = books.map(book => book.title)
const but = (...gone: string[]) => all.filter(title => !gone.includes(title))

/** A filter, and the titles that it finds. */
const filters: readonly [string, readonly string[]][] = [
  ['title==Alpha', ['Alpha']],
  ['title=="alpha"', ['alpha']],
  ["title=='Al*'", ['Alpha', 'Al_ha', 'Al%ha']],
  ['title==Al*a', ['Alpha', 'Al_ha', 'Al%ha']],
  ['title==*l*h*', ['Alpha', 'alpha', 'Al_ha', 'Al%ha']],
  ['title==Al%a', ['Alpha', 'Al_ha', 'Al%ha']],
  ['title==Al\\%ha', ['Al%ha']],
  ["title=='Al\\%ha'", ['Al%ha']],
  ['title==Al_ha', ['Al_ha']],
  ['title==Al_*', ['Al_ha']],
  ['title==*', all],
  ['title!=Alpha', but('Alpha')],
  ['title!=Al*', but('Alpha', 'Al_ha', 'Al%ha')],
  ['title=like=Al*', ['Alpha', 'Al_ha', 'Al%ha']],
  ['title=like=alpha', ['alpha']],
  ['title=ilike=alpha', ['Alpha', 'alpha']],
  ['title=ilike=AL*A', ['Alpha', 'alpha', 'Al_ha', 'Al%ha']],
  ['title=ilike=émile', ['Émile']],
  ['title=ilike=*ÜNÏCODE*', ['Ünïcode Ω']],
  ['title=ilike=σίσυφος', ['ΣΊΣΥΦΟΣ']],
  ["title=='📚*'", ['📚 emoji']],
  ["blurb=='a\\*b'", ['Al%ha']],
  ["blurb=='100\\% pure'", ['Al_ha']],
  ["blurb=='back\\\\slash'", ['Ünïcode Ω']],
  [`blurb=='it\\'s "quoted"; with, (all) = of! it~'`, ['Beta']],
  [`blurb=="it's \\"quoted\\"; with, (all) = of! it~"`, ['Beta']],
  ["blurb=='line\nbreak'", ['ΣΊΣΥΦΟΣ']],
  ["blurb==''", ['Émile']],
  ['blurb=isnull=true', ['Alpha', 'alpha', '📚 emoji']],
  ['blurb=isnull=false', but('Alpha', 'alpha', '📚 emoji')],
  ['blurb!=x', all],
  ['pages==10', ['Alpha']],
  ['pages!=10', but('Alpha')],
  ['pages=gt=30', ['Al%ha', 'Beta', '📚 emoji']],
  ['pages>30', ['Al%ha', 'Beta', '📚 emoji']],
  ['pages=ge=40', ['Al%ha', 'Beta', '📚 emoji']],
  ['pages>=40', ['Al%ha', 'Beta', '📚 emoji']],
  ['pages=lt=20', ['Alpha']],
  ['pages<20', ['Alpha']],
  ['pages=le=20', ['Alpha', 'alpha']],
  ['pages<=20', ['Alpha', 'alpha']],
  ['pages=bt=(20,40)', ['alpha', 'Al_ha', 'Al%ha']],
  ['pages=bt=(40,20)', []],
  ['pages=in=(10,50,99)', ['Alpha', 'Beta']],
  ['pages=out=(10,50)', but('Alpha', 'Beta')],
  ['pages=isnull=true', ['Ünïcode Ω', 'Émile', 'ΣΊΣΥΦΟΣ']],
  ["title=in=(Alpha,'Beta')", ['Alpha', 'Beta']],
  ['title=out=(Alpha)', but('Alpha')],
  ['title=bt=(Alpha,Beta)', ['Alpha', 'Beta']],
  ['price==1.50', ['Alpha']],
  ['price>=1.51', ['alpha', '📚 emoji']],
  ['price==0', ['Beta']],
  ['inPrint==false', ['alpha']],
  ['inPrint!=false', but('alpha')],
  ['binding==HB', ['Alpha']],
  ['binding==ebook', ['Ünïcode Ω']],
  ['binding=in=(hardcover,E-Book)', ['Alpha', 'Ünïcode Ω']],
  ['published==2020-01-01', ['Alpha']],
  ['published>2020-01-01', ['alpha', 'Al%ha']],
  ['published=bt=(2020-01-01,2020-06-15)', ['Alpha', 'alpha']],
  ['acquired==2020-01-01T00:00:00Z', ['Alpha']],
  ["acquired=='2020-01-01T02:00:00+02:00'", ['Alpha']],
  ['acquired==2019-12-31T22:30-0130', ['Alpha']],
  ['acquired==1577836800000', ['Alpha']],
  ['acquired>1577836800000', ['alpha']],
  ['acquired=le=2020-06-15T14:00:00.500+02:00', ['Alpha', 'alpha']],
  ['tags==red', ['Alpha']],
  ['tags==Red', ['alpha']],
  ['tags==r*', ['Alpha']],
  ['tags=ilike=r*', ['Alpha', 'alpha']],
  ['tags=in=(old,new)', ['Alpha', 'Beta']],
  ['tags!=red', but('Alpha')],
  ['tags=out=(red,Red,new)', but('Alpha', 'alpha', 'Beta')],
  ['tags=isnull=false', ['Alpha', 'alpha', 'Al_ha', 'Beta']],
  ['title==Alpha;pages==10', ['Alpha']],
  ['title==Alpha and pages==20', []],
  ['title==Alpha,pages==20', ['Alpha', 'alpha']],
  ['title==Alpha or pages==20', ['Alpha', 'alpha']],
  ['(title==Alpha,title==Beta);pages>10', ['Beta']],
  ['title==Alpha,title==Beta;pages>10', ['Alpha', 'Beta']],
  ['( title == Alpha ) , ( title == Beta )', ['Alpha', 'Beta']],
  ['isbn==1111111111', ['Ünïcode Ω']],
  ['copyCount==1', ['Alpha']],
  ['copyCount>=2', ['Beta']],
  ['copyCount==0;pages<30', ['alpha']],
  ['copies.shelfMark==X1', ['Alpha', 'Beta']],
  ['copies.shelfMark!=X1', ['Beta']],
  ['copies.available==false', ['Beta']],
  ['copies.shelfMark=in=(X2,X3)', ['Beta']],
  ['copies=isnull=true;pages<100', ['alpha', 'Al_ha', 'Al%ha']],
  ['copies=isnull=false', ['Alpha', 'Beta']],
  ['authors.name==Ann', ['Alpha', 'alpha']],
  ['authors.name=in=(Bob,Cid)', ['alpha', 'Beta']],
  ['authors.name==Ann;authors.name==Bob', ['alpha']],
  ['authors.born=bt=(1900-01-01,1950-01-01)', ['Alpha', 'alpha']],
  ['authors=isnull=false', ['Alpha', 'alpha', 'Beta']],
  ['shelf.name==Upper', ['Alpha']],
  ['shelf.parent.name==Room', ['Alpha']],
  ['shelf=isnull=true;pages<30', ['alpha']],
  ['shelf.name!=Upper;pages<30', ['alpha']],
  ['createdBy.username==staff;pages==10', ['Alpha']],
  ['authors.books.title==alpha', ['Alpha', 'alpha', 'Beta']],
]

/** Plain parameters, and the titles that they find. */
const parameters: readonly [string, readonly string[]][] = [
  ['pages=10', ['Alpha']],
  ['pages=10&pages=50', ['Alpha', 'Beta']],
  ['pages=10&price=2.5', []],
  ['title=Al%25a', ['Alpha', 'alpha', 'Al_ha', 'Al%ha']],
  ['title=*PHA', ['Alpha', 'alpha']],
  ['title=alpha', ['alpha']],
  ['title=Al\\%25ha', ['Al%ha']],
  ['title=Al_ha', ['Al_ha']],
  ['title=Alpha&title=B*', ['Alpha', 'Beta']],
  ['blurb=back\\slash', ['Ünïcode Ω']],
  ['blurb=it%27s%20%22quoted%22;%20with,%20(all)%20=%20of!%20it~', ['Beta']],
  ['binding=pb&pages=20', ['alpha']],
  ['acquired=1577836800000', ['Alpha']],
  ['acquired=2020-01-01T02:00:00%2B02:00', ['Alpha']],
  ['acquired=2020-01-01T02:00:00+02:00', ['Alpha']],
  ['tags=old', ['Alpha']],
  ['shelf.name=Upper', ['Alpha']],
  ['copies.shelfMark=X1', ['Alpha', 'Beta']],
  ['authors.name=a*', ['Alpha', 'alpha']],
  ['pages=99&filter=pages==10', ['Alpha']],
  ['filter[pages]=10', ['Alpha']],
  ['filter[pages]=10,50', ['Alpha', 'Beta']],
  ['filter[pages][]=10&filter[pages][]=50', ['Alpha', 'Beta']],
  ['filter[title]=Al*', []],
  ['filter[shelf.name]=Upper', ['Alpha']],
  ['filter[pages]=10&filter=title==Alpha', ['Alpha']],
  ['filter=', all],
]

/** A sort, and the titles in its order. Absent values come first when ascending. */
const sorts: readonly [string, readonly string[]][] = [
  ['title', ['Al%ha', 'Al_ha', 'Alpha', 'Beta', 'alpha', 'Émile', 'Ünïcode Ω', 'ΣΊΣΥΦΟΣ', '📚 emoji']],
  ['-price', ['📚 emoji', 'alpha', 'Alpha', 'Beta']],
  ['pages,title', ['Émile', 'Ünïcode Ω', 'ΣΊΣΥΦΟΣ', 'Alpha', 'alpha', 'Al_ha', 'Al%ha', 'Beta', '📚 emoji']],
  ['-pages,-title', ['📚 emoji', 'Beta', 'Al%ha', 'Al_ha', 'alpha', 'Alpha', 'ΣΊΣΥΦΟΣ', 'Ünïcode Ω', 'Émile']],
  ['inPrint,pages,title', ['alpha', 'Émile', 'Ünïcode Ω', 'ΣΊΣΥΦΟΣ', 'Alpha', 'Al_ha', 'Al%ha', 'Beta', '📚 emoji']],
  ['-copyCount,pages', ['Beta', 'Alpha', 'Ünïcode Ω']],
  ['-shelf.name,pages', ['Alpha']],
  ['-shelf.parent.name,title', ['Alpha', 'Al%ha']],
  ['-published', ['Al%ha', 'alpha', 'Alpha']],
  ['-acquired', ['alpha', 'Alpha']],
]

describe.each(databases)('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
    const room = await make(staff, 'shelves', { name: 'Room' })
    const shelf = await make(staff, 'shelves', { name: 'Upper', parent: room.pk })
    const author = async (name: string, born: string) => (await make(staff, 'authors', { name, born })).pk
    const [ann, bob, cid] = [
      await author('Ann', '1920-05-05'),
      await author('Bob', '1890-01-01'),
      await author('Cid', '1980-01-01'),
    ]
    const made = new Map<string, string>()
    const authors: Record<string, string[]> = { Alpha: [ann], alpha: [ann, bob], Beta: [bob, cid] }
    for (const book of books) {
      const links = { authors: authors[book.title] ?? [], ...(book.title === 'Alpha' && { shelf: shelf.pk }) }
      made.set(book.title, (await make(staff, 'books', { ...book, ...links })).pk)
    }
    const copy = (title: string, shelfMark: string, available = true) =>
      make(staff, 'copies', { pk: freshCopy(), book: made.get(title), shelfMark, available })
    await copy('Alpha', 'X1')
    await copy('Beta', 'X1', false)
    await copy('Beta', 'X2')
  })
  afterAll(() => service.stop())

  const titles = async (query: string) => column(await staff.get(`/api/rest/books?${query}&_ps=100`), 'title')

  test.each(itemsOn(database, filters))('filter=%s', async (filter, expected) => {
    expect((await titles(`filter=${encodeURIComponent(filter)}`)).sort()).toEqual([...expected].sort())
  })

  test.each(itemsOn(database, parameters))('?%s', async (query, expected) => {
    expect((await titles(query)).sort()).toEqual([...expected].sort())
  })

  test.each(itemsOn(database, sorts))('sort=%s', async (sort, expected) => {
    const found = await titles(`sort=${encodeURIComponent(sort)}`)
    expect(found.slice(0, expected.length)).toEqual(expected)
    expect(found).toHaveLength(all.length)
  })

  test('a value is never read as a part of the filter language', async () => {
    const title = fresh(`x');pk=out=('`)
    await make(staff, 'books', { title })
    expect(await titles(`title=${encodeURIComponent(title)}`)).toEqual([title])
    expect(await titles(`title=${encodeURIComponent("x' or pages==10")}`)).toEqual([])
    expect(await titles(`filter[title]=${encodeURIComponent("x' or pages==10")}`)).toEqual([])
    expect(await titles(`filter=${encodeURIComponent(`title=="${title}"`)}`)).toEqual([title])
  })

  test('id stands for pk in every way of naming it', async () => {
    const [pk] = column(await staff.get('/api/rest/books?title=Alpha&filter=title==Alpha'), 'pk')
    for (const query of [
      `id=${pk}`,
      `filter=id==${pk}`,
      `filter[id]=${pk}`,
      `filter[id][]=${pk}`,
      `pks=${pk}`,
      `filter=copies.book.id==${pk}`,
    ]) {
      expect([query, await titles(query)]).toEqual([query, ['Alpha']])
    }
    const up = column(await staff.get('/api/rest/books?sort=id&_ps=100'), 'pk')
    expect(up).toEqual([...up].sort())
    expect(column(await staff.get('/api/rest/books?sort=-id&_ps=100'), 'pk')).toEqual([...up].reverse())
  })
})
