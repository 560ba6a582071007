// Instances that share a database share the nodes in it, whatever their data folders.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepEmptyDatabase } from '@plinth/test-kit/kept-database'
import { configOn } from '@plinth/test-kit/prepared-data'
import { startService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'
import { nodeEntry } from '../src/node-process.ts'

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-shared-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const newDatabase = async (): Promise<string> => {
  const kept = await keepEmptyDatabase('postgres')
  onTestFinished(kept.remove)
  return kept.settings['app.database.url'] ?? ''
}

const start = async (url: string, folder: string, more: Record<string, string> = {}) => {
  const settings = { 'app.database.url': url, 'app.dataDir': folder, ...more }
  const service = await startService('sqlite', { settings })
  onTestFinished(service.stop)
  return service
}

const nodeKeysIn = async (folder: string) => (await readdir(folder)).filter(name => /^node-.*\.key$/.test(name)).sort()

test('two demo starts with different data folders work on one PostgreSQL database', async () => {
  const [url, folder, other] = [await newDatabase(), await newFolder(), await newFolder()]
  const [first, second] = await Promise.all([start(url, folder), start(url, other)])
  const application = { party: 'Demo Operator', membershipMetadata: { name: 'we' } }
  expect((await first.as('operator').post('/api/bnms/member/memberships', application)).status).toBe(201)
  const activated = await second.as('operator').put('/api/bnms/bno/memberships', { member: 'Demo Member' })
  expect([activated.status, activated.body.status]).toEqual([200, 'ACTIVE'])
  const listed = await first.as('simple').get('/api/bnms/members/member/memberships')
  expect(listed.body).toMatchObject([{ member: 'O=Demo Member, L=London, C=GB', status: 'ACTIVE' }])
  const history = await first.as('admin').get(`/api/bnms/bno/memberships/${activated.body.linearId}/history`)
  expect(history.body).toMatchObject([{ isSigned: true }, { isSigned: true }])
  expect([await nodeKeysIn(folder), await nodeKeysIn(other)]).toEqual([[], []])
  const entryOf = (of: string) => nodeEntry(configOn({ folder: of, url }, {}), 'operator')
  expect(await entryOf(folder)).toEqual(await entryOf(other))
})

test('a key that was in a file moves to the PostgreSQL database that holds its ledger', async () => {
  const [url, folder, other] = [await newDatabase(), await newFolder(), await newFolder()]
  const keyFile = { 'app.nodes.alone.keyFile': join(folder, 'node-alone.key') }
  const node = { 'app.nodes.alone.partyName': 'O=Alone, L=Rome, C=IT', 'app.nodes.alone.role': 'operator' }
  const before = await start(url, folder, { ...node, ...keyFile })
  await before.app.close()
  expect(await nodeKeysIn(folder)).toEqual(['node-alone.key'])
  const entry = await nodeEntry(configOn({ folder, url }, { ...node, ...keyFile }), 'alone')
  await expect(start(url, other, node)).rejects.toThrow(/node-alone\.key/)
  const moved = await start(url, folder, node)
  expect(await nodeEntry(configOn({ folder: other, url }, node), 'alone')).toEqual(entry)
  await moved.app.close()
  await start(url, other, node)
})

test('a ledger in the data folder has its key in a file beside it', async () => {
  const folder = await newFolder()
  await start('', folder)
  expect(await nodeKeysIn(folder)).toEqual(['node-member.key', 'node-operator.key'])
})

test('before the first start a shared database has no key to tell of', async () => {
  const config = configOn({ folder: await newFolder(), url: await newDatabase() }, {})
  await expect(nodeEntry(config, 'operator')).rejects.toThrow(/start the service/)
})
