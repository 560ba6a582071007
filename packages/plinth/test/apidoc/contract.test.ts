// Requests made from the document, answers held against it: no status, media type or shape that it does not promise.

import { alternate, everyThird, inSample, inTurn, runsAll, testAll } from '@plinth/test-kit/extent'
import { makeSample, sampleOf } from '@plinth/test-kit/samples'
import { type Client, type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { demoPks, picture, upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Resource } from '../../src/core/model/resource.ts'
import {
  type ContractOperation,
  createBodyJudge,
  createJudge,
  type OpenApi,
  type OperationPlace,
  operationsIn,
} from './contract.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let service: TestService
let document: OpenApi
let judge: ReturnType<typeof createJudge>
beforeAll(async () => {
  service = await startService('sqlite', { settings: { 'app.bnms.controllers': 'bno,member,bnos,members' } })
  document = (await service.as('anonymous').get('/api/openapi.json')).body
  judge = createJudge(document)
})
afterAll(() => service.stop())

const faults: string[] = []
const take = (): string[] => faults.splice(0)

interface Sent {
  readonly path: string
  readonly accept?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Events never end, so only their beginning is looked at. */
const ask = async (client: Client, { method, operation }: OperationPlace, sent: Sent): Promise<void> => {
  const { path, accept, type, body } = sent
  if (operation.operationId.toLowerCase().includes('event') && method === 'get' && !path.includes('management')) return
  const headers = { ...sent.headers, ...(accept && { Accept: accept }), ...(type && { 'Content-Type': type }) }
  const answer = await client(path, {
    method: method.toUpperCase(),
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const fault = judge(operation, {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: answer.text,
  })
  if (fault) faults.push(`${method} ${path}${accept ? ` (${accept})` : ''}: ${fault}`)
}

const mediaTypesOf = ({ operation: { responses } }: OperationPlace): string[] => {
  const [found] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const response = found?.[1]
  const content = response?.$ref
    ? document.components.responses[response.$ref.split('/').at(-1) ?? '']?.content
    : response?.content
  return Object.keys(content ?? {})
}

const known = new Map<string, string>()

/** The identifier of a record to ask for: one that is there, or a new one where one can be made. */
const somePk = async (name: string): Promise<string> => {
  const pk = known.get(name)
  if (pk !== undefined) return pk
  const admin = service.as('admin')
  const found = await admin.get(`/api/rest/${name}?_ps=1`, { Accept: 'application/json' })
  const made =
    found.body?.content?.[0]?.pk ??
    (await makeSample(admin, service.app.platform.registry.resource(name)).then(
      answer => answer.body.pk,
      () => 'none',
    ))
  known.set(name, made)
  return made
}

const filled = async (path: string): Promise<string> => {
  const resource = /^\/api\/rest\/(\w+)/.exec(path)?.[1] ?? ''
  const values: Record<string, string> = {
    name: path.includes('/env/') ? 'app.demo' : path.includes('/metrics/') ? 'uptime' : 'http',
    userNameOrEmail: 'admin',
    resource: 'countries',
  }
  const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part)
  let address = path
  for (const part of parts) {
    const { registry } = service.app.platform
    const isResource = registry.has(resource) && !registry.resource(resource).definition.internal
    const value = values[part] ?? (isResource ? await somePk(resource) : await somePk('users'))
    address = address.replace(`{${part}}`, encodeURIComponent(value))
  }
  return address
}

/** Callers without credentials may use it. */
const isOpen = ({ security = [] }: ContractOperation): boolean =>
  security.some(scheme => Object.keys(scheme).length === 0)

const users: readonly (DemoUser | 'anonymous')[] = ['admin', 'simple', 'anonymous']

test('every read, in every media type that it promises, as several people', async () => {
  const reads = inSample(operationsIn(document)).filter(({ method }) => method === 'get')
  for (const [at, place] of everyThird(reads).entries()) {
    const path = await filled(place.path)
    const mediaTypes = mediaTypesOf(place)
    for (const accept of inTurn(mediaTypes, at)) await ask(service.as('admin'), place, { path, accept })
    if (runsAll || at % 3 === 0)
      for (const user of inTurn(users, Math.floor(at / 3))) await ask(service.as(user), place, { path })
  }
  expect(take()).toEqual([])
})

test('searches that are exported or explained', async () => {
  const [place] = operationsIn(document).filter(
    ({ path, method }) => path === '/api/rest/countries' && method === 'get',
  )
  if (!place) throw new Error('the search of countries is not described')
  const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  expect(mediaTypesOf(place)).toEqual(
    expect.arrayContaining(['text/csv', 'application/x-ndjson', spreadsheet, 'application/json']),
  )
  const admin = service.as('admin')
  // `json` is left out of the description: its media type stands for a page.
  for (const format of ['csv', 'ndjson', 'xlsx']) await ask(admin, place, { path: `${place.path}?_export=${format}` })
  for (const accept of ['application/json', 'application/hal+json', 'application/vnd.api+json', 'application/xml'])
    await ask(admin, place, { path: `${place.path}?explain=cost`, accept })
  expect(take()).toEqual([])
})

test('reads of what is not there, and in forms that do not exist', async () => {
  const reads = inSample(operationsIn(document)).filter(({ method }) => method === 'get')
  const asks = {
    'what is not there': ({ path }: OperationPlace) => ({ path: path.replaceAll(/\{\w+\}/g, 'no-such-thing') }),
    'a problem': async ({ path }: OperationPlace) => ({ path: await filled(path), accept: 'application/problem+json' }),
    'a picture': async ({ path }: OperationPlace) => ({ path: await filled(path), accept: 'image/png' }),
  }
  for (const [kind, place] of alternate(everyThird(reads), Object.keys(asks) as (keyof typeof asks)[]))
    if (kind !== 'a picture' || Object.keys(place.operation.responses).includes('406'))
      await ask(service.as('admin'), place, await asks[kind](place))
  expect(take()).toEqual([])
})

test('JSON:API is refused for what is no record before anything is done, after the permission is checked', async () => {
  const isValue = (place: OperationPlace): boolean => {
    const types = mediaTypesOf(place)
    // A redirect has no type: callers who cannot accept the value are redirected.
    if (place.operation.responses['302']) return false
    return types.includes('application/xml') && !types.includes('application/vnd.api+json')
  }
  const places = operationsIn(document).filter(isValue)
  expect(places.map(({ method }) => method)).toEqual(expect.arrayContaining(['get', 'post', 'put']))
  const statuses = new Map<string, unknown>()
  const expected = new Map<string, unknown>()
  for (const { method, path, operation } of places) {
    const request = { method: method.toUpperCase(), headers: { Accept: 'application/vnd.api+json' } }
    const statusFor = async (user: DemoUser | 'anonymous'): Promise<number> =>
      (await service.as(user)(await filled(path), request)).status
    const { operationId } = operation
    statuses.set(operationId, { admin: await statusFor('admin'), anonymous: await statusFor('anonymous') })
    // The refresh token is checked like any other credentials.
    const needsCredentials = !isOpen(operation) || operationId === 'refreshTokens'
    // The demo's node is no active member, so its network refuses it the list.
    const isRefused = operationId === 'listNetworkMemberships'
    expected.set(operationId, { admin: isRefused ? 403 : 406, anonymous: needsCredentials ? 401 : 406 })
  }
  expect(statuses).toEqual(expected)
})

test('files come in their own types and as previews', async () => {
  const files = `/api/rest/users/${demoPks.simple}/files`
  const sent = await upload(service, { as: 'simple', to: files }, { avatarUrl: await picture(40, 40), note: 'text' })
  expect(sent.status).toBe(201)
  const place = placeOf('/api/rest/users/{pk}/files/{name}', 'get')
  if (!place) throw new Error('files are not described')
  for (const path of ['avatarUrl', 'avatarUrl?preview=20', 'avatarUrl?preview=1', 'note', 'note?preview=20', 'none'])
    await ask(service.as('simple'), place, { path: `${files}/${path}` })
  expect(take()).toEqual([])
})

const generic = (): Resource[] => service.app.platform.registry.resources.filter(one => !one.definition.internal)

const placeOf = (path: string, method: string): OperationPlace | null => {
  const operation = document.paths[path]?.[method]
  return operation ? { path, method, operation } : null
}

test('records are created, replaced, patched and deleted as promised', async () => {
  const admin = service.as('admin')
  for (const [at, resource] of everyThird(generic()).entries()) {
    const base = `/api/rest/${resource.name}`
    const create = placeOf(base, 'post')
    const sample = await sampleOf(admin, resource).catch(() => null)
    if (!create || !sample) continue
    for (const accept of inTurn(mediaTypesOf(create), at)) {
      const fresh = await sampleOf(admin, resource).catch(() => sample)
      await ask(admin, create, { path: base, accept, type: 'application/json', body: fresh })
    }
    const made = await makeSample(admin, resource).catch(() => null)
    if (!made) continue
    const path = `${base}/${encodeURIComponent(made.body.pk)}`
    for (const method of ['put', 'patch', 'delete']) {
      const place = placeOf(`${base}/{pk}`, method)
      const { links: _, ...body } = made.body
      if (place) await ask(admin, place, { path, type: 'application/json', ...(method !== 'delete' && { body }) })
    }
  }
  expect(take()).toEqual([])
})

test('a replacement at a collection must name its record, and is answered as promised', async () => {
  const admin = service.as('admin')
  const judgeBody = createBodyJudge(document)
  const isAtCollection = ({ method, path }: OperationPlace) =>
    method === 'put' && /^\/api\/rest\/film\w*$|rentals$/.test(path)
  const places = operationsIn(document).filter(isAtCollection)
  expect(places.map(({ path }) => path)).toHaveLength(6)
  for (const place of places) {
    const { path, operation } = place
    const found = await admin.get(`${path}?_ps=1`, { Accept: 'application/json' })
    const { links: _, pk, id, ...unnamed } = found.body.content[0]
    expect([path, judgeBody(operation, { ...unnamed, pk }), judgeBody(operation, { ...unnamed, id })]).toEqual([
      path,
      null,
      null,
    ])
    expect([path, judgeBody(operation, unnamed)]).toEqual([path, expect.stringContaining("'pk'")])
    for (const preferred of ['return=representation', 'return=minimal'])
      await ask(admin, place, {
        path,
        type: 'application/json',
        headers: { Prefer: preferred },
        body: { ...unnamed, pk },
      })
    expect(operation.parameters).toContainEqual({ $ref: '#/components/parameters/Prefer' })
  }
  expect(take()).toEqual([])
})

testAll('every write answers bad bodies, foreign types and other people as promised', async () => {
  const writes = inSample(operationsIn(document)).filter(({ method }) => method !== 'get')
  for (const [at, place] of writes.entries()) {
    const path = place.path.replaceAll(/\{\w+\}/g, 'no-such-thing')
    const takesBody = place.operation.requestBody !== undefined
    const [type = 'application/json'] = Object.keys(place.operation.requestBody?.content ?? {})
    for (const user of runsAll ? users : (['admin', ...inTurn(users.slice(1), at)] as const)) {
      await ask(service.as(user), place, { path, ...(takesBody && { type, body: {} }) })
      if (takesBody && user === 'admin') {
        await ask(service.as(user), place, { path, type, body: 'no object' })
        await ask(service.as(user), place, { path, type: 'application/x-unknown', body: {} })
      }
    }
  }
  expect(take()).toEqual([])
})
