// Whatever callers search for: it is answered, or refused with its price. The price follows the work.

import { databases, featureTest } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { startLibrary } from '@plinth/test-kit/library'
import { createRandom, fixedSeed } from '@plinth/test-kit/random'
import { randomQuery } from '@plinth/test-kit/random-queries'
import { rankCorrelation } from '@plinth/test-kit/rank-correlation'
import type { TestService } from '@plinth/test-kit/service'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json' }
const budget = 100_000

describe.each(databases)('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startLibrary(database, { settings: { 'app.api.maxQueryCost': String(budget) } })
    const now = new Date().toISOString()
    const localities = Array.from({ length: 2000 }, (_, at) => ({
      pk: `L${at}`,
      values: { name: `Town ${at}`, parent: ['GR', 'FR', 'IT'][at % 3], createdDate: now, lastModifiedDate: now },
    }))
    await service.app.platform.store.transaction(tx => tx.insertAll(tx.resource('localities'), localities))
  })
  afterAll(() => service.stop())

  const resources = () => service.app.platform.registry.resources.filter(({ definition }) => !definition.internal)

  featureTest(import.meta.url, database)(
    'random queries are answered, or refused with the cost of their parts',
    async () => {
      const random = createRandom()
      const admin = service.as('admin')
      const statuses = new Map<number, number>()
      for (let number = 0; number < extent(100, 1000); number++) {
        const query = randomQuery(random, resources())
        const { status, body } = await admin.get(`/api/rest/${query}`, json)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect([query, status === 200 || (status === 400 && body.code)]).toEqual([
          query,
          status === 200 || 'too_costly',
        ])
        if (status === 200) continue
        expect(body.errors.length).toBeGreaterThan(0)
        for (const fault of body.errors) {
          if (fault.code === 'limit') continue
          expect([query, fault.code, Number.isFinite(fault.cost)]).toEqual([query, 'cost', true])
        }
      }
      expect(statuses.get(200)).toBeGreaterThan(0)
    },
  )

  if (database === 'postgres') {
    test('the estimate follows the rows that the database visits', async () => {
      // Among so few queries the correlation depends on the seed: from 0.5 to 0.8.
      const random = createRandom(fixedSeed)
      const admin = service.as('admin')
      const sql = postgres(service.database, { max: 1, onnotice: () => {} })
      const pairs: (readonly [number, number])[] = []
      try {
        for (let number = 0; number < extent(150, 300); number++) {
          const query = randomQuery(random, resources())
          const { body } = await admin.get(`/api/rest/${query}&explain=cost`, json)
          expect([query, Number.isFinite(body.cost)]).toEqual([query, true])
          if (body.cost > 10 * budget) continue
          let visited = 0
          for (const { sql: text, values } of body.statements) {
            const [plan] = await sql.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
            visited += rowsOf(plan?.['QUERY PLAN'][0].Plan)
          }
          // Includes are statements of their own.
          const included = body.parts.filter(({ part }: { part: string }) => part === 'include')
          pairs.push([body.cost - included.reduce((sum: number, { cost }: { cost: number }) => sum + cost, 0), visited])
        }
      } finally {
        await sql.end()
      }
      expect(rankCorrelation(pairs)).toBeGreaterThan(0.6)
    })
  }
})

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0)
