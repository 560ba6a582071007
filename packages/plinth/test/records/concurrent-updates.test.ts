// Many callers change one record at the same time.

import { databases } from '@plinth/test-kit/databases'
import { fresh, make, startLibrary } from '@plinth/test-kit/library'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const count = 30

interface HistoryEntry {
  readonly change: string
  readonly version: number
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
}

describe.each(databases)('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const makeBook = async () => (await make(staff, 'books', { title: fresh('B') })) as { pk: string; version: number }

  const patchAll = (pk: string, titles: readonly string[], headers: Readonly<Record<string, string>> = {}) =>
    Promise.all(titles.map(title => staff.patch(`/api/rest/books/${pk}`, { title }, headers)))

  test('every change is made once, has a version of its own and is based on the one before', async () => {
    const { pk, version } = await makeBook()
    const titles = Array.from({ length: count }, () => fresh('T'))
    const answers = await patchAll(pk, titles)
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200))
    const versions = answers.map(({ body }) => body.version).sort((one, other) => one - other)
    expect(versions).toEqual(titles.map((_, at) => version + at + 1))
    const last = (await staff.get(`/api/rest/books/${pk}`)).body
    expect(last.title).toBe(answers.find(({ body }) => body.version === last.version)?.body.title)
  })

  test('of many changes of one version exactly one is made', async () => {
    const { pk } = await makeBook()
    const etag = (await staff.get(`/api/rest/books/${pk}`)).headers.get('etag') ?? ''
    const titles = Array.from({ length: count }, () => fresh('T'))
    const statuses = (await patchAll(pk, titles, { 'If-Match': etag })).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(statuses.filter(status => status === 412)).toHaveLength(count - 1)
  })

  test('a record that is deleted while others change it is gone for them, and stays so', async () => {
    const { pk } = await makeBook()
    const path = `/api/rest/books/${pk}`
    const [removed, ...answers] = await Promise.all([
      staff.delete(path),
      ...Array.from({ length: count }, () => staff.patch(path, { title: fresh('T') })),
    ])
    expect(removed?.status).toBe(204)
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
    expect((await staff.get(path)).status).toBe(404)
  })

  test('the history has every change, each with what was before', async () => {
    const rental = await startService(database)
    try {
      const admin = rental.as('admin')
      const { pk } = (await admin.post('/api/rest/filmActors', { firstName: 'Ann', lastName: 'Lee' })).body
      const path = `/api/rest/filmActors/${pk}`
      const names = Array.from({ length: count }, (_, at) => `Lee${at}`)
      const answers = await Promise.all(names.map(lastName => admin.patch(path, { lastName })))
      const byVersion = new Map(answers.map(({ body }) => [body.version, body.lastName]))
      const { content } = (await admin.get(`${path}/history?_ps=100`)).body
      const expected = [...byVersion.keys()]
        .sort((one, other) => other - one)
        .map(version => [version, byVersion.get(version - 1) ?? 'Lee', byVersion.get(version)])
      const changes = content.flatMap((entry: HistoryEntry) => {
        const name = entry.fields.find(({ field }) => field === 'lastName')
        return entry.change === 'updated' && name ? [[entry.version, name.before, name.after]] : []
      })
      expect(changes).toEqual(expected)
      expect(changes).toHaveLength(count)
    } finally {
      await rental.stop()
    }
  })
})
