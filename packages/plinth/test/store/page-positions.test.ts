// Numbered pages far from the start are right after every write, although the store remembers where such pages begin.

import { extent } from '@plinth/test-kit/extent'
import { createRandom } from '@plinth/test-kit/random'
import { expect, test } from 'vitest'
import type { Filter } from '../../src/core/model/query.ts'
import type { Store } from '../../src/core/store/store.ts'
import { onEachDatabase } from './databases.ts'
import { pathTo, queryOf, registry, sortBy, studios } from './films.ts'

const padded = (at: number) => String(at).padStart(5, '0')

onEachDatabase(registry, store => {
  const pksOf = async (from: Store, offset: number, limit: number, filter: Filter | null) => {
    const window = { kind: 'offset', offset, limit } as const
    const query = queryOf(studios, { sort: sortBy(studios, 'name'), window, filter, total: 'none' })
    return (await from.find(studios, query)).records.map(({ pk }) => pk)
  }

  test('pages follow what is created, changed and removed before them', async () => {
    const records = Array.from({ length: 1200 }, (_, at) => ({ pk: `s${at}`, values: { name: `N${padded(at * 2)}` } }))
    await store().transaction(tx => tx.insertAll(studios, records))
    const random = createRandom()
    const below = (limit: number) => Math.floor(random.next() * limit)
    let serial = 0
    const newName = () => `N${padded(below(2400))} ${++serial}`
    const writes = [
      () => store().single.insert(studios, `n${++serial}`, { name: newName() }),
      () => store().transaction(tx => tx.update(studios, `s${below(1200)}`, { name: newName() })),
      () => store().transaction(tx => tx.remove(studios, `s${below(1200)}`)),
      async () => {},
    ]
    const above: Filter = { op: 'ge', path: pathTo(studios, 'name'), value: 'N00010' }
    for (let round = 0; round < extent(12, 40); round++) {
      await random.pick(writes)()
      for (const filter of [null, above]) {
        const all = await pksOf(store(), 0, 2000, filter)
        for (const offset of [1000, 1005, 1000, 1010])
          expect(await pksOf(store(), offset, 5, filter), `round ${round}`).toEqual(all.slice(offset, offset + 5))
      }
    }
  })
})
