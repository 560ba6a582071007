// While one caller writes many records in one transaction, the requests of others go on.

import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
  })
  afterAll(() => service.stop())

  test('reads are answered in between, and see nothing of it', async () => {
    const places = Array.from({ length: 1000 }, (_, at) => ({ pk: `B${at}`, name: `Place ${at}`, parent: 'GR' }))
    let isOver = false
    const creating = service
      .as('admin')
      .post('/api/rest/localities', places, { Prefer: 'return=minimal' })
      .finally(() => {
        isOver = true
      })
    const seen: number[] = []
    while (!isOver) {
      const { status } = await service.as('admin').get('/api/rest/localities/B0', { Accept: 'application/json' })
      if (!isOver) seen.push(status)
    }
    expect((await creating).status).toBe(201)
    expect(seen.length).toBeGreaterThan(10)
    expect(seen.slice(0, 10)).toEqual(Array(10).fill(404))
    expect((await service.as('admin').get('/api/rest/localities/B999')).status).toBe(200)
  })
})
