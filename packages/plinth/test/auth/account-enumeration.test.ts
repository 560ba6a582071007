// Answers do not reveal whether an account exists.

import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

const paths = ['/api/auth/jwt/access', '/api/auth/basic', '/api/auth/userDetails', '/apiauth/userDetails'] as const

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startAccounts(database)
    await service.as('admin').patch('/api/rest/userCredentials/00000000-0000-7000-8000-000000000005', { active: false })
  })
  afterAll(() => service.stop())

  test.each(paths)('POST %s answers alike for known, unknown and inactive accounts', async path => {
    const answers = []
    for (const login of [
      { username: 'staff', password: 'wrong' },
      { username: 'nobody', password: 'wrong' },
      { email: 'staff@plinth.example', password: 'wrong' },
      { email: 'nobody@plinth.example', password: 'wrong' },
      { username: 'simple', password: 'wrong' },
      { username: 'simple', password: 'simple' },
    ]) {
      const reply = await openBrowser(service.url).post(path, login, {
        headers: { Accept: 'application/problem+json' },
      })
      const { date: _, 'x-request-id': __, ...headers } = reply.headers
      answers.push(JSON.stringify([reply.status, reply.text, headers]))
    }
    expect(new Set(answers).size).toBe(1)
  })
})
