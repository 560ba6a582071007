// Searches among a million rentals: what a page costs when the values change with every request.
// `npm run build && npm run bench -- rentals [sqlite|postgres]`

import { customerPk, fillRentals, momentAt, rentalPk, scale } from './rentals/fill.ts'
import { quantile } from './support/ask.ts'
import { cpuOfChildren } from './support/cpu.ts'
import { onDatabases, withRecords } from './support/filled.ts'
import { authorization, type Running } from './support/servers.ts'
import { size } from './support/size.ts'

const [only] = process.argv.slice(2)
const requests = size('BENCH_REQUESTS', 400, 12)
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
  return times
}

const report = async (name: string, { url }: Running): Promise<void> => {
  console.log(`\n${name}: ${scale.rentals.toLocaleString('en')} rentals`)
  console.log(`${'a page'.padEnd(28)}   p50   p99     cpu  (ms, ${clerks} at a time, exact totals)`)
  for (const [what, path] of Object.entries(searches)) {
    await measureSearch(url, path)
    const before = cpuOfChildren()
    const times = await measureSearch(url, path)
    const cpu = (cpuOfChildren() - before) / times.length
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    console.log(
      `${what.padEnd(28)}${p50.toFixed(1).padStart(6)}${p99.toFixed(1).padStart(6)}${cpu.toFixed(2).padStart(8)}`,
    )
  }
}

await onDatabases(only, async (name, newPlace) => {
  const place = await newPlace()
  await withRecords(
    place,
    () => fillRentals(place.database),
    plinth => report(name, plinth),
  )
})
