// A backup that an earlier version has written is restored and served with everything in it, whichever database it came from.
//
// `backup-2.1.json.gz` was written by the service of 2026-11-17 on PostgreSQL: demo data, and over HTTP an actor, a film with this
// actor that was changed once, a host that was deleted, a file of the user `client`, and a rental. It holds the parts of the backup
// by their paths, in base64.

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { featureDatabases } from '@plinth/test-kit/databases'
import { people } from '@plinth/test-kit/rental-store'
import { clientFor } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nodeEntry } from '../../../membership/src/node-process.ts'
import { folderPlace } from '../../src/modules/backup/place.ts'
import type { Parsed } from '../../src/testing/client.ts'
import { emptyTarget, restoreTo } from './target.ts'

interface Fixture {
  readonly name: string
  readonly parts: Readonly<Record<string, string>>
}

const film = '/api/rest/films/01a1e958-ef86-75f1-bf6c-ca3135261931'
const host = '/api/rest/hosts/01a1e958-efe3-737c-a678-0b10acf1f317'

const unpack = async () => {
  const packed = await readFile(new URL('../fixtures/backup-2.1.json.gz', import.meta.url))
  const { name, parts }: Fixture = JSON.parse((await promisify(gunzip)(packed)).toString())
  const folder = await mkdtemp(join(tmpdir(), 'plinth-earlier-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(parts)) {
    const file = join(folder, name, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, Buffer.from(content, 'base64'))
  }
  return { name, place: folderPlace(folder) }
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('records, history, trash, files and passwords are there', async () => {
    const { name, place } = await unpack()
    // Neither the trash nor the history of the fixture is too old.
    const target = await emptyTarget(database, { 'app.trash.days': '0', 'app.history.keepDays': '0' })
    await restoreTo(target, place, name)
    // The key of a node was in the database, and is in a file on SQLite. A command before the first start makes no other key.
    const entry = await nodeEntry(target.config, 'operator')
    const address = await target.app.listen()
    expect(await nodeEntry(target.config, 'operator')).toEqual(entry)
    const as = (user: string) => clientFor(address, { Authorization: `Basic ${btoa(`${user}:${user}`)}` })
    const admin = as('admin')
    const read = async (path: string): Promise<Parsed> => {
      const found = await admin.get(path, { Accept: 'application/json' })
      expect(found, `${path}`).toHaveStatus(200)
      return found.body
    }
    const counts = { users: 5, films: 215, filmActors: 61, countries: 252, rentals: 8, payments: 12, hosts: 0 }
    for (const [resource, count] of Object.entries(counts))
      expect([resource, (await read(`/api/rest/${resource}?_ps=1`)).page.totalElements]).toEqual([resource, count])
    const { emailHash } = await read(`/api/rest/users/${people.admin}`)
    expect(emailHash).toMatch(/^[0-9a-f]{64}$/)
    // That version stored the digest of the address.
    expect(emailHash).not.toBe(createHash('sha256').update('admin@plinth.example').digest('hex'))
    expect(await read(film)).toMatchObject({ title: 'The Kept Backup', version: 2, filmActors: [{ name: 'Ann Lee' }] })
    expect((await read(`${film}/history`)).content).toMatchObject([
      { version: 2, change: 'updated', fields: [{ field: 'releaseYear', before: 1999, after: 2001 }] },
      { version: 1, change: 'created' },
    ])
    expect((await as('client').get(`/api/rest/users/${people.client}/files/notes`)).text).toBe('kept for years')
    expect((await admin.post(`${host}/restore`, undefined, { Accept: 'application/json' })).status).toBe(200)
    expect(await read(host)).toMatchObject({ name: 'gone.example' })
    expect((await admin.patch(film, { releaseYear: 2002 })).status).toBe(200)
  })
})
