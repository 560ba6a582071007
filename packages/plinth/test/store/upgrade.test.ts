// A database that an earlier version has written is migrated at the start, and served with everything in it.
//
// `before-history.db.gz` was written by the service of 2026-11-15, which had no history, trash, webhooks or jobs: demo data,
// and over HTTP a user `olive` with an e-mail address and a request for friendship, an actor, and a film with this actor. It has no
// mails, and no ledgers of nodes, whose keys are files.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type KeptDatabase, keepEmptyDatabase } from '@plinth/test-kit/kept-database'
import { people } from '@plinth/test-kit/rental-store'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Parsed } from '../../src/testing/client.ts'

const json = { Accept: 'application/json' }
const fixture = new URL('../fixtures/before-history.db.gz', import.meta.url)
const olive = '01a1e6e0-94ee-7701-99b2-860649861b7d'
const film = '/api/rest/films/01a1e6e0-9882-7a06-9f99-03fcce6bd9f7'

let kept: KeptDatabase
let service: TestService
let admin: Client
beforeAll(async () => {
  kept = await keepEmptyDatabase('sqlite')
  const file = join(kept.settings['app.dataDir'] ?? '', 'plinth.db')
  await writeFile(file, await promisify(gunzip)(await readFile(fixture)), { mode: 0o600 })
  service = await startService('sqlite', { settings: kept.settings })
  admin = service.as('admin')
})
afterAll(async () => {
  await service.stop()
  await kept.remove()
})

const read = async (path: string, client = admin): Promise<Parsed> => {
  const found = await client.get(path, json)
  expect(found, `${path}`).toHaveStatus(200)
  return found.body
}

test('all records are there', async () => {
  const counts = { users: 6, films: 215, filmActors: 61, countries: 252, friendships: 2, rentals: 7, payments: 11 }
  for (const [resource, count] of Object.entries(counts))
    expect([resource, (await read(`/api/rest/${resource}?_ps=1`)).page.totalElements]).toEqual([resource, count])
  expect(await read(film)).toMatchObject({ title: 'The Old Schema', version: 1, filmActors: [{ name: 'Ann Lee' }] })
})

test('a user signs in with the same password, and has the same details and friends', async () => {
  const client = clientFor(service.url, { Authorization: `Basic ${btoa('olive:a long sentence of my own')}` })
  expect(await read(`/api/rest/users/${olive}`, client)).toMatchObject({ username: 'olive', fullName: 'Olive Grün' })
  const { primaryEmail } = await read(`/api/rest/contactDetails/${olive}`, client)
  expect(primaryEmail).toMatchObject({ email: 'olive@example.org' })
  expect(await read(`/api/rest/friendships/${olive}_${people.admin}`, client)).toMatchObject({ status: 'SENT' })
})

test('records from before have a history and a trash from now on', async () => {
  expect((await read(`${film}/history`)).content).toEqual([])
  expect((await admin.patch(film, { releaseYear: 1999 })).status).toBe(200)
  expect((await read(`${film}/history`)).content).toMatchObject([
    { version: 2, change: 'updated', fields: [{ field: 'releaseYear', before: null, after: 1999 }] },
  ])
  const before = await read(film)
  expect((await admin.delete(film)).status).toBe(204)
  expect((await admin.post(`${film}/restore`, undefined, json)).status).toBe(200)
  expect(await read(film)).toEqual(before)
})
