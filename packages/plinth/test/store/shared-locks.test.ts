// The parent of new records, which is locked while they are created: read once for all of them, and never as it was before a change.

import { databases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countries, localities } from '../../src/modules/geography/index.ts'

describe.each(databases)('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database)
  })
  afterAll(() => service.stop())

  const transaction: TestService['app']['platform']['records']['transaction'] = work =>
    service.app.platform.records.transaction(work)

  test('the records of a list that have one parent read it once', async () => {
    const { store } = service.app.platform
    const create = (prefix: string) =>
      transaction(records =>
        records.createMany(
          localities,
          Array.from({ length: 50 }, (_, at) => ({ pk: `${prefix}${at}`, name: `${prefix} ${at}`, parent: 'GR' })),
        ),
      )
    await create('first')
    const before = store.statements
    await create('second')
    expect(store.statements - before).toBeLessThan(20)
  })

  test('a change of the parent in the same transaction counts for those that follow', async () => {
    const { name } = await service.app.platform.records.get(countries, 'GR')
    const paths = await transaction(async records => {
      const one = await records.create(localities, { pk: 'one', name: 'One', parent: 'GR' })
      await records.update(countries, 'GR', { name: 'Elsewhere' })
      const two = await records.create(localities, { pk: 'two', name: 'Two', parent: 'GR' })
      await records.update(countries, 'GR', { name })
      const three = await records.create(localities, { pk: 'three', name: 'Three', parent: 'GR' })
      return [one, two, three].map(record => record.path)
    })
    expect(paths).toEqual([
      expect.stringContaining(name),
      expect.stringContaining('Elsewhere'),
      expect.stringContaining(name),
    ])
  })

  test('a change that is undone in between does not count', async () => {
    const { name } = await service.app.platform.records.get(countries, 'GR')
    const path = await transaction(async records => {
      const failing = records.tx.attempt(async () => {
        await records.update(countries, 'GR', { name: 'Nowhere' })
        await records.create(localities, { pk: 'lost', name: 'Lost', parent: 'GR' })
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      return (await records.create(localities, { pk: 'kept', name: 'Kept', parent: 'GR' })).path
    })
    expect(path).toContain(name)
    expect(path).not.toContain('Nowhere')
  })
})
