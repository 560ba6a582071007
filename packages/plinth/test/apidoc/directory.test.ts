// GET /api/rest: the resources that the caller may read.

import { featureDatabases } from '@plinth/test-kit/databases'
import { type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('%s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database)
  })
  afterAll(() => service.stop())

  const namesFor = async (user: DemoUser | 'anonymous'): Promise<string[]> => {
    const { status, body } = await service.as(user).get('/api/rest')
    expect(status).toBe(200)
    return body.map((entry: { name: string }) => entry.name)
  }

  test('anonymous callers see what is public', async () => {
    expect(await namesFor('anonymous')).toEqual(['continents', 'countries'])
  })

  test('each sees what they may read, and nothing internal', async () => {
    const [forSimple, forAdmin] = [await namesFor('simple'), await namesFor('admin')]
    expect(forSimple).toContain('films')
    expect(forSimple).not.toContain('userAgents')
    expect(forAdmin).toEqual(expect.arrayContaining([...forSimple, 'userAgents']))
    expect(forAdmin.filter(name => /secrets|sessionTokens|idempotency/i.test(name))).toEqual([])
  })

  test('an entry tells what a client needs to offer it', async () => {
    const { body } = await service.as('simple').get('/api/rest')
    expect(body.find((entry: { name: string }) => entry.name === 'filmActors')).toEqual({
      name: 'filmActors',
      title: 'Film actors',
      about: 'Actors in films.',
      module: 'rental',
      moduleTitle: 'Rental',
      create: false,
    })
  })
})
