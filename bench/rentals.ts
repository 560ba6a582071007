// Searches among a million rentals: what a page costs when the values change with every request.
// `npm run build -w plinth && npx tsx bench/rentals.ts [sqlite|postgres]`

import { customerPk, fillRentals, momentAt, rentalPk } from './rentals/fill.ts'
import { cpuOfChildren } from './support/cpu.ts'
import { type FilledDatabase, onDatabases } from './support/filled.ts'
import { authorization, startPlinth } from './support/servers.ts'

const [only] = process.argv.slice(2)
const requests = Number(process.env.BENCH_REQUESTS ?? 400)
/** Clerks who search at the same time. */
const clerks = 4

const day = 24 * 3600_000

const range = (number: number, days: number): string => {
  const from = momentAt(((number * 37) % 1000) / 1000)
  return `filter=rentalDate=bt=(${from.toISOString()},${new Date(from.getTime() + days * day).toISOString()})`
}

/** The first is no search: what any answer costs on the machine as it is now. */
const searches: Readonly<Record<string, (number: number) => string>> = {
  'one record, for comparison': number => `/api/rest/rentals/${rentalPk(number * 997)}`,
  'by customer': number => `/api/rest/rentals?customer=${customerPk(number * 13)}`,
  'open of a customer': number =>
    `/api/rest/rentals?filter=customer==${customerPk(number * 13)};returnDate=isnull=true`,
  'by a day': number => `/api/rest/rentals?${range(number, 1)}`,
  'by a week': number => `/api/rest/rentals?${range(number, 7)}`,
  'by a month': number => `/api/rest/rentals?${range(number, 30)}`,
  'by a month, newest first': number => `/api/rest/rentals?${range(number, 30)}&sort=-rentalDate`,
  overdue: number => `/api/rest/order/overdue?_pn=${number % 20}`,
  'overdue, longest first': number => `/api/rest/order/overdue?sort=dueDate&_pn=${number % 20}`,
  'overdue of a customer': number => `/api/rest/order/overdue?customer=${customerPk(number * 13)}`,
  'all, first page': () => '/api/rest/rentals',
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const measureSearch = async (url: string, path: (number: number) => string): Promise<readonly number[]> => {
  const times: number[] = []
  let next = 0
  const clerk = async (): Promise<void> => {
    while (next < requests) {
      const number = next++
      const began = performance.now()
      const answer = await fetch(url + path(number), { headers: { ...authorization, accept: 'application/json' } })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${path(number)}: ${answer.status} ${text}`)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: clerks }, clerk))
  return times.sort((a, b) => a - b)
}

const bench = async (name: string, { settings, database }: FilledDatabase): Promise<void> => {
  const first = await startPlinth(settings)
  await first.stop()
  const began = performance.now()
  await fillRentals(database)
  const plinth = await startPlinth(settings)
  console.log(`\n${name}: a million rentals, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  console.log(`${'a page'.padEnd(28)}   p50   p99     cpu  (ms, ${clerks} at a time, exact totals)`)
  for (const [what, path] of Object.entries(searches)) {
    await measureSearch(plinth.url, path)
    const before = cpuOfChildren()
    const times = await measureSearch(plinth.url, path)
    const cpu = (cpuOfChildren() - before) / times.length
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
    console.log(
      `${what.padEnd(28)}${p50.toFixed(1).padStart(6)}${p99.toFixed(1).padStart(6)}${cpu.toFixed(2).padStart(8)}`,
    )
  }
  await plinth.stop()
}

await onDatabases(only, async (name, newPlace) => bench(name, await newPlace()))
