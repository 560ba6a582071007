// The OpenAPI document: every route is in it, and an independent judge finds no fault.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testAll } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'

const everything = {
  'app.bnms.controllers': 'bno,member,bnos,members',
  'app.management.heapdump': 'true',
  'app.api.maxPageSize': '321',
}

let service: TestService
let document: {
  paths: Record<
    string,
    Record<string, { operationId: string; security?: unknown[]; parameters?: readonly Parameter[] }>
  >
  components: { parameters: Record<string, Parameter> }
  servers: unknown
}
beforeAll(async () => {
  service = await startService('sqlite', { settings: everything })
  document = (await service.as('anonymous').get('/api/openapi.json')).body
})
afterAll(() => service.stop())

/** The model gives each relation a path of its own; the routes take all of them by name. */
const covers = (path: string, method: string): boolean => {
  if (document.paths[path]?.[method]) return true
  // Leads to the same path without the slash, and is no operation of its own.
  if (path === '/apidoc/') return true
  // The documentation site, where it is not built, and the former address of a page.
  if (/^\/docs(\/(\{page\}|problems\.html)?)?$/.test(path)) return true
  if (!path.endsWith('/{relation}')) return false
  const stem = path.slice(0, -'{relation}'.length)
  const resource = path.split('/')[3]
  const { fields } = service.app.platform.registry.resource(resource ?? '')
  const hasRelations = [...fields.values()].some(field => field.target && !field.target.definition.internal)
  const described = Object.entries(document.paths).filter(
    ([other]) => other.startsWith(stem) && !other.slice(stem.length).includes('/') && !other.endsWith('}'),
  )
  // Which of them can be changed depends on the relation; all can be read.
  return !hasRelations || method !== 'get' || described.some(([, item]) => item.get)
}

// OPTIONS is answered on every path; where the interface lists it, it is described.
test('every route is described', async () => {
  const { body } = await service.as('admin').get('/api/management/mappings')
  const routes = Object.keys(body).map(key => /^\{\[(.+)\],methods=\[(\w+)\]\}$/.exec(key)?.slice(1) ?? [])
  expect(routes.length).toBeGreaterThan(300)
  const missing = routes.filter(
    ([path = '', method = '']) => method !== 'OPTIONS' && !covers(path, method.toLowerCase()),
  )
  expect(missing).toEqual([])
})

test('the document names the address under which the caller came', () => {
  expect(document.servers).toEqual([{ url: service.url }])
})

test('both addresses give the same document, and remember it', async () => {
  const [one, other] = [
    await service.as('anonymous').get('/api/openapi.json'),
    await service.as('admin').get('/apidoc/openapi.json'),
  ]
  expect(one.text).toBe(other.text)
  expect(one.headers.get('content-type')).toBe('application/json')
  const again = await service
    .as('anonymous')
    .get('/api/openapi.json', { 'If-None-Match': one.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test.each(['application/xml', 'text/yaml'])('the document cannot be had as %s', async accept => {
  const answer = await service.as('anonymous').get('/api/openapi.json', { Accept: accept })
  expect([answer.status, answer.text]).toEqual([406, expect.stringContaining('Accept application/json.')])
})

test('the document tells nothing of this installation', () => {
  const text = JSON.stringify(document)
  for (const private_ of [service.folder, process.cwd(), 'node_modules']) expect(text).not.toContain(private_)
})

const listsWithoutEntries = (part: unknown, at = ''): string[] => {
  if (typeof part !== 'object' || part === null) return []
  const { type, items, prefixItems } = part as Record<string, unknown>
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'))
  const own = isList && !items && !prefixItems ? [at] : []
  return [...own, ...Object.entries(part).flatMap(([name, value]) => listsWithoutEntries(value, `${at}/${name}`))]
}

test('every list says what its entries are', () => {
  expect(listsWithoutEntries(document)).toEqual([])
})

interface Parameter {
  readonly name: string
  readonly schema: { readonly maximum?: number }
}

test('every size of a page has the maximum of the setting', () => {
  const own = Object.values(document.paths).flatMap(item => Object.values(item).flatMap(one => one.parameters ?? []))
  const all = [...own, ...Object.values(document.components.parameters)]
  const sizes = all.filter(({ name }) => ['_ps', 'size', 'page[size]', 'page[limit]'].includes(name))
  expect(new Set(sizes.map(({ name }) => name)).size).toBe(4)
  for (const { name, schema } of sizes) expect([name, schema.maximum]).toEqual([name, 321])
})

testAll('operations that are not marked as open refuse strangers', async () => {
  const reached: string[] = []
  for (const [path, item] of Object.entries(document.paths)) {
    const operation = item.get
    if (!operation || operation.security?.some(one => Object.keys(one as object).length === 0)) continue
    const answer = await service.as('anonymous').get(path.replaceAll(/\{\w+\}/g, 'x'))
    if (![401, 403, 404].includes(answer.status)) reached.push(`${path}: ${answer.status}`)
  }
  expect(reached).toEqual([])
})

testAll('an independent linter finds no fault, by its strictest set of rules', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-lint-'))
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const checkout = fileURLToPath(new URL('../../../..', import.meta.url))
  const cli = join(checkout, 'node_modules/@redocly/cli/bin/cli.js')
  const args = [cli, 'lint', file, '--config', join(checkout, 'redocly.yaml'), '--format=json']
  // Without these two it would ask for its newest version and send statistics.
  const env = { PATH: process.env.PATH, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1e9 }).catch(
    (failed: { stdout: string }) => failed,
  )
  await rm(folder, { recursive: true })
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[]
  }
  expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([])
})
