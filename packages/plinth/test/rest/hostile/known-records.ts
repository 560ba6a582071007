// What the generators know of a running service: its resources, some of its records, its paths.

import { fresh, freshCopy, make } from '@plinth/test-kit/library'
import { sampleOf } from '@plinth/test-kit/samples'
import type { Client, TestService } from '@plinth/test-kit/service'
import type { Resource } from '../../../src/core/model/resource.ts'
import type { ValidBody } from './bodies.ts'
import type { Land } from './requests.ts'

/** The resources that are not covered here: changing these would lock the callers of the test out. */
const untouched = new Set(['users', 'roles', 'userCredentials', 'stompSessions', 'mails'])

/** The records to begin with, by resource, and the orders of one of them that have cursors. */
interface Start {
  readonly pksOf: Readonly<Record<string, readonly string[]>>
  readonly sorts: { readonly of: string; readonly by: readonly string[] }
}

/** A library with a few of everything. */
export const settleLibrary = async (service: TestService): Promise<Land> => {
  const admin = service.as('admin')
  const shelf = await make(admin, 'shelves', { name: 'A' })
  const author = await make(admin, 'authors', { name: fresh('author') })
  const books: string[] = []
  for (const at of [1, 2, 3]) {
    const numbers = { pages: at * 100, price: at, acquired: `2024-01-0${at}T00:00:00Z`, published: `200${at}-01-01` }
    const book = { title: fresh('book'), shelf: shelf.pk, authors: [author.pk], ...numbers }
    books.push((await make(admin, 'books', book)).pk)
  }
  const copy = freshCopy()
  await make(admin, 'copies', { pk: copy, book: books[0] })
  const [account] = await pksIn(admin, 'users')
  const reader = await make(admin, 'readers', { name: 'r', account })
  const made = { shelves: [shelf.pk], authors: [author.pk], books, copies: [copy], readers: [reader.pk] }
  const by = ['title', '-pages,title', 'shelf.name,-price', '-acquired', 'inPrint', '-published,pk']
  return landOf(service, {
    pksOf: { ...made, countries: ['GR', 'FR'], continents: ['EU'] },
    sorts: { of: 'books', by },
  })
}

/** The service as it is delivered, with what the demo has. */
export const settleDemo = async (service: TestService): Promise<Land> => {
  const admin = service.as('admin')
  const names = ['films', 'filmActors', 'filmCategories', 'filmPricingStrategies', 'filmInventoryEntries', 'countries']
  const lists = await Promise.all(names.map(async name => [name, (await pksIn(admin, name)).slice(0, 3)] as const))
  const by = ['title', '-releaseYear', 'pricingStrategy.name,-title', 'replacementCost', 'createdDate']
  return landOf(service, { pksOf: Object.fromEntries(lists), sorts: { of: 'films', by } })
}

const landOf = async (service: TestService, { pksOf, sorts }: Start): Promise<Land> => {
  const admin = service.as('admin')
  const { resources } = service.app.platform.registry
  const people = await pksIn(admin, 'users')
  const { paths } = (await service.app.openapi()) as { paths: object }
  return {
    reachable: Object.fromEntries(resources.map(resource => [resource.name, reachableFrom(resource)])),
    fields: [...new Set(resources.flatMap(({ fields }) => [...fields.keys()]))],
    resources: resources.map(({ name }) => name),
    cursors: (await Promise.all(sorts.by.map(sort => cursorOf(admin, sorts.of, sort)))).flat(),
    pksOf,
    pks: [...Object.values(pksOf).flat(), ...people.slice(0, 2)],
    people,
    samples: await samplesOf(admin, resources),
    // Taking memory or a stack takes long, and holds nothing that depends on what is sent.
    paths: Object.keys(paths).filter(path => !/dump/.test(path)),
  }
}

const pksIn = async (client: Client, resource: string): Promise<string[]> => {
  const page = await client.get(`/api/rest/${resource}`, { Accept: 'application/json' })
  return page.body.content.map((record: { pk: string }) => record.pk)
}

const cursorOf = async (client: Client, resource: string, sort: string): Promise<string[]> => {
  const page = await client.get(`/api/rest/${resource}?_ps=1&sort=${sort}`, { Accept: 'application/json' })
  const next = page.body.links.find((link: { rel: string }) => link.rel === 'next')
  return [new URL(next.href).searchParams.get('_after') ?? '']
}

const samplesOf = async (client: Client, resources: readonly Resource[]): Promise<ValidBody[]> => {
  const samples: ValidBody[] = []
  for (const resource of resources) {
    if (resource.definition.internal || untouched.has(resource.name)) continue
    const fields = [...resource.fields.values()]
    samples.push({
      resource: resource.name,
      fields: await sampleOf(client, resource),
      optional: fields.flatMap(({ name, definition }) => (definition.options.required ? [] : [name])),
      relations: Object.fromEntries(fields.flatMap(({ name, target }) => (target ? [[name, target.name]] : []))),
    })
  }
  return samples
}

/** Returns the fields of a resource, and those of the records that they lead to. */
const reachableFrom = ({ fields }: Resource): string[] =>
  [...fields.values()].flatMap(({ name, target }) => [
    name,
    ...(target ? [...target.fields.keys()].map(further => `${name}.${further}`) : []),
  ])
