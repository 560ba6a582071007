// A refused upload leaves everything as it was: the file, its content, the folders.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, jsonApi } from '@plinth/test-kit/library'
import { startService, type TestService } from '@plinth/test-kit/service'
import { demoPks, upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const own = `/api/rest/users/${demoPks.client}/files`

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
  })
  afterAll(() => service.stop())

  const kept = async (): Promise<string[]> => {
    const entries = await readdir(join(service.folder, 'files'), { recursive: true, withFileTypes: true })
    return entries.filter(entry => entry.isFile()).map(entry => entry.name)
  }

  test.each([
    ['without a key', () => ({})],
    ['with a key', () => ({ 'Idempotency-Key': fresh('key') })],
  ])('in a format that has no place for the answer, %s', async (_, more) => {
    const name = fresh('n')
    await upload(service, { as: 'client', to: own }, { [name]: 'first' })
    const before = await kept()
    const headers = { Accept: jsonApi, ...more() }
    const refused = await upload(service, { as: 'client', to: own, headers }, { [name]: 'second' })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([406, jsonApi])
    expect((await service.as('client').get(`${own}/${name}`)).text).toBe('first')
    expect(await kept()).toEqual(before)
    const again = await upload(service, { as: 'client', to: own, headers: more() }, { [name]: 'second' })
    expect(again.status).toBe(200)
    expect((await service.as('client').get(`${own}/${name}`)).text).toBe('second')
  })
})
