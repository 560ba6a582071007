// What aggregates over HTTP take, compared with the same statement written by hand, on a connection of its own.
// `npm run build && npm run bench -- aggregates [records] [sqlite|postgres]`

import postgres from 'postgres'
import { createAsk } from './support/ask.ts'
import { fillLocalities } from './support/fill.ts'
import { type FilledDatabase, onDatabases, withRecords } from './support/filled.ts'
import { openSqlite } from './support/open-sqlite.ts'
import { size } from './support/size.ts'

const [records = size('BENCH_RECORDS', 1_000_000, 1000), only] = process.argv.slice(2)
const rounds = size('BENCH_ROUNDS', 5, 2)

/** Requests, and the same by hand on each database. */
const pairs = [
  {
    query: 'group=parent&count&sum=pathLevel&sort=-sum.pathLevel',
    sqlite: 'SELECT parent, count(*), sum("pathLevel") AS s FROM localities GROUP BY parent ORDER BY s DESC LIMIT 10',
    postgres: 'SELECT parent, count(*), sum("pathLevel") AS s FROM localities GROUP BY parent ORDER BY s DESC LIMIT 10',
  },
  {
    query: 'count&sum=pathLevel&avg=pathLevel&max=name',
    sqlite: 'SELECT count(*), sum("pathLevel"), avg("pathLevel"), max(name) FROM localities',
    postgres: 'SELECT count(*), sum("pathLevel"), avg("pathLevel"), max(name) FROM localities',
  },
  {
    query: 'group=createdDate:month&count&sum=pathLevel',
    sqlite: `SELECT substr("createdDate", 1, 7), count(*), sum("pathLevel") FROM localities GROUP BY 1 LIMIT 10`,
    postgres: `SELECT date_trunc('month', "createdDate"), count(*), sum("pathLevel") FROM localities GROUP BY 1 LIMIT 10`,
  },
  {
    query: 'group=createdDate:month&count&sum=pathLevel&timezone=Europe/Berlin',
    // SQLite has no time zones: this is what takes least there.
    sqlite: `SELECT substr(datetime("createdDate", '+1 hour'), 1, 7), count(*), sum("pathLevel") FROM localities GROUP BY 1 LIMIT 10`,
    postgres: `SELECT date_trunc('month', "createdDate" AT TIME ZONE 'Europe/Berlin'), count(*), sum("pathLevel") FROM localities GROUP BY 1 LIMIT 10`,
  },
] as const

const ask = createAsk()

const least = async (work: () => Promise<number>): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await work())
  return Math.min(...times)
}

interface ByHand {
  readonly run: (pair: (typeof pairs)[number]) => Promise<void>
  readonly close: () => Promise<void>
}

const byHand = ({ database }: FilledDatabase): ByHand => {
  if (database.startsWith('postgres')) {
    const sql = postgres(database, { max: 1, onnotice: () => {} })
    return { run: async pair => void (await sql.unsafe(pair.postgres)), close: () => sql.end() }
  }
  const sqlite = openSqlite(database)
  return { run: async pair => void sqlite.prepare(pair.sqlite).all(), close: async () => sqlite.close() }
}

const countries = ['GR', 'DE', 'FR', 'IT', 'ES', 'PT', 'AT', 'CH', 'PL', 'SE', 'NO', 'FI']

await onDatabases(only, async (name, newPlace) => {
  const found = await newPlace()
  // The ratio counts, on a busy machine too.
  const place = { ...found, settings: { ...found.settings, 'app.api.queryTimeout': '60' } }
  const fill = () => fillLocalities(place.database, Number(records), countries)
  await withRecords(place, fill, async ({ url }) => {
    console.log(`\n${name}, ${records} records: milliseconds over HTTP and by hand, the least of ${rounds}`)
    const hand = byHand(place)
    for (const pair of pairs) {
      const http = await least(async () => {
        const { status, ms } = await ask(`${url}/api/rest/localities/aggregates?_total=none&${pair.query}`)
        if (status !== 200) throw new Error(`${pair.query} was answered with ${status}`)
        return ms
      })
      const direct = await least(async () => {
        const began = performance.now()
        await hand.run(pair)
        return performance.now() - began
      })
      const figures = [http, direct].map(ms => ms.toFixed(1).padStart(9)).join('')
      console.log(`${figures}  ×${(http / direct).toFixed(2)}  ${pair.query}`)
    }
    await hand.close()
  })
})
