// Every XML answer is one well-formed document with one root, as libxml2 reads it.

import { extent, inSample, testAll } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { XmlDocument, XmlElement } from 'libxml2-wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite')
})
afterAll(() => service.stop())

const accept = { Accept: 'application/xml' }

/** The name of the root and of its children; throws what libxml2 finds wrong. */
const outline = (text: string): { root: string; children: string[] } => {
  const document = XmlDocument.fromString(text)
  try {
    const children = document.find('/*/*').flatMap(child => (child instanceof XmlElement ? child.name : []))
    return { root: document.root.name, children }
  } finally {
    document.dispose()
  }
}

const rootOf = async (path: string): Promise<unknown> => {
  const answer = await service.as('admin').get(path, accept)
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'application/xml'])
  return outline(answer.text)
}

describe('lists of things that are not records', () => {
  test('the entry point', async () => {
    const { body } = await service.as('admin').get('/api/rest')
    const children = Array(body.length).fill('resource')
    expect(await rootOf('/api/rest')).toEqual({ root: 'resources', children })
  })

  test('sessions, none and several', async () => {
    expect(await rootOf('/api/auth/sessions')).toEqual({ root: 'sessions', children: [] })
    const login = { username: 'admin', password: 'admin' }
    for (let count = 0; count < 2; count++) await service.as('anonymous').post('/api/auth/jwt/access', login)
    expect(await rootOf('/api/auth/sessions')).toEqual({ root: 'sessions', children: ['session', 'session'] })
  })

  test.each([
    ['/api/auth/oauth/providers', 'providers'],
    ['/api/auth/identities', 'identities'],
  ])('%s without any', async (path, root) => {
    expect(await rootOf(path)).toEqual({ root, children: [] })
  })

  test('in HAL they are objects', async () => {
    const { body } = await service.as('admin').get('/api/auth/identities', { Accept: 'application/hal+json' })
    expect(body).toEqual({ _embedded: { identities: [] } })
  })
})

testAll('every address that speaks XML answers with one document', { timeout: 120_000 }, async () => {
  const admin = service.as('admin')
  const { body: description } = await admin.get('/api/openapi.json')
  const paths = Object.entries<{ get?: { responses: Record<string, unknown> } }>(description.paths)
    .filter(([, { get }]) => get && '406' in get.responses)
    .map(([path]) => ({ path }))
  const pks = new Map<string, string>()
  for (const [, name = ''] of paths.flatMap(({ path }) => [...path.matchAll(/^\/api\/rest\/(\w+)$/g)])) {
    const { body } = await admin.get(`/api/rest/${name}?_ps=1`, { Accept: 'application/json' })
    pks.set(name, body?.content?.[0]?.pk ?? 'none')
  }
  const broken: unknown[] = []
  let read = 0
  for (const { path } of inSample(paths)) {
    const pk = pks.get(path.split('/')[3] ?? '') ?? 'none'
    const address = path.replace(/\{\w+\}/g, encodeURIComponent(pk))
    const { status, text, headers } = await admin.get(address, { Accept: 'application/xml, application/problem+xml' })
    if (!headers.get('content-type')?.includes('xml')) continue
    try {
      outline(text)
      read++
    } catch (error) {
      broken.push({ address, status, error: String(error) })
    }
  }
  expect(broken).toEqual([])
  expect(read).toBeGreaterThan(extent(60, 150))
})
