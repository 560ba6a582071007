// What an unencrypted backup leaves out, where it is refused, how backups are downloaded, and what a failed one leaves behind.

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runWithin } from '@plinth/test-kit/command-within'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { fetchRaw } from '@plinth/test-kit/fetch-raw'
import type { Config } from '@plinth/test-kit/platform'
import { configOn } from '@plinth/test-kit/prepared-data'
import { startService, type TestService } from '@plinth/test-kit/service'
import { until } from '@plinth/test-kit/waiting'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditEvents } from '../../src/modules/audit/index.ts'
import { listBackups } from '../../src/modules/backup/backup-list.ts'
import { createBackup } from '../../src/modules/backup/create-backup.ts'
import { openBackup, snapshotIn } from '../../src/modules/backup/open-backup.ts'
import { type BackupPlace, folderPlace } from '../../src/modules/backup/place.ts'
import { type RestoreTask, restoreBackup } from '../../src/modules/backup/restore-backup.ts'
import { linesIn, linesOf } from './lines.ts'
import { createRecipient, signingKey } from './recipient.ts'
import { emptyTarget } from './target.ts'
import { unzip } from './unzip.ts'

const passphrase = 'correct horse battery staple'
const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let place: BackupPlace
  let keys: Record<string, string>
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
    place = folderPlace(join(service.folder, 'backups'))
    keys = { ...(await createRecipient(service.folder)), signingKey }
    await openBrowser(service.url).signIn('client')
  })
  afterAll(() => service.stop())

  const configOf = (settings: Record<string, string> = {}): Config =>
    configOn(
      { folder: service.folder, url: service.database },
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [`app.backup.${name}`, value])),
    )
  const backUp = async (settings: Record<string, string> = {}): Promise<string> =>
    (await createBackup({ config: configOf(settings), platform: service.app.platform, place })).name
  const backedUpLines = async (settings: Record<string, string>, name: string) =>
    linesOf(snapshotIn(await openBackup(configOf(settings), { place, name })))
  const restore = async (settings: Record<string, string>, name: string, more: Partial<RestoreTask> = {}) => {
    const named = Object.entries(settings).map(([key, value]) => [`app.backup.${key}`, value])
    const { app, config, folder } = await emptyTarget(database, { 'app.modules': '', ...Object.fromEntries(named) })
    await restoreBackup({ config, platform: app.platform, place, name, replaces: false, ...more })
    return { app, folder }
  }

  test('an unencrypted backup has neither keys nor sessions, and an encrypted one has them', async () => {
    const plain = await backUp()
    const lines = await backedUpLines({}, plain)
    expect([lines.get('sessions'), lines.get('signingKeys')]).toEqual([[], []])
    expect(lines.get('secrets')?.length).toBeGreaterThan(0)
    expect(await readdir(join(place.address, plain, 'data')).catch(() => [])).not.toContain('token-signing.key')
    const encrypted = await backUp(keys)
    expect((await backedUpLines(keys, encrypted)).get('sessions')?.length).toBeGreaterThan(0)
    const encryptedKeys =
      database === 'sqlite'
        ? (await readdir(join(place.address, encrypted, 'data'))).filter(file => /\.key\.age$/.test(file))
        : (await backedUpLines(keys, encrypted)).get('signingKeys')
    expect(encryptedKeys?.length).toBeGreaterThanOrEqual(2)
  })

  testAll('restoring an unencrypted backup over a database keeps the keys that it has, and ends sessions', async () => {
    const config = configOf()
    const { name } = await createBackup({ config, platform: service.app.platform, place })
    const { app, folder } = await restore(keys, await backUp(keys))
    const keysIn = async () => (await linesIn(app.platform.store)).get('signingKeys')
    const before = await keysIn()
    await restoreBackup({
      config: configOn({ folder, url: '' }, {}),
      platform: app.platform,
      place,
      name,
      replaces: true,
    })
    expect(await keysIn()).toEqual(before)
    if (database === 'postgres') expect(before).toHaveLength(2)
    expect((await linesIn(app.platform.store)).get('sessions')).toEqual([])
  })

  testAll('a restored audit log is as it was written, and not the one that came after it', async () => {
    const { records } = service.app.platform
    const isListed = async () => !(await records.first(auditEvents, { where: { batch: null } }))
    await until('the events are listed', isListed)
    const name = await backUp(keys)
    const { app, folder } = await restore(keys, name)
    expect(await runWithin(app, 'audit verify')).toContain('The audit log is as it was written.')
    await writeFile(join(folder, 'audit-head'), `1000000 ${'0'.repeat(64)}\n`)
    await expect(runWithin(app, 'audit verify')).rejects.toThrow('Faults of the audit log: 1.')
    await restoreBackup({ config: app.service.config, platform: app.platform, place, name, replaces: true })
    expect(await runWithin(app, 'audit verify')).toContain('The audit log is as it was written.')
  })

  testAll('an unencrypted backup is refused where encryption is configured, unless it is allowed', async () => {
    const name = await backUp()
    await expect(restore(keys, name)).rejects.toThrow(/not encrypted.*--allow-unauthenticated/)
    await expect(openBackup(configOf(keys), { place, name })).rejects.toThrow('not encrypted')
    const { app } = await restore(keys, name, { allowsUnauthenticated: true })
    expect((await linesIn(app.platform.store)).get('users')?.length).toBeGreaterThan(0)
  })
})

