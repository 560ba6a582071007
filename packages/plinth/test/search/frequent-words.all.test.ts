// Searches of words that very many records have: their lists pass by in pieces, and nothing is found in another way for it.

import { databases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { describe, expect, test } from 'vitest'
import { articles, press } from './articles-module.ts'

const words = 'river stone forest meadow harbour lantern winter summer garden window bridge market'.split(' ')
const count = 5000

describe.each(databases)('on %s', database => {
  test('records with many frequent words are found, counted and ranked as by each word alone', async () => {
    const service = await startService(database, {
      modules: [...modules, press],
      settings: { 'app.api.queryTimeout': '60' },
    })
    try {
      const { records, store } = service.app.platform
      const textOf = (at: number): string => {
        const from = at % words.length
        return [...words.slice(from), ...words.slice(0, from), ...words.slice(0, at % 5)].join(' ')
      }
      for (let from = 0; from < count; from += 500)
        await records.createMany(
          articles,
          Array.from({ length: 500 }, (_, at) => ({ title: `Page ${from + at}`, description: textOf(from + at) })),
        )
      await store.packSearch(new AbortController().signal)
      const simple = service.as('simple')
      const found = async (search: string, more = '') => {
        const path = `/api/rest/articles?search=${encodeURIComponent(search)}&_matches=true&_ps=50${more}`
        const { status, body } = await simple.get(path)
        expect([search, status]).toEqual([search, 200])
        const scores = new Map<string, number>(
          body.matches.map(({ pk, score }: { pk: string; score: number }) => [pk, score]),
        )
        return { total: body.page.totalElements, scores }
      }
      const all = await found(`${words.join(' ')} `)
      expect([all.total, all.scores.size]).toEqual([count, 50])
      const among = `&filter=${encodeURIComponent(`pk=in=(${[...all.scores.keys()].join()})`)}`
      const sums = new Map<string, number>()
      for (const word of words)
        for (const [pk, score] of (await found(`${word} `, among)).scores) sums.set(pk, (sums.get(pk) ?? 0) + score)
      expect(sums).toEqual(all.scores)

      const inRow = (first: string, second: string) =>
        Array.from({ length: count }, (_, at) => textOf(at)).filter(text => `${text} `.includes(`${first} ${second} `))
      for (const [first, second] of [
        ['window', 'bridge'],
        ['market', 'river'],
      ] as const)
        expect([first, (await found(`"${first} ${second}"`)).total]).toEqual([first, inRow(first, second).length])
      expect((await found(`${words.slice(0, 11).join(' ')} -4999`)).total).toBe(count - 1)
      expect((await found(`${words.slice(0, 10).join(' ')} -"market river"`)).total).toBe(
        count - inRow('market', 'river').length,
      )
      expect((await found(`${words.slice(0, 11).join(' ')} 4321 `)).total).toBe(1)
    } finally {
      await service.stop()
    }
  })
})
