// The hash of an e-mail address would confirm to others which address a user has. It takes a key of the service.

import { createHash } from 'node:crypto'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json' }
const adminAddress = 'admin@plinth.example'
const digestOf = (address: string): string => createHash('sha256').update(address).digest('hex')
const userPk = '00000000-0000-7000-8000-000000000001'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
  })
  afterAll(() => service.stop())

  test('others can neither read nor filter nor sort by it', async () => {
    const simple = service.as('simple')
    for (const path of [`/api/rest/users/${userPk}`, '/api/rest/users', '/api/rest/users/byUserNameOrEmail/admin'])
      expect((await simple.get(path, json)).text).not.toContain('emailHash')
    for (const query of ['filter=emailHash==a', 'sort=emailHash', 'emailHash=a', 'fields=emailHash'])
      expect((await simple.get(`/api/rest/users?${query}`, json)).status, query).toBe(400)
    expect((await simple.get('/api/rest/friendships?filter=friend.emailHash==a', json)).status).toBe(400)
  })

  test('administrators, operators and the user themselves see it', async () => {
    const signedIn = await openBrowser(service.url).signIn('admin')
    const { emailHash } = signedIn.body
    expect(emailHash).toMatch(/^[0-9a-f]{64}$/)
    for (const user of ['admin', 'operator'] as const)
      expect((await service.as(user).get(`/api/rest/users/${userPk}`, json)).body.emailHash).toBe(emailHash)
  })

  test('it cannot be computed from the address alone, and is the same for all spellings', async () => {
    const admin = service.as('admin')
    const hashFor = async (username: string, email: string) =>
      (await admin.post('/api/rest/users', { username, email, password: 'wide open fields' }, json)).body.emailHash
    const hash = await hashFor('greta1', 'greta@example.com')
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hash).not.toBe(digestOf('greta@example.com'))
    expect(await hashFor('greta2', 'Greta@EXAMPLE.com')).toBe(hash)
    const found = await admin.get(`/api/rest/users?filter=emailHash==${digestOf(adminAddress)}`, json)
    expect([found.status, found.body.content]).toEqual([200, []])
  })
})
