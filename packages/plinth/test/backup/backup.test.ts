// Backups while the service works: consistent across records and files, checked before they are restored, all or nothing.

import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databases, featureTest } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { type Config, createApp } from '@plinth/test-kit/platform'
import { configOn } from '@plinth/test-kit/prepared-data'
import { createRandom } from '@plinth/test-kit/random'
import { people } from '@plinth/test-kit/rental-store'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { BackupManifest } from '../../src/modules/backup/archive.ts'
import { findBackup, listBackups, removeOldBackups } from '../../src/modules/backup/backup-list.ts'
import { createBackup } from '../../src/modules/backup/create-backup.ts'
import { openBackup, snapshotIn } from '../../src/modules/backup/open-backup.ts'
import { type BackupPlace, folderPlace } from '../../src/modules/backup/place.ts'
import { drillBackup, restoreBackup, verifyBackup } from '../../src/modules/backup/restore-backup.ts'
import { continents } from '../../src/modules/geography/index.ts'
import { until } from '../../src/testing/waiting.ts'
import { linesIn, linesOf } from './lines.ts'
import { createRecipient, signingKey } from './recipient.ts'
import { emptyTarget, restoreTo } from './target.ts'

const own = `/api/rest/users/${people.client}/files`

/** Changes the manifest of a backup, and its digest with it. */
const forge = async ({ address }: BackupPlace, name: string, change: (manifest: BackupManifest) => object) => {
  const path = join(address, name, 'manifest.json')
  const forged = JSON.stringify(change(JSON.parse(await readFile(path, 'utf8'))))
  await writeFile(path, forged)
  const sha256 = createHash('sha256').update(forged).digest('hex')
  await writeFile(join(address, name, 'manifest.sha256'), `${sha256}  manifest.json\n`)
}

/** Rents copies one after the other until `isOver` returns true. */
const keepRenting = async (staff: Client, isOver: () => boolean): Promise<number> => {
  const copies = (await staff.get('/api/rest/filmInventoryEntries?available=true&_ps=200')).body.content
  let rented = 0
  for (const { pk } of copies) {
    if (isOver()) break
    const order = (await staff.get(`/api/rest/order/orders/${pk}?days=1`)).body
    const done = await staff.post('/api/rest/order/orders', { customer: people.client, items: [order] })
    if (done.status === 200) rented++
  }
  return rented
}

/** Expects what holds for the books of the store at any moment. */
const expectBalancedBooks = async (staff: Client): Promise<void> => {
  const all = async (path: string) => (await staff.get(`/api/rest/${path}&_ps=500`)).body.content
  const pks = (list: { pk: string }[]) => list.map(one => one.pk).sort()
  const rentals = await all('rentals?filter=returnDate=isnull=true')
  const rented = await all('filmInventoryEntries?available=false')
  expect(pks(rented.map((copy: { currentRental: { pk: string } }) => copy.currentRental))).toEqual(pks(rentals))
  const payments = await all('payments?kind=rental')
  const paid = new Set(payments.map((one: { rental: { pk: string } }) => one.rental.pk))
  for (const { pk } of rentals) expect(paid).toContain(pk)
  const points = (await all(`clients?user=${people.client}`))[0].bonusPoints
  const earned: { bonusPoints: number }[] = await all(`rentals?customer=${people.client}`)
  expect(points).toBe(earned.reduce((sum, { bonusPoints }) => sum + bonusPoints, 0))
}

