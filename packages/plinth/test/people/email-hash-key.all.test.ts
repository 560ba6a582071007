// The key of `emailHash`: all backups have it, and digests of earlier versions are replaced by hashes with it.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { configOn } from '@plinth/test-kit/prepared-data'
import {
  bodyOf,
  confirmationFor,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
  signIn,
} from '@plinth/test-kit/registering'
import { clientFor, startService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBackup } from '../../src/modules/backup/create-backup.ts'
import { folderPlace } from '../../src/modules/backup/place.ts'
import { linesIn } from '../backup/lines.ts'
import { emptyTarget, restoreTo } from '../backup/target.ts'

const json = { Accept: 'application/json' }
const adminAddress = 'admin@plinth.example'
const digestOf = (address: string): string => createHash('sha256').update(address).digest('hex')
const adminPk = '00000000-0000-7000-8000-000000000001'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const openKept = async () => {
    const kept = await keepDatabase(database, { 'app.modules': '' })
    onTestFinished(() => kept.remove())
    return () => setScene(database, { ...kept.settings, 'app.modules': '' })
  }

  /** Makes the database as earlier versions left it: without the key, and with digests of addresses. */
  const rewind = async ({ service }: RegistrationScene, digests: Readonly<Record<string, string>>): Promise<void> => {
    await service.app.platform.store.transaction(async tx => {
      for (const [pk, emailHash] of Object.entries(digests)) await tx.update(tx.resource('users'), pk, { emailHash })
      const applied = ['create-email-hash-key', 'hash-emails-with-key', 'erase-email-digests']
      for (const name of applied) expect(await tx.remove(tx.resource('appliedMigrations'), `people.${name}`)).toBe(true)
      expect(await tx.remove(tx.resource('hashKeys'), 'emails')).toBe(true)
    })
  }

  test('a database of an earlier version gets keyed hashes, also of registrations and in the trash, and keeps no digest', async () => {
    const open = await openKept()
    const before = await open()
    const [newcomer, deleted] = [newPerson(), await settle(before)]
    const registered = await before.anonymous.post('/api/auth/account', bodyOf(newcomer))
    const resetPasswordToken = await confirmationFor(before, newcomer)
    const stranger = '00000000-0000-7000-8000-000000000005'
    await rewind(before, {
      [adminPk]: digestOf(adminAddress),
      [registered.body.pk]: digestOf(newcomer.email),
      [deleted.pk]: digestOf(deleted.email),
      [stranger]: digestOf('unknown@example.org'),
    })
    expect((await before.service.as('admin').delete(`/api/rest/users/${deleted.pk}`)).status).toBe(204)
    await before.stop()

    const after = await open()
    onTestFinished(() => after.stop())
    const admin = after.service.as('admin')
    const hashOf = async (pk: string) => (await admin.get(`/api/rest/users/${pk}`, json)).body.emailHash
    expect((await admin.post(`/api/rest/users/${deleted.pk}/restore`, undefined, json)).status).toBe(200)
    for (const pk of [adminPk, registered.body.pk, deleted.pk]) expect(await hashOf(pk)).toMatch(/^[0-9a-f]{64}$/)
    expect(await hashOf(stranger)).toBeNull()
    const lines = await linesIn(after.service.app.platform.store)
    const stored = ['users', 'users_history', 'users_trash'].flatMap(table => lines.get(table) ?? []).join('\n')
    for (const email of [adminAddress, newcomer.email, deleted.email]) expect(stored).not.toContain(digestOf(email))
    const confirmation = { username: newcomer.username, resetPasswordToken }
    expect((await after.anonymous.put('/api/auth/account', confirmation)).status).toBe(200)
    for (const { email: username, password } of [newcomer, deleted, { email: adminAddress, password: 'admin' }])
      expect((await signIn(after, { username, password })).status).toBe(201)
  })

  testAll(
    'a database is restored from a backup without keys and sessions with hashes that new ones are equal to',
    async () => {
      const service = await startService(database, { settings: { 'app.modules': '' } })
      onTestFinished(() => service.stop())
      const place = folderPlace(join(service.folder, 'backups'))
      const config = configOn({ folder: service.folder, url: service.database }, {})
      const { name } = await createBackup({ config, platform: service.app.platform, place })
      const target = await emptyTarget(database, { 'app.modules': '' })
      await restoreTo(target, place, name)
      const restored = clientFor(await target.app.listen(), { Authorization: `Basic ${btoa('admin:admin')}` })
      const hashes = await Promise.all(
        [service.as('admin'), restored].map(async admin => {
          const user = { username: 'later', email: 'later@example.com', password: 'wide open fields' }
          const made = await admin.post('/api/rest/users', user, json)
          return [(await admin.get(`/api/rest/users/${adminPk}`, json)).body.emailHash, made.body.emailHash]
        }),
      )
      expect(hashes[0]?.[1]).toMatch(/^[0-9a-f]{64}$/)
      expect(hashes[1]).toEqual(hashes[0])
    },
  )
})
