// Many random and hostile requests: each gets a proper answer, and the service continues.
// HOSTILE_REQUESTS sets about how many; `npm test` leaves out one of the places and sends half of them. A failure is shrunk to the
// smallest request that still fails. To repeat it, set the same number with SEED.

import { extent, runsAll } from '@plinth/test-kit/extent'
import { startLibrary } from '@plinth/test-kit/library'
import { checkProperty } from '@plinth/test-kit/random'
import { type ServiceOptions, startService, type TestService } from '@plinth/test-kit/service'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settleDemo, settleLibrary } from './known-records.ts'
import { createRawClient, type RawClient, type RawRequest } from './raw-http.ts'
import { type Land, requestOf } from './requests.ts'
import { faultsOf } from './response-checks.ts'

const usualRequests = 2000
const requests = Number(process.env.HOSTILE_REQUESTS ?? usualRequests)
/** The requests that are sent at the same time, and shrunk together. */
const batch = 25
/** Batches have half as many requests on average. */
const batchesOf = (count: number): number => Math.ceil(count / (batch / 2))

interface Place {
  /** The share of all requests. */
  readonly share: number
  readonly start: (options: ServiceOptions) => Promise<TestService>
  readonly settle: (service: TestService) => Promise<Land>
}

const places: Readonly<Record<string, Place>> = {
  // One of the other places has the same resources, the other one the same database.
  ...(runsAll && {
    'a library on SQLite': { share: 0.5, start: options => startLibrary('sqlite', options), settle: settleLibrary },
  }),
  'a library on PostgreSQL': {
    share: extent(0.15, 0.25),
    start: options => startLibrary('postgres', options),
    settle: settleLibrary,
  },
  'the whole demo on SQLite': { share: 0.25, start: options => startService('sqlite', options), settle: settleDemo },
}

interface Tally {
  readonly statuses: Map<number, number>
  slowest: { ms: number; request: string }
}

const askAndInspect = async (client: RawClient, request: RawRequest, tally: Tally): Promise<string[]> => {
  const answer = await client.ask(request)
  tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1)
  if (answer.ms > tally.slowest.ms) {
    tally.slowest = { ms: answer.ms, request: `${request.method} ${request.target.slice(0, 200)}` }
  }
  return faultsOf(request, answer).map(fault => `${fault}\n  of ${show(request)}`)
}

const show = ({ method, target, headers, body }: RawRequest): string =>
  JSON.stringify({ method, target: target.slice(0, 2000), headers, body: body?.toString('latin1').slice(0, 2000) })

/** The settings without which the failures of one caller would lock all others out. */
const settings = { 'app.auth.throttle.perAccount': '100000', 'app.auth.throttle.perAddress': '100000' }

/** The last lines of the log, to be reported with a failure. */
const createMemory = () => {
  const lines: string[] = []
  return {
    write: (line: string) => {
      lines.push(line)
      if (lines.length > 3) lines.shift()
    },
    output: () => lines.join('').slice(0, 3000),
  }
}

test.each(Object.entries(places))(
  'random and hostile requests to %s get proper answers',
  { timeout: 7_200_000 },
  async (name, place) => {
    const log = createMemory()
    const service = await place.start({ settings, logTo: log })
    const client = createRawClient(service.url, batch)
    const tally: Tally = { statuses: new Map(), slowest: { ms: 0, request: '' } }
    const batches = fc.array(requestOf(await place.settle(service)), { minLength: 1, maxLength: batch, size: 'max' })
    const property = fc.asyncProperty(batches, async all => {
      const faults = (await Promise.all(all.map(request => askAndInspect(client, request, tally)))).flat()
      if (faults.length > 0) throw new Error(`${faults.join('\n')}\nThe log says:\n${log.output()}`)
    })
    const start = performance.now()
    const runCount = requests * place.share
    const runs = batchesOf(Math.min(requests, usualRequests) * place.share)
    await checkProperty(property, { runs, freshRuns: Math.max(batchesOf(runCount) - runs, Math.ceil(runs / 10)) })
    report(name, tally, performance.now() - start)
    client.close()
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('polluted' in {}).toBe(false)
    // A conflict is rare: one request in a thousand.
    const usual = [200, 201, 204, 400, 401, 403, 404, 405, 415, ...(runCount >= 10_000 ? [409] : [])]
    expect([...tally.statuses.keys()]).toEqual(expect.arrayContaining(usual))
    expect((await service.as('admin').get('/api/rest/countries')).status).toBe(200)
    await service.stop()
  },
)

const countOf = ({ statuses }: Tally): number => [...statuses.values()].reduce((sum, count) => sum + count, 0)

const report = (place: string, tally: Tally, ms: number): void => {
  const byStatus = [...tally.statuses]
    .sort(([left], [right]) => left - right)
    .map(([status, count]) => `${status}: ${count}`)
  console.log(`${countOf(tally)} requests to ${place} in ${Math.round(ms / 1000)} s; ${byStatus.join(', ')}`)
  console.log(`The slowest took ${Math.round(tally.slowest.ms)} ms: ${tally.slowest.request}`)
}