describe.each(databases)('on %s', database => {
  const testOnce = featureTest(import.meta.url, database)
  let service: TestService
  let place: BackupPlace
  /** The settings of an encrypted backup; other backups leave out keys. */
  let encrypted: Record<string, string>
  const configOf = (settings: Record<string, string> = {}): Config =>
    configOn({ folder: service.folder, url: service.database }, settings)
  const backUp = (to: BackupPlace = place, config = configOf()) =>
    createBackup({ config, platform: service.app.platform, place: to })
  beforeAll(async () => {
    service = await startService(database)
    place = folderPlace(join(service.folder, 'backups'))
    const { recipient, identityFile } = await createRecipient(service.folder)
    encrypted = {
      ...{ 'app.backup.recipient': recipient, 'app.backup.identityFile': identityFile },
      'app.backup.signingKey': signingKey,
    }
  })
  afterAll(() => service.stop())

  testAll(
    'a backup under writes is of one moment and restored as it was, and the restored store continues',
    async () => {
      await upload(service, { as: 'client', to: own }, { notes: 'a file of the client' })
      let isOver = false
      const rented = async (): Promise<number> =>
        (await service.as('staff').get('/api/rest/filmInventoryEntries?available=false')).body.page.totalElements
      const before = await rented()
      const renting = keepRenting(service.as('staff'), () => isOver)
      await until('the first rental', async () => (await rented()) > before)
      const { name, contents } = await backUp(place, configOf(encrypted))
      isOver = true
      expect(await renting).toBeGreaterThan(0)
      expect(contents).toHaveLength(1)

      const target = await emptyTarget(database, encrypted)
      await restoreTo(target, place, name)
      const saved = await linesOf(snapshotIn(await openBackup(configOf(encrypted), { place, name })))
      expect(await linesIn(target.app.platform.store)).toEqual(saved)
      await expect(restoreTo(target, place, name)).rejects.toThrow('is not empty')
      const address = await target.app.listen()
      const as = (user: string) => clientFor(address, { Authorization: `Basic ${btoa(`${user}:${user}`)}` })
      await expectBalancedBooks(as('staff'))
      expect((await as('client').get(`${own}/notes`)).text).toBe('a file of the client')
      let turns = 0
      expect(await keepRenting(as('staff'), () => turns++ === 1)).toBe(1)
      await expectBalancedBooks(as('staff'))
      expect(await readFile(join(target.folder, 'sealing.key'), 'utf8').catch(() => 'in the database')).toEqual(
        await readFile(join(service.folder, 'sealing.key'), 'utf8').catch(() => 'in the database'),
      )
    },
  )

  testOnce(
    'every record is restored as it was; a database that holds records is replaced only when asked for',
    async () => {
      const { name } = await backUp()
      const original = await linesOf(snapshotIn(await openBackup(configOf(), { place, name })))
      const target = await emptyTarget(database)
      await restoreTo(target, place, name)
      const { store } = target.app.platform
      expect(await linesIn(store)).toEqual(original)

      await target.app.platform.records.create(continents, { pk: 'XX', name: 'Atlantis' })
      const changed = await linesIn(store)
      await expect(restoreTo(target, place, name)).rejects.toThrow('is not empty')
      expect(await linesIn(store)).toEqual(changed)
      await restoreTo(target, place, name, true)
      expect(await linesIn(store)).toEqual(original)
      // Clients that have seen an event of the former database must reload.
      expect((await store.events.window()).oldest).toBeGreaterThan(
        (await service.app.platform.store.events.window()).latest,
      )
    },
  )

  testOnce('a flipped byte is found and named, in whichever part it is, and nothing is restored', async () => {
    const { name } = await backUp()
    const folder = join(place.address, name)
    const target = await emptyTarget(database)
    const random = createRandom()
    const paths = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(one => one.isFile())
    const expectDamage = async (path: string, at: number, message: string | RegExp): Promise<void> => {
      const sound = await readFile(path)
      const damaged = Buffer.from(sound)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random.next() * 8))
      await writeFile(path, damaged)
      const reading = (async () => verifyBackup(await openBackup(configOf(), { place, name })))()
      await expect(reading, `${path}, byte ${at}`).rejects.toThrow(message)
      await writeFile(path, sound)
    }
    const manifestDamaged = /manifest\.(json|sha256) is not what was written/
    const step = extent(Math.ceil(paths.length / 6), 1)
    for (const one of paths.filter((_, at) => at % step === 0)) {
      const path = join(one.parentPath, one.name)
      const { size } = await stat(path)
      if (size === 0) continue
      const message = one.name.startsWith('manifest') ? manifestDamaged : `${one.name} is not what was written`
      await expectDamage(path, Math.floor(random.next() * size), message)
    }
    const digest = join(folder, 'manifest.sha256')
    for (let at = 0; at < (await stat(digest)).size; at++) await expectDamage(digest, at, manifestDamaged)
    const table = join(folder, 'tables/users.ndjson.gz')
    const damaged = await readFile(table)
    damaged[20] = (damaged[20] ?? 0) ^ 1
    await writeFile(table, damaged)
    await expect(restoreTo(target, place, name)).rejects.toThrow('tables/users.ndjson.gz is not what was written')
    expect(await linesIn(target.app.platform.store)).toEqual(new Map())
    expect(await readdir(target.folder)).not.toContain('restore-unfinished')
  })

  testAll('a manifest with paths that lead elsewhere is refused before anything is written', async () => {
    const { name, tables } = await backUp()
    const [part] = tables.map(table => table.part)
    const target = await emptyTarget('sqlite')
    const before = await readdir(target.folder)
    for (const [change, message] of [
      [{ contents: [{ key: '../../x', part }] }, 'has a file with the key ../../x'],
      [{ dataFiles: [{ path: '../x', part }] }, 'does not belong into the data folder: ../x'],
      [{ contents: [{ key: crypto.randomUUID(), part: { ...part, path: '../x' } }] }, 'outside its folder: ../x'],
    ] as const) {
      await forge(place, name, manifest => ({ ...manifest, contents: [], dataFiles: [], ...change }))
      await expect(restoreTo(target, place, name)).rejects.toThrow(message)
      // Beside the locks of the database.
      expect((await readdir(target.folder)).filter(file => file !== 'plinth.db-use')).toEqual(before)
      expect(await linesIn(target.app.platform.store)).toEqual(new Map())
    }
  })

  testAll('a restore that is refused or rolled back leaves no mark', async () => {
    const { name } = await backUp()
    const target = await emptyTarget('sqlite')
    const { platform } = target.app
    const load = () => Promise.reject(new Error('a copy differs'))
    const failing = { ...platform, store: { ...platform.store, load } }
    const task = { config: target.config, platform: failing, place, name, replaces: false }
    await expect(restoreBackup(task)).rejects.toThrow('a copy differs')
    expect(await readdir(target.folder)).not.toContain('restore-unfinished')
    // A mark of before stays: what it stands for is still not complete.
    await writeFile(join(target.folder, 'restore-unfinished'), 'another')
    await expect(restoreBackup({ ...task, replaces: true })).rejects.toThrow('a copy differs')
    expect(await readFile(join(target.folder, 'restore-unfinished'), 'utf8')).toBe('another')
    await rm(join(target.folder, 'restore-unfinished'))

    await forge(place, name, manifest => ({ ...manifest, version: '999.0.0' }))
    await expect(restoreTo(target, place, name)).rejects.toThrow('is of Plinth 999.0.0')
    expect(await readdir(target.folder)).not.toContain('restore-unfinished')
  })

  testOnce('files that are uploaded and deleted during the backup do not make it inconsistent', async () => {
    const done: string[] = []
    const meddling: BackupPlace = {
      ...place,
      write: async (path, content) => {
        await place.write(path, content)
        if (!path.includes('/files/')) return
        done.push(path)
        // The first is copied before the snapshot; of those that come after it, one is deleted in the middle.
        if (done.length === 1)
          await upload(service, { as: 'simple', to: own.replace(people.client, people.simple) }, { b: 'b', c: 'c' })
        if (done.length === 2)
          for (const file of ['b', 'c'])
            await service.as('simple').delete(`/api/rest/users/${people.simple}/files/${file}`)
      },
    }
    await upload(service, { as: 'client', to: own }, { a: 'a' })
    const manifest = await backUp(meddling)
    expect(done.length).toBeGreaterThan(1)
    expect(manifest.lostContents).toEqual([])
    const records = manifest.tables.find(({ name }) => name === 'files')?.rows
    expect(manifest.contents).toHaveLength(records ?? 0)
  })

  testAll('an encrypted backup shows nothing, passes the drill, and needs its passphrase', async () => {
    const config = configOf({ 'app.backup.passphrase': 'correct horse battery staple' })
    const { platform } = service.app
    const { name } = await createBackup({ config, platform, place })
    const folder = join(place.address, name)
    const stored = await Promise.all(
      (await readdir(folder)).filter(one => one.includes('.')).map(one => readFile(join(folder, one), 'latin1')),
    )
    expect(stored.join()).not.toMatch(/AGE-SECRET-KEY|"tables"|sha256"/)
    await drillBackup({ config, platform, place, name })
    const wrong = configOf({ 'app.backup.passphrase': 'wrong' })
    await expect(openBackup(wrong, { place, name })).rejects.toThrow('does not fit')
    await expect(openBackup(configOf(), { place, name })).rejects.toThrow('is encrypted')
  })

  testAll('the newest backups are kept, and what was left unfinished a day ago is removed', async () => {
    const elsewhere = folderPlace(join(service.folder, 'backups', 'kept'))
    const names: string[] = []
    for (const _ of [1, 2, 3]) names.push((await backUp(elsewhere)).name)
    const installation = await service.app.platform.store.installation()
    const unfinished = [`plinth-20200101T000000Z-${installation}-aaaa`, `plinth-29990101T000000Z-${installation}-bbbb`]
    const foreign = ['plinth-20200101T000000Z-0123abcd-aaaa', 'plinth-20200101T000000Z-aaaa']
    for (const one of foreign) await elsewhere.write(`${one}/manifest.sha256`, (async function* () {})())
    for (const one of unfinished) await elsewhere.write(`${one}/tables/users.ndjson.gz`, (async function* () {})())
    const [oldest = ''] = [...names].sort()
    const removed = await removeOldBackups(elsewhere, { keep: 2, now: new Date(), installation })
    expect([...removed].sort()).toEqual([oldest, unfinished[0]].sort())
    const left = await listBackups(elsewhere)
    expect(left.filter(one => one.isComplete).map(one => one.name)).toEqual([
      ...names.sort().slice(1).reverse(),
      // Those of other installations that share the folder are left alone.
      ...foreign.sort().reverse(),
    ])
    await expect(findBackup(elsewhere, 'latest')).rejects.toThrow('several installations')
  })

  testOnce('administrators list and start backups', async () => {
    const admin = service.as('admin')
    expect((await service.as('staff').get('/api/management/backups')).status).toBe(403)
    expect((await admin.post('/api/management/backups', {})).status).toBe(202)
    const listed = async () => (await admin.get('/api/management/backups', { Accept: 'application/json' })).body
    await expect.poll(async () => (await listed()).running).toBe(false)
    const { backups, error } = await listed()
    expect([error, backups[0]]).toMatchObject([null, { own: true, complete: true }])
    expect((await admin.get('/api/management/backups/..%2Fkeys/archive')).status).toBe(404)
    const examined = await admin.get('/api/management/doctor', { Accept: 'application/json' })
    expect(examined.body.findings.length).toBeGreaterThan(3)
    expect((await service.as('staff').get('/api/management/doctor')).status).toBe(403)
  })
})

