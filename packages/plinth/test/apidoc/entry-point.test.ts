// GET /api/rest in every format, and hypermedia clients that find everything from there.

import { jsonApiFaults } from '@plinth/test-kit/json-api-schema'
import { startService, type TestService } from '@plinth/test-kit/service'
import { basicAuth, Ketting } from 'ketting'
import traverson from 'traverson'
import hal from 'traverson-hal'
import { afterAll, beforeAll, expect, test } from 'vitest'

traverson.registerMediaType(hal.mediaType, hal)

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite')
})
afterAll(() => service.stop())

const path = '/api/rest'
const open = ['continents', 'countries']

test('HAL has a link to each resource and a templated one to search it', async () => {
  const { body, headers } = await service.as('anonymous').get(path, { Accept: 'application/hal+json' })
  expect(headers.get('content-type')).toBe('application/hal+json')
  const { self, search, ...resources } = body._links
  expect(self).toEqual({ href: service.url + path })
  expect(Object.keys(resources)).toEqual(open)
  expect(resources.countries).toEqual({ href: `${service.url}${path}/countries`, title: 'Countries' })
  expect(search.map(({ name }: { name: string }) => name)).toEqual(open)
  expect(search[1]).toMatchObject({
    templated: true,
    href: expect.stringMatching(/\/api\/rest\/countries\{\?filter,sort,.*_ps,_after,_before.*\}$/),
  })
})

test('JSON:API has links and the resources as meta', async () => {
  const { body, headers } = await service.as('anonymous').get(path, { Accept: 'application/vnd.api+json' })
  expect(headers.get('content-type')).toBe('application/vnd.api+json')
  expect(Object.keys(body).sort()).toEqual(['jsonapi', 'links', 'meta'])
  expect(jsonApiFaults(body)).toEqual([])
  expect(body.links).toEqual({ self: service.url + path, describedby: `${service.url}/api/openapi.json` })
  const { body: plain } = await service.as('anonymous').get(path, { Accept: 'application/json' })
  expect(body.meta.resources).toEqual(
    plain.map((one: { name: string }) => ({ ...one, links: { self: `${service.url}${path}/${one.name}` } })),
  )
})

test('ketting walks from the entry point to records and relations', async () => {
  const ketting = new Ketting(service.url + path)
  ketting.use(basicAuth('admin', 'admin'))
  const entry = ketting.go(service.url + path)
  const countries = await (await entry.follow('countries')).follow('next')
  const [country] = await countries.followAll('countries')
  const continent = await country?.follow('parent')
  expect((await continent?.get())?.data).toMatchObject({ pk: expect.stringMatching(/^[A-Z]{2}$/), pathLevel: 0 })
})

const walk = (parameters: Record<string, string>, ...rels: string[]): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Basic ${btoa('admin:admin')}` }
    traverson
      .from(service.url + path)
      .jsonHal()
      .withRequestOptions({ headers })
      .withTemplateParameters(parameters)
      .follow(...rels)
      .getResource((error, resource) => (error ? reject(error) : resolve(resource)))
  })

test('traverson walks from the entry point to records and relations', async () => {
  const page = await walk({}, 'countries')
  expect(page).toMatchObject({ _embedded: { countries: expect.any(Array) } })
  expect(await walk({}, 'countries', 'countries[0]', 'parent')).toMatchObject({ pathLevel: 0 })
})

test('traverson expands the template of a search', async () => {
  const found = await walk({ filter: 'name==Greece' }, 'search[name:countries]', 'countries[0]', 'self')
  expect(found).toMatchObject({ pk: 'GR', name: 'Greece' })
})

test('every link of the management root can be followed by a HAL client', async () => {
  const admin = service.as('admin')
  const follow = (href: string, type: string) => admin.get(href.slice(service.url.length), { Accept: type })
  const root = await follow(`${service.url}/api/management`, hal.mediaType)
  const wrong: unknown[] = []
  for (const [rel, { href, type }] of Object.entries<{ href: string; type?: string }>(root.body._links)) {
    const { status, headers, body } = await follow(href, type ?? hal.mediaType)
    const isHal = headers.get('content-type') === hal.mediaType && (rel === 'self' || body._links.self.href === href)
    if (status !== 200 || !(isHal || type)) wrong.push({ rel, status, type: headers.get('content-type') })
  }
  expect(wrong).toEqual([])
  expect(Object.keys(root.body._links)).not.toContain('heapdump')
  const { body: beans } = await follow(`${service.url}/api/management/beans`, hal.mediaType)
  expect(beans._embedded.beans).toEqual(expect.any(Array))
})
