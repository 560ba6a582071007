// Which pages of other origins may use which address: the fixed list, the hosts records, the model and the record.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, make, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { where } from '../../src/core/model/query.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database, {
      settings: { 'app.cors.allowedOrigins': 'https://fixed.example,https://ported.example:8443' },
    })
    admin = service.as('admin')
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  /** The origin that the answer allows; null when it allows none. */
  const allowed = async (origin: string, path = '/api/rest/shelves'): Promise<string | null> => {
    const answer = await staff.get(path, { Origin: origin })
    const granted = answer.headers.get('access-control-allow-origin')
    expect(answer.headers.get('vary')?.split(/,\s*/)).toContain('Origin')
    expect(answer.headers.get('access-control-allow-credentials')).toBe(granted === null ? null : 'true')
    expect(granted).not.toBe('*')
    const preflight = await service.as('anonymous')(path, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, granted])
    return granted
  }

  test.each([
    ['https://fixed.example', 'https://fixed.example'],
    ['https://FIXED.example', 'https://fixed.example'],
    ['https://fixed.example:443', 'https://fixed.example'],
    ['https://ported.example:8443', 'https://ported.example:8443'],
    ['https://ported.example', null],
    ['http://fixed.example', null],
    ['https://fixed.example:8443', null],
    ['https://fixed.example.evil.example', null],
    ['https://evilfixed.example', null],
    ['https://sub.fixed.example', null],
    ['https://fixed.example@evil.example', null],
    ['https://evil.example/https://fixed.example', null],
    ['https://fixed.example.', null],
    ['https://fixed.example/', null],
    ['https://fixed.example, https://evil.example', null],
    ['null', null],
    ['*', null],
    ['', null],
    ['file://', null],
    ['https://', null],
    ['javascript:alert(1)', null],
  ])('the fixed list makes of %j: %j', async (origin, expected) => {
    expect(await allowed(origin)).toBe(expected)
  })

  test('a hosts record takes effect at once, with its aliases and ports, and so does its removal', async () => {
    const name = `${fresh('h')}.example`
    expect(await allowed(`https://${name}`)).toBeNull()
    const host = await admin.post(
      '/api/rest/hosts',
      { name, aliases: [`www.${name}`, `${name}:8443`] },
      { Accept: 'application/json' },
    )
    expect(host.status).toBe(201)
    expect(await allowed(`https://${name}`)).toBe(`https://${name}`)
    expect(await allowed(`https://www.${name}`)).toBe(`https://www.${name}`)
    expect(await allowed(`https://${name}:8443`)).toBe(`https://${name}:8443`)
    for (const origin of [`http://${name}`, `https://${name}:444`, `https://other.${name}`, `https://x${name}`]) {
      expect([origin, await allowed(origin)]).toEqual([origin, null])
    }
    await admin.patch(
      `/api/rest/hosts/${host.body.pk}`,
      { aliases: [`new.${name}`] },
      { 'Content-Type': 'application/json' },
    )
    expect(await allowed(`https://new.${name}`)).toBe(`https://new.${name}`)
    expect((await admin.delete(`/api/rest/hosts/${host.body.pk}`)).status).toBe(204)
    expect(await allowed(`https://new.${name}`)).toBeNull()
  })

  test('an origin is looked up: no request with an Origin header reads all hosts', async () => {
    const { store } = service.app.platform
    const known = await make(admin, 'hosts', { name: `${fresh('one')}.example` })
    const [find, stream] = [vi.spyOn(store, 'find'), vi.spyOn(store, 'stream')]
    onTestFinished(() => {
      find.mockRestore()
      stream.mockRestore()
    })
    expect(await allowed('https://unknown.example')).toBeNull()
    expect(await allowed(`https://${known.name}`)).toBe(`https://${known.name}`)
    const searched = [...find.mock.calls, ...stream.mock.calls].map(([resource]) => resource.name)
    expect(searched).not.toContain('hosts')
  })

  test('hosts from before their origins were kept apart count after an upgrade', async () => {
    const { store } = service.app.platform
    const name = `${fresh('old')}.example`
    await make(admin, 'hosts', { name, aliases: [`www.${name}`] })
    await store.transaction(async tx => {
      const origins = tx.resource('hostOrigins')
      await tx.removeWhere(origins, where(origins, {}))
      await tx.remove(tx.resource('appliedSeeds'), 'hosts.origins')
    })
    expect(await allowed(`https://www.${name}`)).toBeNull()
    await service.app.prepare()
    expect(await allowed(`https://www.${name}`)).toBe(`https://www.${name}`)
  })

  test("a model's own rule counts on its addresses and on no others", async () => {
    const origin = 'https://catalogue.example'
    const book = await make(staff, 'books', { title: fresh('B') })
    for (const path of [
      'books',
      `books/${book.pk}`,
      `books/${book.pk}/authors`,
      'books/jsonschema',
      'books?filter=bad',
    ]) {
      expect([path, await allowed(origin, `/api/rest/${path}`)]).toEqual([path, origin])
    }
    for (const path of ['shelves', 'users', 'nothing', 'authors/jsonschema']) {
      expect([path, await allowed(origin, `/api/rest/${path}`).catch(() => null)]).toEqual([path, null])
    }
  })

  test("a record's own rule counts on that record and on no other", async () => {
    const origin = 'https://partner.example'
    const book = await make(staff, 'books', { title: fresh('B'), allowedOrigins: [origin, 'nonsense', 'null', '*'] })
    const other = await make(staff, 'books', { title: fresh('B') })
    expect(await allowed(origin, `/api/rest/books/${book.pk}`)).toBe(origin)
    expect(await allowed(origin, `/api/rest/books/${book.pk}/authors`)).toBe(origin)
    for (const path of ['books', `books/${other.pk}`, `books?pks=${book.pk}`]) {
      expect([path, await allowed(origin, `/api/rest/${path}`)]).toEqual([path, null])
    }
    for (const sent of ['null', '*']) expect(await allowed(sent, `/api/rest/books/${book.pk}`)).toBeNull()
    await staff.patch(`/api/rest/books/${book.pk}`, { allowedOrigins: [] })
    expect(await allowed(origin, `/api/rest/books/${book.pk}`)).toBeNull()
  })

  test('refusals carry the headers too, so that a page can read why', async () => {
    for (const [path, status] of [
      ['books?filter=bad', 400],
      ['ledgers', 401],
      ['books/nothing', 404],
      ['nothing', 404],
    ] as const) {
      const refused = await service.as('anonymous').get(`/api/rest/${path}`, { Origin: 'https://fixed.example' })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
        status,
        'https://fixed.example',
      ])
    }
  })

  test('a preflight names the methods of the path and of the asked headers those that are known', async () => {
    const ask = (headers: Record<string, string>) =>
      service.as('anonymous')('/api/rest/books', {
        method: 'OPTIONS',
        headers: { Origin: 'https://fixed.example', ...headers },
      })
    const known = 'Content-Type, Idempotency-Key, If-Match, X-Evil'
    const preflight = await ask({ 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': known })
    expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
      expect.arrayContaining(['GET', 'POST']),
    )
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type, idempotency-key, if-match')
    expect(Number(preflight.headers.get('access-control-max-age'))).toBeGreaterThan(0)
    const exposed = (await staff.get('/api/rest/books', { Origin: 'https://fixed.example' })).headers
    for (const name of ['ETag', 'Location', 'X-Total-Count']) {
      expect(exposed.get('access-control-expose-headers')?.split(', ')).toContain(name)
    }
  })
})
