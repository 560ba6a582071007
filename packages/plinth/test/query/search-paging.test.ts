// Pages: by number, by offset, by cursor; totals; by identifiers; whole collections.

import { featureDatabases, featureTest, itemsOn } from '@plinth/test-kit/databases'
import { everyThird, extent } from '@plinth/test-kit/extent'
import { column, fresh, jsonApi, make, startLibrary } from '@plinth/test-kit/library'
import type { Answer, Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const count = extent(400, 1000)
const tenth = count / 10

const sorts = [
  'pk',
  '-pk',
  'title',
  '-title',
  'pages',
  '-pages',
  'price,-title',
  '-inPrint,pages',
  'shelf.name,-pages',
  '-shelf.path,title',
  'copyCount,-price',
  'createdBy.username,-pages',
]

const linkOf = (page: Answer | undefined, rel: string): string | undefined => {
  const links = page?.body.links ?? []
  return Array.isArray(links) ? links.find(link => link.rel === rel)?.href : links[rel]
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const testOnce = featureTest(import.meta.url, database)
  let service: TestService
  let staff: Client
  let shelf: string
  beforeAll(async () => {
    service = await startLibrary(database, { settings: { 'app.api.maxFullCollection': String(count + 100) } })
    staff = service.as('staff')
    shelf = (await make(staff, 'shelves', { name: fresh('shelf') })).pk
    for (let from = 0; from < count; from += count / 2) {
      const list = Array.from({ length: count / 2 }, (_, index) => {
        const at = from + index
        // Many equal values and many absent ones, so that ties and nulls stand at the seams of pages.
        return {
          title: `T${(at * 7919) % 50}`,
          pages: at % 3 === 0 ? null : (at % 40) + 1,
          price: at % 2 ? at / 100 : null,
          inPrint: at % 5 !== 0,
          ...(at % 4 && { shelf }),
        }
      })
      expect((await staff.post('/api/rest/books', list)).status).toBe(201)
    }
  })
  afterAll(() => service.stop())

  const read = async (address: string) => {
    const page = await staff.get(address.replace(service.url, ''))
    expect([address, page.status]).toEqual([address, 200])
    return page
  }

  /** The pages from an address on, along one kind of link. */
  const follow = async (
    first: string,
    rel: 'next' | 'prev',
    each: () => Promise<void> = async () => {},
  ): Promise<Answer[]> => {
    const pages: Answer[] = []
    for (let address: string | undefined = first; address; ) {
      const page = await read(address)
      pages.push(page)
      address = linkOf(page, rel)
      await each()
    }
    return pages
  }

  const pksOf = (pages: readonly Answer[]): unknown[][] => pages.map(page => column(page, 'pk'))

  const walk = async (first: string, each?: () => Promise<void>): Promise<unknown[]> =>
    pksOf(await follow(first, 'next', each)).flat()

  test.each(itemsOn(database, everyThird(sorts)))(
    'the walk by cursor over many records sorted by %s is the walk by numbers: no loss, no repetition',
    async sort => {
      const byCursor = await walk(`/api/rest/books?fields=pk&sort=${sort}&_ps=97`)
      const byNumber: unknown[] = []
      for (let number = 0; number <= Math.floor(count / 97); number++) {
        byNumber.push(...column(await read(`/api/rest/books?fields=pk&sort=${sort}&_ps=97&_pn=${number}`), 'pk'))
      }
      expect(byCursor).toHaveLength(count)
      expect(new Set(byCursor).size).toBe(count)
      expect(byCursor).toEqual(byNumber)
    },
  )

  test.each(itemsOn(database, everyThird(sorts)))(
    'the way back from the last page, sorted by %s, visits the same pages',
    async sort => {
      for (const query of [`fields=pk&sort=${sort}&_ps=97`, `fields=pk&sort=${sort}&page[size]=240&page[total]=none`]) {
        const there = await follow(`/api/rest/books?${query}`, 'next')
        const back = await follow(linkOf(there.at(-1), 'self') ?? '', 'prev')
        expect(pksOf(back).reverse()).toEqual(pksOf(there))
        expect(pksOf(there).flat()).toHaveLength(count)
        const first = back.at(-1)
        expect(linkOf(first, 'next')).toBeDefined()
        expect(pksOf(await follow(linkOf(first, 'self') ?? '', 'next'))).toEqual(pksOf(there))
      }
    },
  )

  test('the page before a cursor has a total, no number, and fewer records only at the start', async () => {
    const third = await read(`/api/rest/books?sort=title&_ps=${tenth}&_pn=2&title=T1*`)
    const second = await read(linkOf(third, 'prev') ?? '')
    expect(linkOf(third, 'prev')).toContain('_before=')
    expect(second.body.page).toEqual({ ...third.body.page, number: null })
    const offset = await read('/api/rest/books?sort=title&page[offset]=3&page[limit]=5')
    const start = await read(linkOf(offset, 'prev') ?? '')
    expect(column(start, 'pk')).toEqual(column(await read('/api/rest/books?sort=title&_ps=3'), 'pk'))
    expect(linkOf(start, 'prev')).toBeUndefined()
    expect(column(await read(linkOf(start, 'next') ?? ''), 'pk')).toEqual(column(offset, 'pk'))
  })

  testOnce('every family links to the previous page after a cursor', async () => {
    const first = await read('/api/rest/books?sort=-pages&_ps=7')
    const next = (linkOf(first, 'next') ?? '').replace(service.url, '')
    const document = await staff.get(next, { Accept: jsonApi })
    expect((await staff.get(document.body.links.prev.replace(service.url, ''))).body.content).toEqual(
      first.body.content,
    )
    const hal = await staff.get(next, { Accept: 'application/hal+json' })
    expect(hal.body._links.prev.href).toContain('_before=')
    const xml = await staff.get(next, { Accept: 'application/xml' })
    expect(xml.text).toContain('_before=')
    const related = await staff.get(`/api/rest/shelves/${shelf}/books?page[number]=1`, { Accept: jsonApi })
    expect(decodeURIComponent(related.body.links.prev)).toContain('page[before]=')
  })

  test('records that come and go during a walk disturb no other record of it', async () => {
    const before = new Set(await walk('/api/rest/books?sort=title&_ps=100'))
    const made: string[] = []
    const seen = await walk('/api/rest/books?sort=title&_ps=100', async () => {
      made.push((await make(staff, 'books', { title: 'T0' })).pk, (await make(staff, 'books', { title: 'T999' })).pk)
      const gone = made.shift()
      if (gone) await staff.delete(`/api/rest/books/${gone}`)
    })
    expect(new Set(seen).size).toBe(seen.length)
    for (const pk of before) expect(seen).toContain(pk)
    for (const pk of made) await staff.delete(`/api/rest/books/${pk}`)
  })

  testOnce('a page tells its place: number, size, totals, and the links that can be followed', async () => {
    const middle = await read(`/api/rest/books?_pn=3&_ps=${tenth}&sort=title`)
    expect(middle.body.page).toEqual({ size: tenth, number: 3, totalElements: count, totalPages: 10 })
    expect(middle.headers.get('x-total-count')).toBe(String(count))
    expect(middle.body.links.map((link: { rel: string }) => link.rel)).toEqual([
      'self',
      'first',
      'prev',
      'next',
      'last',
    ])
    expect(column(await read(linkOf(middle, 'prev') ?? ''), 'pk')).toEqual(
      column(await read(`/api/rest/books?_pn=2&_ps=${tenth}&sort=title`), 'pk'),
    )
    expect(column(await read(linkOf(middle, 'next') ?? ''), 'pk')).toEqual(
      column(await read(`/api/rest/books?_pn=4&_ps=${tenth}&sort=title`), 'pk'),
    )
    const last = await read(linkOf(middle, 'last') ?? '')
    expect(last.body.page.number).toBe(9)
    expect(linkOf(last, 'next')).toBeUndefined()
    expect(linkOf(await read(linkOf(middle, 'first') ?? ''), 'prev')).toBeUndefined()
    const beyond = await read('/api/rest/books?_pn=99&_ps=100')
    expect([beyond.body.content, beyond.body.page.totalElements]).toEqual([[], count])
    expect((await read('/api/rest/books')).body.page).toEqual({
      size: 10,
      number: 0,
      totalElements: count,
      totalPages: tenth,
    })
  })

  test.each([
    ['exact', count, String(count)],
    ['none', null, null],
  ])('total=%s', async (total, elements, header) => {
    for (const query of [`_total=${total}`, `page[total]=${total}`]) {
      const page = await read(`/api/rest/books?${query}`)
      expect([page.body.page.totalElements, page.headers.get('x-total-count')]).toEqual([elements, header])
      expect(linkOf(page, 'next')).toBeDefined()
      expect(linkOf(page, 'last') === undefined).toBe(elements === null)
    }
  })

  test('an estimated total is a number, and an end without a total is still known', async () => {
    const page = await read('/api/rest/books?_total=estimated')
    expect(page.body.page.totalElements).toBeGreaterThan(0)
    expect(linkOf(await read(`/api/rest/books?_total=none&_ps=${count / 2}&_pn=1`), 'next')).toBeUndefined()
  })

  testOnce('JSON:API pages by brackets, offsets included, and its links are written alike', async () => {
    const ask = async (query: string) => staff.get(`/api/rest/books?${query}`, { Accept: jsonApi })
    const page = await ask('page[number]=2&page[size]=5')
    expect(page.body.meta).toEqual({
      page: { size: 5, number: 2, totalElements: count, totalPages: count / 5 },
      total: count,
    })
    expect(decodeURIComponent(page.body.links.next)).toContain('page[after]=')
    expect(decodeURIComponent(page.body.links.prev)).toContain('page[before]=')
    const offset = await ask('page[offset]=10&page[limit]=5')
    expect(offset.body.data).toEqual(page.body.data)
    expect(decodeURIComponent(offset.body.links.prev)).toContain('page[before]=')
    const beyond = await ask('page[offset]=2000&page[limit]=5')
    expect(decodeURIComponent(beyond.body.links.prev)).toContain(`page[offset]=${count - 5}`)
    // Who does not say how to page gets the links of the family of the answer.
    expect(decodeURIComponent((await ask('')).body.links.next)).toContain('page[after]=')
    expect(linkOf(await read('/api/rest/books'), 'next')).toContain('_after=')
    expect(
      decodeURIComponent((await staff.get(`/api/rest/shelves/${shelf}/books`, { Accept: jsonApi })).body.links.next),
    ).toContain('page[after]=')
  })

  testOnce('records asked for by identifier come in that order, each once, unless a sort is given', async () => {
    const [a, b, c] = column(await read('/api/rest/books?_ps=3'), 'pk') as string[]
    for (const query of [
      `pks=${c},${a},${b}`,
      `pks[]=${c}&pks[]=${a}&pks[]=${b}`,
      `pks=${c},nothing,${a},${c},${b}`,
      `pks=${c}&pks[]=${a}&pks[]=${b}`,
    ]) {
      const found = await read(`/api/rest/books?${query}`)
      expect([query, column(found, 'pk')]).toEqual([query, [c, a, b]])
      expect(Object.keys(found.body)).toEqual(['content', 'links'])
    }
    expect(column(await read(`/api/rest/books?pks=${c},${a},${b}&sort=pk`), 'pk')).toEqual([a, b, c])
    expect(column(await read(`/api/rest/books?pks=${c},${a},${b}&sort=-pk`), 'pk')).toEqual([c, b, a])
    expect(column(await read(`/api/rest/books?pks=${c},${a}&filter=pk==${a}`), 'pk')).toEqual([a])
    expect(column(await read('/api/rest/books?pks='), 'pk')).toEqual([])
  })

  test('page=no streams the whole collection, without criteria, up to its limit', async () => {
    const all = await read('/api/rest/books?page=no&sort=-title,pk&title=T1')
    const records = column(all, 'title') as string[]
    expect(records).toHaveLength(count)
    expect(records).toEqual([...records].sort().reverse())
    expect(Object.keys(all.body)).toEqual(['content', 'links'])
    expect(linkOf(all, 'self')).toBe(`${service.url}/api/rest/books?page=no&sort=-title%2Cpk&title=T1`)
    expect(column(await read(`/api/rest/shelves/${shelf}/books?page=no`), 'pk')).toHaveLength((count * 3) / 4)
    const document = await staff.get('/api/rest/books?page=no&include=shelf', { Accept: jsonApi })
    expect([document.body.data.length, document.body.included.length]).toEqual([count, 1])
    const xml = await staff.get('/api/rest/books?page=no', { Accept: 'application/xml' })
    expect(xml.text.match(/<book>/g)).toHaveLength(count)
    const list = Array.from({ length: 101 }, () => ({ title: 'over the limit' }))
    const made = await staff.post('/api/rest/books', list)
    const refused = await staff.get('/api/rest/books?page=no')
    expect([refused.status, refused.body.code]).toEqual([400, 'too_costly'])
    expect(refused.body.detail).toContain(String(count + 101))
    await staff.delete(`/api/rest/books/${made.body.content[0].pk}`)
    expect(column(await read('/api/rest/books?page=no'), 'pk')).toHaveLength(count + 100)
  })
})
