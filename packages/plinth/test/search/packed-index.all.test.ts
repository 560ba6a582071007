// Indexes of words whose documents have numbers: what is packed and swept is found as before, in the same order.

import { databases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { seededRandom } from '@plinth/test-kit/seeded-random'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articles, press } from './articles-module.ts'

const words = 'river stone forest meadow harbour lantern winter summer garden window bridge market'.split(' ')

describe.each(databases)('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  const random = seededRandom(3)
  const text = (length: number) => Array.from({ length }, () => random.pick(words)).join(' ')
  const add = (count: number) =>
    service.app.platform.records.createMany(
      articles,
      Array.from({ length: count }, (_, at) => ({
        title: `${random.pick(words)} ${random.pick(words)}`,
        description: `${text(30 + (at % 7))} page${at} of many`,
        secret: at % 3 === 0,
        ...(at % 5 === 0 && { remarks: 'checked twice' }),
      })),
    )
  const pack = () => service.app.platform.store.packSearch(new AbortController().signal)

  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, press], settings: { 'app.api.queryTimeout': '60' } })
    staff = service.as('staff')
    simple = service.as('simple')
    await add(900)
  })
  afterAll(() => service.stop())

  const found = async (client: Client, search: string, more = '&_ps=100'): Promise<readonly unknown[]> => {
    const { status, body } = await client.get(
      `/api/rest/articles?search=${encodeURIComponent(search)}&_matches=true${more}`,
    )
    expect([search, status]).toEqual([search, 200])
    return [body.page.totalElements, body.matches]
  }
  const searches = [
    ...[
      'river ',
      'river stone ',
      'riv',
      'page12',
      'page12 ',
      '"river stone"',
      'river -stone',
      '-river -"stone forest"',
    ],
    ...['"winter summer garden"', 'checked ', 'lantrn page7 ', 'harbour market window page88 ', 'nothing '],
  ]
  const all = async () => {
    const results: unknown[] = []
    for (const search of searches)
      for (const [client, more] of [
        [staff, '&_ps=100'],
        [simple, '&_ps=100'],
        [staff, '&_ps=20&_pn=3'],
        [simple, '&_ps=7&filter=title==r*'],
        [staff, '&_ps=50&sort=title'],
      ] as const)
        results.push([search, more, await found(client, search, more)])
    return results
  }

  test('documents with numbers are found as those without, in the same order', async () => {
    const { store } = service.app.platform
    const before = await all()
    await pack()
    expect(await all()).toEqual(before)
    expect((await store.checkSearch()).find(({ resource }) => resource === 'articles')).toMatchObject({
      ...{ records: 900, wrong: 0, left: 0 },
    })
    await store.repairSearch()
    expect(await all()).toEqual(before)
  })

  test('pages follow one another without gaps, forward and backward', async () => {
    for (const client of [staff, simple]) {
      const path = '/api/rest/articles?search=river&_ps=100&page='
      const whole: string[] = []
      for (let page = 0; page < 9; page++)
        whole.push(
          ...(await client.get(path.replace('page=', `_pn=${page}`))).body.content.map(({ pk }: { pk: string }) => pk),
        )
      const jsonApi = { Accept: 'application/vnd.api+json' }
      const forward: string[] = []
      const back: string[] = []
      let link: string | undefined = `${service.url}/api/rest/articles?search=river&page[size]=60&page[after]=`
      let last = ''
      while (link) {
        const { body } = await client.get(link.slice(service.url.length).replace('&page[after]=', ''), jsonApi)
        forward.push(...body.data.map(({ id }: { id: string }) => id))
        last = body.links.self
        link = body.links.next ?? undefined
      }
      link = last
      while (link) {
        const { body } = await client.get(link.slice(service.url.length).replace('&page[after]=', ''), jsonApi)
        back.unshift(...body.data.map(({ id }: { id: string }) => id))
        link = body.links.prev ?? undefined
      }
      expect(forward).toEqual(whole)
      expect(back).toEqual(whole)
    }
  })

  test('changed, deleted and restored records are found by what they are, before and after a sweep', async () => {
    const { records, store } = service.app.platform
    const record = await make(staff, 'articles', { title: 'Zeppelin', description: text(40) })
    await add(1200)
    await pack()
    expect(await found(staff, 'zeppelin ')).toMatchObject([1, [{ pk: record.pk }]])
    const path = `/api/rest/articles/${record.pk}`
    await staff.patch(path, { title: 'Airship', version: record.version })
    expect([await found(staff, 'zeppelin '), await found(staff, 'airship ')]).toMatchObject([
      [0, []],
      [1, [{ pk: record.pk }]],
    ])
    await staff.delete(path)
    expect(await found(staff, 'airship ')).toEqual([0, []])
    await staff.post(`${path}/restore`, undefined)
    expect(await found(staff, 'airship ')).toMatchObject([1, [{ pk: record.pk }]])
    await records.removeMany(articles, { where: { title: { like: 'r*' } } })
    await records.removeMany(articles, { where: { title: { like: 's*' } } })
    await records.updateMany(articles, { where: { title: { like: 'm*' } } }, { title: 'Moonlight' })
    await records.updateMany(articles, { where: { title: { like: 'w*' } } }, { title: 'Waterfall' })
    const before = await all()
    for (let round = 0; round < 3; round++) await pack()
    expect(await all()).toEqual(before)
    const sound = { wrong: 0, left: 0 }
    expect((await store.checkSearch()).find(({ resource }) => resource === 'articles')).toMatchObject(sound)
    await store.repairSearch()
    expect(await all()).toEqual(before)
  })
})