test('a restore is refused while a service runs on the SQLite database, and the other way round', async () => {
  const service = await startService('sqlite', { settings: { 'app.modules': '' } })
  onTestFinished(() => service.stop())
  const config = configOn({ folder: service.folder, url: '' }, {})
  const other = await createApp(config)
  onTestFinished(() => other.close())
  const place = folderPlace(join(service.folder, 'backups'))
  const { name } = await createBackup({ config, platform: other.platform, place })
  const restore = restoreBackup({ config, platform: other.platform, place, name, replaces: true })
  await expect(restore).rejects.toThrow('stop it first')
  const { app, config: idle } = await emptyTarget('sqlite')
  const release = app.platform.store.claim('alone')
  const second = await createApp(idle)
  onTestFinished(() => second.close())
  await expect(second.listen()).rejects.toThrow('is being restored')
  release()
})

test('after a restore that was cut off, the service does not start, and nothing is migrated', async () => {
  const { app, folder } = await emptyTarget('sqlite')
  await writeFile(join(folder, 'restore-unfinished'), 'plinth-20200101T000000Z-aaaa')
  await expect(app.listen()).rejects.toThrow('was cut off')
  await expect(app.migrate()).rejects.toThrow('was cut off')
  expect(await linesIn(app.platform.store)).toEqual(new Map())
})

