// Every registered resource × operation × format, on both databases. A new resource is tested without a line here. `npm test` takes
// each resource on one database, in some formats, with a third of the operations.

import { tmpdir } from 'node:os'
import { databases, featureDatabases, itemsOn } from '@plinth/test-kit/databases'
import { inTurn, runsAll } from '@plinth/test-kit/extent'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { makeSample, sampleOf } from '@plinth/test-kit/samples'
import { type Answer, type Client, startService, type TestService } from '@plinth/test-kit/service'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { familyOf, type GenericOperation } from '../../src/core/model/family.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import type { Resource, ResourceField } from '../../src/core/model/resource.ts'
import { bodyIn, type FormatName, formats, itemIn, pageIn } from './format-readers.ts'
import { changeOf, readFieldsOf, relationsOf, searchText } from './resource-fields.ts'

const modules = modulesFor(loadConfig({ env: {}, cwd: tmpdir() }))
/** What callers can make; records that the service alone makes, such as mails, have tests of their own. */
const resources = createRegistry(modules.flatMap(module => module.resources)).resources.filter(
  ({ definition: { internal, access } }) => !internal && (access.create ?? access.write ?? 'false') !== 'false',
)
/** Says whether records can only be added: not even administrators pass the rule `false`. */
const isOnlyAdded = ({ definition: { access } }: Resource): boolean => access.update === 'false'
const formatNames = Object.keys(formats) as FormatName[]
const bodyFormats = formatNames.filter(name => name !== 'xml')

const defaultTypeOf = (resource: Resource, operation: GenericOperation): string =>
  familyOf(resource.definition, operation) === 'jsonApi' ? formats['json-api'] : formats.json

const typeOf = (answer: Answer): string => answer.headers.get('content-type') ?? ''

