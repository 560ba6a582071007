// Records in a tree: the path is kept right on all levels, whatever is renamed or moved, and there are no circles.

import { featureDatabases, featureTest } from '@plinth/test-kit/databases'
import { fresh, make, startLibrary } from '@plinth/test-kit/library'
import { shelves } from '@plinth/test-kit/library-module'
import { statementsIn } from '@plinth/test-kit/postgres-activity'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Records } from '../../src/core/model/records.ts'
import { until } from '../../src/testing/waiting.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const testOnce = featureTest(import.meta.url, database)
  let service: TestService
  let admin: Client
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    admin = service.as('admin')
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  /** Shelves below one another; the last is the deepest. */
  const chain = async (...names: string[]): Promise<string[]> => {
    const pks: string[] = []
    for (const name of names) pks.push((await make(staff, 'shelves', { name, parent: pks.at(-1) ?? null })).pk)
    return pks
  }
  const placeOf = async (pk: string | undefined) => {
    const { path, pathLevel } = (await staff.get(`/api/rest/shelves/${pk}`)).body
    return [path, pathLevel]
  }
  const change = (pk: string | undefined, fields: object) => staff.patch(`/api/rest/shelves/${pk}`, fields)

  testOnce('a path is made of the names from the root down, and what callers send of it is ignored', async () => {
    const [, , c] = await chain('A', 'B', 'C')
    expect(await placeOf(c)).toEqual(['A: B: C', 2])
    const made = await make(staff, 'shelves', { name: 'D', path: 'forged', pathLevel: 9 })
    expect([made.path, made.pathLevel]).toEqual(['D', 0])
  })

  testOnce('a new name reaches every level below', async () => {
    const [a, b, c, d] = await chain('A', 'B', 'C', 'D')
    await change(a, { name: 'A2' })
    expect([await placeOf(b), await placeOf(d)]).toEqual([
      ['A2: B', 1],
      ['A2: B: C: D', 3],
    ])
    await staff.put(`/api/rest/shelves/${c}`, { name: 'C2' })
    expect([await placeOf(c), await placeOf(d)]).toEqual([
      ['A2: B: C2', 2],
      ['A2: B: C2: D', 3],
    ])
  })

  testOnce('a move takes everything below along, to another place, to the root and back', async () => {
    const [, b, , d] = await chain('A', 'B', 'C', 'D')
    const [x, y] = await chain('X', 'Y')
    await change(b, { parent: y })
    expect([await placeOf(b), await placeOf(d)]).toEqual([
      ['X: Y: B', 2],
      ['X: Y: B: C: D', 4],
    ])
    await staff.put(`/api/rest/shelves/${b}`, { name: 'B', parent: null })
    expect([await placeOf(b), await placeOf(d)]).toEqual([
      ['B', 0],
      ['B: C: D', 2],
    ])
    const linkage = { data: [{ type: 'shelves', id: b }] }
    await staff.post(`/api/rest/shelves/${x}/relationships/children`, linkage, {
      'Content-Type': 'application/vnd.api+json',
    })
    expect(await placeOf(d)).toEqual(['X: B: C: D', 3])
    await change(b, { name: 'B2', parent: y })
    expect(await placeOf(d)).toEqual(['X: Y: B2: C: D', 4])
  })

  testOnce('a name that looks like a path does not confuse the levels below', async () => {
    const [, b, c] = await chain('A', 'B', 'C')
    await staff.put(`/api/rest/shelves/${b}`, { name: 'A: B', parent: null })
    expect([await placeOf(b), await placeOf(c)]).toEqual([
      ['A: B', 0],
      ['A: B: C', 1],
    ])
  })

  testOnce('many children are renewed, more than one batch of them', async () => {
    const [a] = await chain('A')
    const list = Array.from({ length: 510 }, (_, at) => ({ name: `child ${at}`, parent: a }))
    expect((await staff.post('/api/rest/shelves', list)).status).toBe(201)
    await change(a, { name: 'Z' })
    const right = await staff.get(`/api/rest/shelves?filter=parent==${a};path=='Z: child *';pathLevel==1&_ps=1`)
    expect(right.body.page.totalElements).toBe(510)
  })

  testOnce('no record comes to stand below itself', async () => {
    const [a, b, c] = await chain('A', 'B', 'C')
    for (const below of [a, b, c]) {
      const refused = await change(a, { parent: below })
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    }
    const chosen = 'c0000000-0000-4000-8000-000000000001'
    const own = await admin.post('/api/rest/shelves', { pk: chosen, name: 'own parent', parent: chosen })
    expect([own.status, own.body.code]).toEqual([409, 'conflict'])
    expect((await admin.put(`/api/rest/shelves/${chosen}`, { name: 'own parent', parent: chosen })).status).toBe(409)
    expect(await placeOf(c)).toEqual(['A: B: C', 2])
    expect((await change(c, { parent: 'c0000000-0000-4000-8000-000000000002' })).status).toBe(422)
  })

  test.runIf(database === 'postgres')(
    'records are created below one parent at the same time, and wait for its rename',
    async () => {
      const [parent = ''] = await chain(fresh('P'))
      const { records } = service.app.platform
      const create = (inside: Records, name: string) => inside.create(shelves, { name, parent })
      await records.transaction(async first => {
        await create(first, 'first')
        // It does not wait for the first to end.
        await records.transaction(second => create(second, 'second'))
      })
      const { creating } = await records.transaction(async renaming => {
        await renaming.update(shelves, parent, { name: 'P2' })
        const creating = make(staff, 'shelves', { name: 'third', parent })
        await until('the creation to wait', async () =>
          (await statementsIn(service.database)).some(statement => statement.includes('FOR SHARE')),
        )
        // Not awaited here: it ends after this transaction.
        return { creating }
      })
      expect(await placeOf((await creating).pk)).toEqual(['P2: third', 1])
    },
  )

  test('of two moves that would make a circle together one is refused', async () => {
    for (let round = 0; round < 2; round++) {
      const [a, , c] = await chain(fresh('A'), 'B', 'C')
      const [x, , z] = await chain(fresh('X'), 'Y', 'Z')
      const statuses = (await Promise.all([change(a, { parent: z }), change(x, { parent: c })])).map(one => one.status)
      expect(statuses.sort()).toEqual([200, 409])
    }
  })

  testOnce('a path that would become too long is refused, at every level', async () => {
    const path = Array.from({ length: 19 }, () => 'x'.repeat(100))
    const deep = await chain('A', ...path)
    const refused = [
      await staff.post('/api/rest/shelves', { name: 'x'.repeat(100), parent: deep.at(-1) }),
      await change(deep[0], { name: 'x'.repeat(100) }),
      await change(deep[0], { parent: (await chain('x'.repeat(100))).at(0) }),
    ]
    for (const { status, body } of refused)
      expect([status, body.errors[0].pointer, body.errors[0].code]).toEqual([400, '/path', 'max_length'])
    expect(await placeOf(deep[1])).toEqual([`A: ${path[0]}`, 1])
  })

  testOnce('an update of a child by the tree runs the whole write path', async () => {
    const [a, b] = await chain('A', 'B')
    const before = (await staff.get(`/api/rest/shelves/${b}`)).body
    await change(a, { name: 'A2' })
    const after = (await staff.get(`/api/rest/shelves/${b}`)).body
    expect(after.version).toBe(before.version + 1)
    expect(after.lastModifiedDate >= before.lastModifiedDate).toBe(true)
  })

  testOnce('geography keeps its paths over three resources', async () => {
    const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
    const [locality, code] = [fresh('l'), fresh('p')]
    await admin.post('/api/rest/localities', { pk: locality, name: 'Athens', parent: 'GR' }, json)
    await admin.post('/api/rest/postalCodes', { pk: code, name: '104 31', parent: locality }, json)
    const path = async () => (await admin.get(`/api/rest/postalCodes/${code}`, json)).body.path
    expect(await path()).toBe('Europe: Greece: Athens: 104 31')
    await admin.patch('/api/rest/countries/GR', { name: 'Hellas', parent: 'AS' }, json)
    expect(await path()).toBe('Asia: Hellas: Athens: 104 31')
    await admin.patch('/api/rest/continents/AS', { name: 'The East' }, json)
    expect(await path()).toBe('The East: Hellas: Athens: 104 31')
  })
})
