// Searches for the nearest vectors among many: alone, for a caller whose read rule leaves 1 % of the records, within a condition, and together with words.
// `npm run build && npm run bench -- near [records] [sqlite|postgres]`

import { modules } from '@plinth/test-kit/platform'
import { seededRandom } from '@plinth/test-kit/seeded-random'
import { defineResource } from '../packages/plinth/src/core/model/define.ts'
import { ref, text, vector } from '../packages/plinth/src/core/model/fields.ts'
import { defineModule } from '../packages/plinth/src/core/module.ts'
import { users } from '../packages/plinth/src/modules/people/index.ts'
import { createWords } from './search/words.ts'
import { quantile } from './support/ask.ts'
import { onDatabases } from './support/filled.ts'
import { createTimedFetch, headersOf, openApp } from './support/in-process.ts'
import { size } from './support/size.ts'

const [records = size('BENCH_RECORDS', 100_000, 300), only] = process.argv.slice(2)
const count = Number(records)
const rounds = size('BENCH_ROUNDS', 50, 3)
const dimensions = 384

const pictures = defineResource('pictures', {
  about: 'Pictures.',
  search: ['title'],
  fields: {
    title: text({ required: true, max: 200 }),
    kind: text({ max: 20, indexed: true }),
    meaning: vector(dimensions),
    owner: ref('users'),
  },
  access: { read: "record.owner == caller.pk || caller.has('ROLE_STAFF')", write: "caller.has('ROLE_STAFF')" },
})

const gallery = defineModule({ name: 'gallery', about: 'Pictures.', resources: [pictures] })

const random = seededRandom(17)
const vectorOf = (): readonly number[] => Array.from({ length: dimensions }, () => random.next() - 0.5)
const base64Of = (numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64')

const kinds: readonly (readonly [name: string, user: string, more: (word: string) => string])[] = [
  ['alone', 'staff', () => ''],
  ['under a rule', 'client', () => ''],
  ['of one kind', 'staff', () => '&kind=kind7'],
  ['with words', 'staff', word => `&search=${word}%20`],
]

await onDatabases(only, async (name, newPlace) => {
  const place = await newPlace()
  console.log(`\n${name}, ${count} vectors of ${dimensions} numbers`)
  const app = await openApp(place, [...modules, gallery])
  const url = await app.listen()
  const words = createWords(seededRandom(7))
  const owner = await app.platform.records.first(users, { where: { username: 'client' } })
  for (let from = 0; from < count; from += 500)
    await app.platform.records.createMany(
      pictures,
      Array.from({ length: Math.min(500, count - from) }, (_, at) => ({
        ...{ title: words.text(5), kind: `kind${at % 20}`, meaning: vectorOf() },
        ...((from + at) % 100 === 0 && owner && { owner: owner.pk }),
      })),
    )
  await app.platform.store.packSearch(new AbortController().signal)
  const timed = await createTimedFetch(place.database)
  for (const [kind, user, more] of kinds) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const near = encodeURIComponent(base64Of(vectorOf()))
      const address = `${url}/api/rest/pictures?near=${near}&_ps=20&_total=none${more(words.next())}`
      times.push(await timed(address, { headers: headersOf(user) }))
    }
    console.log(`${kind}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`)
  }
  await app.close()
})