const isToOne = ({ definition }: ResourceField): boolean =>
  definition.role === 'one' || (definition.role === 'inverse' && definition.single === true)

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  beforeAll(async () => {
    service = await startService(database)
    admin = service.as('admin')
  })
  afterAll(() => service.stop())

  // What a database does is tested on both by the tests of storage and search.
  const tested = itemsOn(database, resources)
  describe.each(tested.map(resource => [resource.name, resource] as const))('%s', (name, resource) => {
    const place = resources.indexOf(resource)
    const readFormats = inTurn(formatNames, place)
    const sentFormats = inTurn(bodyFormats, place)
    /** The number among the resources of this database. */
    const turn = Math.floor(place / databases.length)
    /**
     * Defines tests of what depends little on the resource: `npm test` runs each of them on a third of the resources of a
     * database.
     */
    const inThird = (third: 0 | 1 | 2) => test.runIf(runsAll || turn % 3 === third)
    const path = `/api/rest/${name}`
    const labelled = resource.label ?? resource.pk

    test.each(sentFormats)('takes a new record as %s and gives it back in every format', async sent => {
      const sample = await sampleOf(admin, resource)
      const { type, body } = bodyIn(sent, resource, sample)
      const made = await admin.post(path, body, { 'Content-Type': type, Accept: formats[sent] })
      expect(made).toHaveStatus(201)
      expect(typeOf(made)).toBe(formats[sent])
      const { pk } = itemIn(sent, made.text)
      expect(made.headers.get('location')).toBe(`${service.url}${path}/${encodeURIComponent(pk)}`)
      const plain = (await admin.get(`${path}/${encodeURIComponent(pk)}`, { Accept: formats.json })).body
      for (const format of readFormats) {
        const found = await admin.get(`${path}/${encodeURIComponent(pk)}`, { Accept: formats[format] })
        expect([found.status, typeOf(found)]).toEqual([200, formats[format]])
        const item = itemIn(format, found.text)
        expect(item.pk).toBe(pk)
        expect(String((resource.label && item.fields[labelled.name]) ?? item.pk)).toBe(String(plain[labelled.name]))
        expect(item.self).toBe(`${service.url}${path}/${encodeURIComponent(pk)}`)
      }
    })

    inThird(1)('keeps what was sent', async () => {
      const sample = await sampleOf(admin, resource)
      const made = await admin.post(path, sample, { Accept: formats.json })
      for (const [name, value] of Object.entries(sample)) {
        const field = resource.fields.get(name)?.definition
        if (field?.options.writeOnly) expect(made.body).not.toHaveProperty(name)
        else if (field?.role === 'one') expect(made.body[name].pk).toBe(value)
        else expect(made.body).toMatchObject({ [name]: value })
      }
    })

    inThird(2)('answers each operation in its family when the caller does not say', async () => {
      const sample = await sampleOf(admin, resource)
      const made = await admin.post(path, sample, { 'Content-Type': 'application/json' })
      expect(typeOf(made)).toBe(defaultTypeOf(resource, 'create'))
      const pk = (await makeSample(admin, resource)).body.pk
      const item = `${path}/${encodeURIComponent(pk)}`
      expect(typeOf(await admin.get(path))).toBe(defaultTypeOf(resource, 'search'))
      expect(typeOf(await admin.get(item))).toBe(defaultTypeOf(resource, 'find'))
      const current = (await admin.get(item, { Accept: formats.json })).body
      if (!isOnlyAdded(resource))
        expect(typeOf(await admin.put(item, current))).toBe(defaultTypeOf(resource, 'replace'))
      const refused = (method: string) =>
        admin(item, { method, headers: { 'If-Match': '"0-none"' }, ...(method !== 'DELETE' && { body: {} }) })
      const family = familyOf(resource.definition, 'delete')
      const deletion = await refused('DELETE')
      expect(deletion.status).toBe(isOnlyAdded(resource) ? 403 : 412)
      if (deletion.status === 412)
        expect(typeOf(deletion)).toBe(family === 'jsonApi' ? formats['json-api'] : 'application/problem+json')
      for (const [at, relation] of relationsOf(resource).entries()) {
        const addresses = [
          ['relationship', `${item}/relationships/${relation.name}`],
          ['related', `${item}/${relation.name}`],
        ] as const
        for (const [code, address] of inTurn(addresses, at + turn + 1)) {
          const related = await admin.get(address)
          if (related.status !== 204) expect([code, typeOf(related)]).toEqual([code, defaultTypeOf(resource, code)])
        }
      }
    })

    inThird(0).each(readFormats)('searches by page, by identifiers and as a whole in %s', async format => {
      const headers = { Accept: formats[format] }
      const [first, second] = [(await makeSample(admin, resource)).body, (await makeSample(admin, resource)).body]
      const one = await admin.get(`${path}?_ps=1&sort=-pk`, headers)
      expect([one.status, typeOf(one)]).toEqual([200, formats[format]])
      const page = pageIn(format, one.text, resource)
      expect(page.items).toHaveLength(1)
      expect(page.page?.size).toBe(1)
      expect(page.page?.number).toBe(0)
      expect(page.page?.totalElements).toBe(Number(one.headers.get('x-total-count')))
      expect(page.page?.totalElements).toBeGreaterThanOrEqual(2)
      const next = await admin.get(
        new URL(String(page.links.next)).pathname + new URL(String(page.links.next)).search,
        headers,
      )
      expect(next.status).toBe(200)
      expect(pageIn(format, next.text, resource).items[0]?.pk).not.toBe(page.items[0]?.pk)
      const pks = await admin.get(`${path}?pks=${encodeURIComponent(`${first.pk},${second.pk}`)}`, headers)
      expect(new Set(pageIn(format, pks.text, resource).items.map(item => item.pk))).toEqual(
        new Set([first.pk, second.pk]),
      )
      expect(pageIn(format, pks.text, resource).page).toBeNull()
      const repeated = await admin.get(
        `${path}?pks[]=${encodeURIComponent(first.pk)}&pks[]=${encodeURIComponent(second.pk)}`,
        headers,
      )
      expect(pageIn(format, repeated.text, resource).items).toHaveLength(2)
      const whole = pageIn(format, (await admin.get(`${path}?page=no`, headers)).text, resource)
      expect(whole.items).toHaveLength(Number(page.page?.totalElements))
    })

    inThird(0)('finds a record by each of its fields, as a parameter and in a filter', async () => {
      const record = (await makeSample(admin, resource)).body
      for (const [at, field] of [...resource.fields.values()].entries()) {
        const value = searchText(field, record)
        if (value === null) continue
        const quoted = `"${value.replace(/["\\*%]/g, '\\$&')}"`
        const queries = [
          `${field.name}=${encodeURIComponent(value.replace(/[\\*%]/g, '\\$&'))}`,
          `filter=${encodeURIComponent(`${field.name}==${quoted}`)}`,
        ]
        for (const query of inTurn(queries, at + turn)) {
          const found = await admin.get(`${path}?${query}&_ps=500&fields=pk&_total=none`, { Accept: formats.json })
          expect([query, found.status]).toEqual([query, 200])
          expect(found.body.content.map((one: { pk: string }) => one.pk)).toContain(record.pk)
        }
        if (!runsAll && (at + turn) % 2 === 0) continue
        const sorted = await admin.get(`${path}?sort=-${field.name}&_ps=1`, { Accept: formats.json })
        expect([field.name, sorted.status]).toEqual([
          field.name,
          field.definition.role === 'value' && field.definition.type.column === 'json' ? 400 : 200,
        ])
      }
    })

    if (isOnlyAdded(resource)) {
      test('is never changed nor deleted', async () => {
        const { pk, version } = (await makeSample(admin, resource)).body
        const item = `${path}/${encodeURIComponent(pk)}`
        const answers = [await admin.put(item, {}), await admin.patch(item, {}), await admin.delete(item)]
        expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
        expect((await admin.get(item, { Accept: formats.json })).body.version).toBe(version)
      })
    } else {
      inThird(1)('replaces, and knows a stale copy by its tag and by its version', async () => {
        const made = await makeSample(admin, resource)
        const item = `${path}/${encodeURIComponent(made.body.pk)}`
        const found = await admin.get(item, { Accept: formats.json })
        const etag = found.headers.get('etag') ?? ''
        expect((await admin.get(item, { Accept: formats.json, 'If-None-Match': etag })).status).toBe(304)
        const change = changeOf(resource, made.body)
        const replaced = await admin.put(item, { ...found.body, ...change }, { Accept: formats.json, 'If-Match': etag })
        expect(replaced).toHaveStatus(200)
        const isChanged = Object.keys(change).length > 0
        expect(replaced.body).toMatchObject({ ...change, version: found.body.version + (isChanged ? 1 : 0) })
        expect((await admin.put(item, found.body, { 'If-Match': etag })).status).toBe(isChanged ? 412 : 200)
        const stale = await admin.patch(item, { version: found.body.version }, { Accept: formats.json })
        expect(stale.status).toBe(isChanged ? 409 : 204)
        expect((await admin.put(item, { ...found.body, pk: 'another' })).status).toBe(400)
      })

      inThird(2).each(sentFormats)('patches with a body in %s', async sent => {
        const made = await makeSample(admin, resource)
        const item = `${path}/${encodeURIComponent(made.body.pk)}`
        const change = changeOf(resource, made.body)
        const { type, body } = bodyIn(sent, resource, { ...change, pk: made.body.pk })
        const headers = { 'Content-Type': type, Accept: formats.json }
        const patched = await admin.patch(item, body, headers)
        const isChanged = Object.keys(change).length > 0
        expect([patched.status, patched.body ?? {}]).toMatchObject([isChanged ? 200 : 204, change])
        expect((await admin.patch(item, body, headers)).status).toBe(204)
      })

      inThird(2)('deletes a record once', async () => {
        const item = `${path}/${encodeURIComponent((await makeSample(admin, resource)).body.pk)}`
        expect([
          (await admin.delete(item)).status,
          (await admin.delete(item)).status,
          (await admin.get(item)).status,
        ]).toEqual([204, 404, 404])
      })
    }

    inThird(1).each(readFormats)('leads to its relations in %s', async format => {
      const headers = { Accept: formats[format] }
      const made = await makeSample(admin, resource)
      for (const [at, relation] of relationsOf(resource).entries()) {
        const target = relation.target as Resource
        const item = `${path}/${encodeURIComponent(made.body.pk)}`
        const addresses = [`${item}/relationships/${relation.name}`, `${item}/${relation.name}`]
        for (const address of inTurn(addresses, at + turn)) {
          const related = await admin.get(address, headers)
          if (isToOne(relation)) {
            const expected = made.body[relation.name]?.pk
            if (expected === undefined) expect(related.status).toBe(format === 'json-api' ? 200 : 204)
            else expect(itemIn(format, related.text).pk).toBe(expected)
          } else {
            expect([address, related.status]).toEqual([address, 200])
            expect(pageIn(format, related.text, target).page).not.toBeNull()
          }
        }
        const included = await admin.get(`${item}?include=${relation.name}`, headers)
        expect(included.status).toBe(200)
      }
    })

    inThird(0)('describes itself by a schema that its records keep', async () => {
      const made = await makeSample(admin, resource)
      const schema = await admin.get(`${path}/jsonschema`)
      expect([schema.status, typeOf(schema)]).toEqual([200, 'application/json'])
      const ajv = new Ajv.default({ strict: false, allErrors: true })
      addFormats.default(ajv)
      const validate = ajv.compile(schema.body)
      expect([validate(made.body), validate.errors]).toEqual([true, null])
      const ui = await admin.get(`${path}/uischema`)
      expect(ui.headers.get('deprecation')).toBeTruthy()
      expect(ui.body.pathFragment).toBe(name)
      expect(Object.keys(ui.body.fields)).toEqual(expect.arrayContaining(Object.keys(resource.definition.fields)))
      expect(ui.body.useCases).toHaveProperty('create')
    })

    inThird(0)('tells its methods and refuses what it does not speak', async () => {
      const item = `${path}/${encodeURIComponent((await makeSample(admin, resource)).body.pk)}`
      const options = await service.as('anonymous')(path, { method: 'OPTIONS' })
      expect([200, 204]).toContain(options.status)
      expect(options.headers.get('allow')?.split(', ').sort()).toEqual(
        expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'POST']),
      )
      expect((await admin.get(item, { Accept: 'text/csv' })).status).toBe(406)
      expect((await admin.post(path, '<x/>', { 'Content-Type': 'application/xml' })).status).toBe(415)
      expect((await admin(item, { method: 'POST', body: {} })).status).toBe(405)
      const head = await admin(item, { method: 'HEAD', headers: { Accept: formats.json } })
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([
        200,
        '',
        (await admin.get(item, { Accept: formats.json })).headers.get('etag'),
      ])
    })

    inThird(1)('says every fault of a body at once and writes nothing', async () => {
      const sample: Record<string, unknown> = await sampleOf(admin, resource)
      const before = (await admin.get(`${path}?_ps=1`)).headers.get('x-total-count')
      const wrong = readFieldsOf(resource).filter(field => field in sample)
      for (const field of wrong) sample[field] = { not: ['a', 'value'] }
      const refused = await admin.post(path, sample, { Accept: formats.json })
      expect(refused.status).toBe(400)
      const faults: readonly { pointer: string; member: string }[] = refused.body.errors
      expect(faults.map(({ member: field }) => field).sort()).toEqual([...wrong].sort())
      // The errors of a structure point to its parts.
      for (const { pointer, member: field } of faults) expect(`${pointer}/`).toContain(`/${field}/`)
      expect((await admin.get(`${path}?_ps=1`)).headers.get('x-total-count')).toBe(before)
    })

    inThird(0)('creates a list as a whole or not at all', async () => {
      const [first, second] = [await sampleOf(admin, resource), await sampleOf(admin, resource)]
      const made = await admin.post(path, [first, second], { Accept: formats.json })
      expect([made.status, made.body.content?.length]).toEqual([201, 2])
      const third = await sampleOf(admin, resource)
      const before = (await admin.get(`${path}?_ps=1`)).headers.get('x-total-count')
      const refused = await admin.post(
        path,
        [third, { ...third, [String(readFieldsOf(resource)[0])]: { no: 'text' } }],
        {
          Accept: formats.json,
        },
      )
      expect(refused.status).toBe(400)
      expect(refused.body.errors[0].pointer).toMatch(/^\/1\//)
      expect((await admin.get(`${path}?_ps=1`)).headers.get('x-total-count')).toBe(before)
    })
  })
})
