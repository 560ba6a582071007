import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

const path = '/api/auth/sessions'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startAccounts(database)
  })
  afterAll(() => service.stop())
  const device = async (username: string, agent: string, from = '127.0.0.1') => {
    const browser = openBrowser(service.url, from)
    const headers = { 'User-Agent': agent }
    await browser.post('/api/auth/userDetails', { username, password: username }, { headers })
    return browser
  }

  test('a user sees the own devices, ends one, and ends all others', async () => {
    const phone = await device('client', 'Phone', '127.0.0.7')
    const laptop = await device('client', 'Laptop')
    const tablet = await device('client', 'Tablet')
    const stranger = await device('staff', 'Elsewhere')
    const list = (await laptop.get(path)).body
    expect(
      list.map(({ userAgent, address, current }: Record<string, unknown>) => [userAgent, address, current]),
    ).toEqual([
      ['Phone', '127.0.0.7', false],
      ['Laptop', '127.0.0.1', true],
      ['Tablet', '127.0.0.1', false],
    ])
    expect(Object.keys(list[0])).toEqual([
      'id',
      'created',
      'lastUsed',
      'expires',
      'userAgent',
      'address',
      'remembered',
      'current',
    ])

    const [first] = list
    expect((await stranger.ask('DELETE', `${path}/${first.id}`)).status).toBe(404)
    expect((await phone.get('/api/rest/users')).status).toBe(200)
    expect((await laptop.ask('DELETE', `${path}/${first.id}`)).status).toBe(204)
    expect((await phone.get('/api/rest/users')).status).toBe(401)
    expect((await laptop.ask('DELETE', `${path}/${first.id}`)).status).toBe(404)

    expect((await laptop.ask('DELETE', path)).status).toBe(204)
    expect((await tablet.get('/api/rest/users')).status).toBe(401)
    expect((await laptop.get('/api/rest/users')).status).toBe(200)
    expect((await stranger.get('/api/rest/users')).status).toBe(200)
    expect((await laptop.get(path)).body).toHaveLength(1)
  })

  test.each(['GET', 'DELETE'])('%s is for those who are signed in', async method => {
    expect((await openBrowser(service.url).ask(method, path)).status).toBe(401)
    expect((await openBrowser(service.url).ask('DELETE', `${path}/x`)).status).toBe(401)
  })
})