test('the service backs itself up by its schedule', async () => {
  const service = await startService('sqlite', { settings: { 'app.modules': '', 'app.backup.everyHours': '24' } })
  onTestFinished(() => service.stop())
  const place = folderPlace(join(service.folder, 'backups'))
  await expect.poll(async () => (await listBackups(place)).filter(({ isComplete }) => isComplete).length).toBe(1)
  const jobs = await service.as('admin').get('/api/management/jobs', { Accept: 'application/json' })
  expect(jobs.text).toContain('back-up')
})

testAll('a backup that was started over HTTP ends with the service', async () => {
  const service = await startService('sqlite', { settings: { 'app.modules': '' } })
  onTestFinished(() => rm(service.folder, { recursive: true, force: true }))
  expect((await service.as('admin').post('/api/management/backups', {})).status).toBe(202)
  await service.app.close()
  const written = async () => (await readdir(service.folder, { recursive: true })).sort()
  const atTheEnd = await written()
  // As much work as a whole backup, so that one that goes on would be seen.
  const { app, config, folder } = await emptyTarget('sqlite', { 'app.modules': '' })
  await app.listen()
  await createBackup({ config, platform: app.platform, place: folderPlace(join(folder, 'backups')) })
  expect(await written()).toEqual(atTheEnd)
})