describe('a download', () => {
  const root = '/api/management/backups'
  const startedWith = async (settings: Record<string, string>) => {
    const service = await startService('sqlite', { settings: { 'app.modules': '', ...settings } })
    onTestFinished(service.stop)
    const admin = service.as('admin')
    expect((await admin.post(root, {})).status).toBe(202)
    const list = async () => (await admin.get(root, json)).body
    await expect.poll(async () => (await list()).running).toBe(false)
    const [backup] = (await list()).backups
    return { service, admin, backup, archive: `${root}/${backup.name}/archive` }
  }
  const credentials = { Authorization: `Basic ${btoa('admin:admin')}` }

  testAll('of an unencrypted backup needs a passphrase, which encrypts it', async () => {
    const { service, admin, backup, archive } = await startedWith({})
    expect(backup.encrypted).toBe(false)
    const refused = await admin.get(archive)
    expect([refused.status, refused.body.code]).toEqual([409, 'passphrase_required'])
    for (const body of [{}, { passphrase: 'short' }])
      expect((await admin.post(archive, body)).body.errors).toMatchObject([{ member: 'passphrase' }])
    expect((await service.as('staff').post(archive, { passphrase })).status).toBe(403)
    const reply = await fetchRaw(
      service.url + archive,
      { ...credentials, 'Content-Type': 'application/json' },
      { method: 'POST', body: JSON.stringify({ passphrase }) },
    )
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/zip'])
    expect(reply.bytes.toString('latin1')).not.toContain('"tables"')

    const { app, config, folder } = await emptyTarget('sqlite', {
      'app.modules': '',
      'app.backup.passphrase': passphrase,
    })
    const target = folderPlace(join(folder, 'downloaded'))
    await unzip(reply.bytes, target.address)
    const [{ name, isComplete } = { name: '', isComplete: false }] = await listBackups(target)
    expect([name, isComplete]).toEqual([backup.name, true])
    await restoreBackup({ config, platform: app.platform, place: target, name, replaces: false })
    expect((await linesIn(app.platform.store)).get('users')).toHaveLength(5)
  })

  testAll('of an encrypted backup is as it is stored', async () => {
    const { service, backup, archive } = await startedWith({ 'app.backup.passphrase': passphrase })
    expect(backup.encrypted).toBe(true)
    const reply = await fetchRaw(service.url + archive, credentials)
    expect(reply.status).toBe(200)
    expect(reply.bytes.toString('latin1')).toContain(`${backup.name}/manifest.mac`)
  })

  test('of an unencrypted backup is refused where encryption is configured: another may have put it there', async () => {
    const { service, backup, archive } = await startedWith({})
    const { folder } = service
    expect(backup.encrypted).toBe(false)
    await service.app.close()
    const again = await startService('sqlite', {
      settings: { 'app.modules': '', 'app.dataDir': folder, 'app.backup.passphrase': passphrase },
    })
    onTestFinished(again.stop)
    expect((await again.as('admin').get(archive)).status).toBe(409)
    expect((await again.as('admin').post(archive, { passphrase })).status).toBe(409)
  })
})

test('a backup that fails is removed, so that it does not keep a disk full', async () => {
  const service = await startService('sqlite', { settings: { 'app.modules': '' } })
  onTestFinished(service.stop)
  const folder = folderPlace(join(service.folder, 'backups'))
  let parts = 0
  const full: BackupPlace = {
    ...folder,
    write: async (path, content) => {
      if (++parts > 5) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      await folder.write(path, content)
    },
  }
  const config = configOn({ folder: service.folder, url: '' }, {})
  await expect(createBackup({ config, platform: service.app.platform, place: full })).rejects.toThrow('no space')
  expect([parts, await folder.list()]).toEqual([6, new Map()])
})
