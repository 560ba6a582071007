// Random and hostile requests in great number: whatever comes, the answer is a proper one, and the service goes on.
// HOSTILE_REQUESTS sets how many; a failure is shrunk to the least that still fails.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Resource } from '../../src/core/model/resource.ts'
import { fresh, freshCopy, make, startLibrary } from '../support/library.ts'
import { sampleOf } from '../support/samples.ts'
import type { Client, TestService } from '../support/service.ts'
import type { Sample } from './bodies.ts'
import { faultsOf } from './inspect.ts'
import { createRawClient, type RawClient, type RawRequest } from './raw-http.ts'
import { type Land, requestOf } from './requests.ts'

const requests = Number(process.env.HOSTILE_REQUESTS ?? 10_000)
/** Asked at the same time, and shrunk together. */
const batch = 25

const shares = [
  ['sqlite', 0.7],
  ['postgres', 0.3],
] as const

const cursorsOf = async (client: Client): Promise<string[]> => {
  const sorts = ['title', '-pages,title', 'shelf.name,-price', '-acquired', 'inPrint', '-published,pk']
  const pages = await Promise.all(sorts.map(sort => client.get(`/api/rest/books?_ps=1&sort=${sort}`)))
  return pages.flatMap(page => {
    const next = page.body.links.find((link: { rel: string }) => link.rel === 'next')
    return new URL(next.href).searchParams.get('_after') ?? []
  })
}

const samplesOf = async (client: Client, { app: { platform } }: TestService): Promise<Sample[]> => {
  const names = [
    'books',
    'shelves',
    'authors',
    'copies',
    'readers',
    'cards',
    'lendings',
    'signatures',
    'ledgers',
    'journal',
    'countries',
    'localities',
    'films',
    'filmInventoryEntries',
    'contactDetails',
    'clientErrors',
  ]
  const known = names.filter(name => platform.registry.has(name)).map(name => platform.registry.resource(name))
  return Promise.all(
    known.map(async resource => ({
      resource: resource.name,
      members: await sampleOf(client, resource),
      optional: [...resource.members.values()].flatMap(({ name, field }) => (field.options.required ? [] : [name])),
      relations: Object.fromEntries(
        [...resource.members.values()].flatMap(({ name, target }) => (target ? [[name, target.name]] : [])),
      ),
    })),
  )
}

const reachableFrom = ({ members }: Resource): string[] =>
  [...members.values()].flatMap(({ name, target }) => [
    name,
    ...(target ? [...target.members.keys()].map(further => `${name}.${further}`) : []),
  ])

/** A library with a few of everything, and what is known of it. */
const settle = async (service: TestService): Promise<Land> => {
  const admin = service.as('admin')
  const { registry } = service.app.platform
  const shelf = await make(admin, 'shelves', { name: 'A' })
  const author = await make(admin, 'authors', { name: fresh('author') })
  const books = []
  for (const at of [1, 2, 3]) {
    const more = {
      shelf: shelf.pk,
      authors: [author.pk],
      pages: at * 100,
      price: at,
      acquired: `2024-01-0${at}T00:00:00Z`,
    }
    books.push(await make(admin, 'books', { title: fresh('book'), published: `200${at}-01-01`, ...more }))
  }
  const copy = freshCopy()
  await make(admin, 'copies', { pk: copy, book: books[0].pk })
  const users = await admin.get('/api/rest/users?page=no', { Accept: 'application/json' })
  const people = users.body.content.map((user: { pk: string }) => user.pk)
  const reader = await make(admin, 'readers', { name: 'r', account: people[0] })
  const paths = Object.keys(((await service.app.openapi()) as { paths: object }).paths)
  return {
    reachable: Object.fromEntries(registry.resources.map(resource => [resource.name, reachableFrom(resource)])),
    pksOf: {
      shelves: [shelf.pk],
      authors: [author.pk],
      books: books.map(book => book.pk),
      copies: [copy],
      readers: [reader.pk],
      countries: ['GR', 'FR'],
      continents: ['EU'],
    },
    members: [...new Set(registry.resources.flatMap(({ members }) => [...members.keys()]))],
    resources: registry.resources.map(({ name }) => name),
    cursors: await cursorsOf(admin),
    pks: [shelf.pk, author.pk, ...books.map(book => book.pk), copy, reader.pk, 'GR', 'EU', ...people.slice(0, 2)],
    people,
    samples: await samplesOf(admin, service),
    // Taking memory or a stack takes long, and holds nothing that depends on what is sent.
    paths: paths.filter(path => !/heapdump|dump/.test(path)),
  }
}

interface Tally {
  readonly statuses: Map<number, number>
  slowest: { ms: number; request: string }
}

const askAndInspect = async (client: RawClient, request: RawRequest, tally: Tally): Promise<string[]> => {
  const answer = await client.ask(request)
  tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1)
  if (answer.ms > tally.slowest.ms) {
    tally.slowest = { ms: answer.ms, request: `${request.method} ${request.target.slice(0, 200)}` }
  }
  return faultsOf(request, answer).map(fault => `${fault}\n  of ${show(request)}`)
}

const show = ({ method, target, headers, body }: RawRequest): string =>
  JSON.stringify({ method, target: target.slice(0, 2000), headers, body: body?.toString('latin1').slice(0, 2000) })

/** Without these the failures of one caller would lock all others out. */
const settings = { 'app.auth.throttle.perAccount': '100000', 'app.auth.throttle.perAddress': '100000' }

describe.each(shares)('on %s', (database, share) => {
  test('random and hostile requests get proper answers', { timeout: 3_600_000 }, async () => {
    const logged: string[] = []
    const service = await startLibrary(database, { settings, logTo: { write: line => void logged.push(line) } })
    const land = await settle(service)
    const client = createRawClient(service.url, batch)
    const tally: Tally = { statuses: new Map(), slowest: { ms: 0, request: '' } }
    const property = fc.asyncProperty(
      fc.array(requestOf(land), { minLength: 1, maxLength: batch, size: 'max' }),
      async asked => {
        const faults = await Promise.all(asked.map(request => askAndInspect(client, request, tally)))
        const found = faults.flat()
        if (found.length > 0)
          throw new Error(`${found.join('\n')}\nThe log says:\n${logged.slice(-3).join('').slice(0, 3000)}`)
      },
    )
    const begun = performance.now()
    const wanted = requests * share
    while (countOf(tally) < wanted)
      await fc.assert(property, {
        numRuns: Math.ceil((wanted - countOf(tally)) / batch),
        interruptAfterTimeLimit: 3_000_000,
      })
    report(database, tally, performance.now() - begun)
    client.close()
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('polluted' in {}).toBe(false)
    expect([...tally.statuses.keys()]).toEqual(
      expect.arrayContaining([200, 201, 204, 400, 401, 403, 404, 405, 406, 409, 412, 415, 422]),
    )
    expect((await service.as('admin').get('/api/rest/books')).status).toBe(200)
    await service.stop()
  })
})

const countOf = ({ statuses }: Tally): number => [...statuses.values()].reduce((sum, count) => sum + count, 0)

const report = (database: string, tally: Tally, ms: number): void => {
  const byStatus = [...tally.statuses]
    .sort(([left], [right]) => left - right)
    .map(([status, count]) => `${status}: ${count}`)
  console.log(`${countOf(tally)} requests on ${database} in ${Math.round(ms / 1000)} s; ${byStatus.join(', ')}`)
  console.log(`The slowest took ${Math.round(tally.slowest.ms)} ms: ${tally.slowest.request}`)
}
