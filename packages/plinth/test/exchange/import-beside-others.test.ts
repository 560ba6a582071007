// A check and an import that is all or nothing, while others read, write and sign in.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { startLibrary } from '@plinth/test-kit/library'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startLibrary(database)
  })
  afterAll(() => service.stop())

  const fileOf = (rows: number): string =>
    ['name,born', ...Array.from({ length: rows }, (_, at) => `Author ${at},1950-02-${10 + (at % 18)}`)].join('\n')

  const importing = (query: string, rows: number) =>
    service.as('admin')(`/api/import/authors?${query}`, {
      method: 'POST',
      body: fileOf(rows),
      headers: { 'Content-Type': 'text/csv', Accept: 'application/json' },
    })

  const countAuthors = () => service.app.platform.store.count(service.app.platform.registry.resource('authors'), null)

  let serial = 0
  const others = [
    [() => service.as('anonymous').get('/api/rest/books?_ps=1'), 200],
    [() => service.as('staff').post('/api/rest/shelves', { name: `Shelf ${++serial}` }), 201],
    [() => service.as('anonymous').post('/api/auth/userDetails', { username: 'client', password: 'client' }), 200],
  ] as const
  /** A read, a write and a sign-in of others, one after the other, until the work is done. How many of them were answered. */
  const answeredBeside = async <T>(work: Promise<T>): Promise<{ readonly answered: number; readonly result: T }> => {
    let [answered, isDone] = [0, false]
    const settled = work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      for (const [ask, status] of others) {
        expect((await ask()).status).toBe(status)
        if (!isDone) answered += 1
      }
    }
    return { answered, result: await settled }
  }

  const besideOthers = async (rows: number): Promise<void> => {
    const before = await countAuthors()
    const check = await answeredBeside(importing('dryRun=true', rows))
    expect(check.result.body).toMatchObject({ created: rows, refused: 0, uncheckedBehind: null })
    expect(await countAuthors()).toBe(before)
    expect(check.answered).toBeGreaterThan(0)
    const whole = await answeredBeside(importing('allOrNothing=true', rows))
    expect(whole.result.body).toMatchObject({ created: rows, refused: 0 })
    expect(await countAuthors()).toBe(before + rows)
    expect(whole.answered).toBeGreaterThan(0)
  }

  testAll('a check and an import of many rows at once keep no one waiting', () => besideOthers(2000))

  testAll('nor do they with 100,000 rows', () => besideOthers(100_000), 600_000)

  test('while an import writes all rows at once, others read, and see all of them or none', async () => {
    const before = await countAuthors()
    const seen = new Set<number>()
    let [reads, isDone] = [0, false]
    const work = importing('allOrNothing=true', 1500).finally(() => {
      isDone = true
    })
    while (!isDone) {
      seen.add(await countAuthors())
      expect((await service.as('anonymous').get('/api/rest/books?_ps=1')).status).toBe(200)
      reads += 1
    }
    expect((await work).body).toMatchObject({ created: 1500 })
    expect(reads).toBeGreaterThan(0)
    for (const count of seen) expect([before, before + 1500]).toContain(count)
  })
})
