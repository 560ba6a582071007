// Files and their content, when the end of an upload is cut off: no file without its content, no content without its file.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { databases } from '@plinth/test-kit/databases'
import { keepEmptyDatabase } from '@plinth/test-kit/kept-database'
import { layWire } from '@plinth/test-kit/lost-commit'
import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { emptyFolder, launch } from '@plinth/test-kit/service-process'
import { demoPks, upload } from '@plinth/test-kit/uploads'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { defineModule, defineResource, file } from '../../src/index.ts'

const own = `/api/rest/users/${demoPks.client}/files`

const keysIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile()).map(entry => entry.name)
}

const days = 24 * 3600_000
const inDays = (count: number) => () => new Date(Date.now() + count * days)

test('a file keeps its content if its upload was committed without a response', async () => {
  const wire = await layWire()
  const settings = { 'app.modules': '', 'app.database.url': wire.url, 'app.log.level': 'silent' }
  const service = await startService('sqlite', { settings })
  onTestFinished(service.stop)
  wire.loseCommitAfter('INSERT INTO "files"')
  expect((await upload(service, { as: 'client', to: own }, { note: 'of worth' })).status).toBe(503)
  expect(wire.cuts()).toBe(1)
  expect((await service.as('client').get(own)).body.files).toMatchObject([{ name: 'note' }])
  const found = await service.as('client').get(`${own}/note`)
  expect([found.status, found.text]).toEqual([200, 'of worth'])
  expect((await upload(service, { as: 'client', to: own }, { note: 'of more worth' })).status).toBe(200)
  expect((await service.as('client').get(`${own}/note`)).text).toBe('of more worth')
  expect(await keysIn(service.folder)).toHaveLength(1)
})

test('what an upload that was killed left is removed, once it is old', { timeout: 120_000 }, async () => {
  const kept = await keepEmptyDatabase('postgres')
  onTestFinished(kept.remove)
  const [folder, url] = [await emptyFolder(), String(kept.settings['app.database.url'])]
  const settings = { 'app.modules': '', 'app.database.url': url, 'app.dataDir': folder }
  const first = await launch({ folder, settings })
  const other = postgres(url, { max: 1 })
  onTestFinished(() => other.end())
  await other.begin(async lock => {
    await lock`SELECT 1 FROM "users" WHERE "pk" = ${demoPks.client} FOR UPDATE`
    const sending = upload(first, { as: 'operator', to: own }, { note: 'cut off' }).catch(() => null)
    await expect.poll(() => keysIn(folder), { timeout: 30_000 }).toHaveLength(1)
    await first.end('SIGKILL')
    await sending
  })
  const young = await startService('sqlite', { settings })
  expect((await young.as('client').get(own)).body.files).toEqual([])
  await upload(young, { as: 'client', to: own }, { note: 'whole' })
  await young.app.close()
  expect(await keysIn(folder)).toHaveLength(2)
  const old = await startService('sqlite', { settings, clock: inDays(2) })
  onTestFinished(old.app.close)
  await expect.poll(() => keysIn(folder), { timeout: 30_000 }).toHaveLength(1)
  expect((await old.as('client').get(`${own}/note`)).text).toBe('whole')
})

test.each(databases)('on %s, nothing is noted of content that is where it belongs', async database => {
  const service = await startService(database, { settings: { 'app.modules': '' } })
  onTestFinished(service.stop)
  const { store } = service.app.platform
  for (const note of ['one', 'two']) await upload(service, { as: 'client', to: own }, { note })
  await upload(service, { as: 'client', to: `${own}?x` }, { avatarUrl: 'no picture' })
  expect(await store.count(store.resource('looseContents'), null)).toBe(0)
  expect(await keysIn(service.folder)).toHaveLength(1)
})

const contracts = defineResource('lostContracts', {
  about: 'Contracts.',
  fields: { paper: file() },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})

const filing = defineModule({ name: 'filing', about: 'Contracts.', resources: [contracts] })

test('a record that was committed without a response keeps its file, which no other record can have', async () => {
  const wire = await layWire()
  const settings = { 'app.modules': '', 'app.database.url': wire.url, 'app.log.level': 'silent' }
  const service = await startService('sqlite', { modules: [...modules, filing], settings })
  onTestFinished(service.stop)
  const client = service.as('client')
  const sent = await upload(service, { as: 'client', to: '/api/rest/lostContracts/files' }, { paper: 'of worth' })
  const values = (await sent.json()) as object
  wire.loseCommitAfter('INSERT INTO "files"')
  expect((await client.post('/api/rest/lostContracts', values)).status).toBe(503)
  expect(wire.cuts()).toBe(1)
  const [contract] = (await client.get('/api/rest/lostContracts', { Accept: 'application/json' })).body.content
  expect((await client.get(contract.paper.url)).text).toBe('of worth')
  // The upload was used: a second record cannot have it.
  expect((await client.post('/api/rest/lostContracts', values)).status).toBe(422)
  expect(await keysIn(service.folder)).toHaveLength(1)
})
