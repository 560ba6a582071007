// Which backups are believed: those that were written with the passphrase or the signing key.

import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '@plinth/test-kit/platform'
import { configOn } from '@plinth/test-kit/prepared-data'
import { startService, type TestService } from '@plinth/test-kit/service'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBackup } from '../../src/modules/backup/create-backup.ts'
import { openBackup } from '../../src/modules/backup/open-backup.ts'
import { type BackupPlace, folderPlace } from '../../src/modules/backup/place.ts'
import { createRecipient, signingKey } from './recipient.ts'

const passphrase = 'correct horse battery staple'

let service: TestService
let place: BackupPlace
let own: { readonly recipient: string; readonly identityFile: string }
beforeAll(async () => {
  service = await startService('sqlite', { settings: { 'app.modules': '' } })
  place = folderPlace(join(service.folder, 'backups'))
  own = await createRecipient(service.folder)
})
afterAll(() => service.stop())

const configOf = (settings: Record<string, string> = {}): Config =>
  configOn(
    { folder: service.folder, url: '' },
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`app.backup.${name}`, value])),
  )
const backUp = async (settings: Record<string, string>): Promise<string> =>
  (await createBackup({ config: configOf(settings), platform: service.app.platform, place })).name
const open = (settings: Record<string, string>, name: string, allowsUnauthenticated = false) =>
  openBackup(configOf(settings), { place, name, allowsUnauthenticated })
const fileOf = (name: string, file: string) => join(place.address, name, file)

/** Rewrites an encrypted backup in the form that earlier versions wrote. */
const makeOlder = async (name: string): Promise<void> => {
  const unlock = new Decrypter()
  unlock.addPassphrase(passphrase)
  const identity = (await unlock.decrypt(await readFile(fileOf(name, 'identity.age')), 'text')).trim()
  const [reader, writer] = [new Decrypter(), new Encrypter()]
  reader.addIdentity(identity)
  writer.addRecipient(await identityToRecipient(identity))
  const { macs, ...manifest } = JSON.parse(
    await reader.decrypt(await readFile(fileOf(name, 'manifest.json.age')), 'text'),
  )
  expect(macs).toEqual(['passphrase'])
  const stored = await writer.encrypt(JSON.stringify(manifest))
  await writeFile(fileOf(name, 'manifest.json.age'), stored)
  const sha256 = createHash('sha256').update(stored).digest('hex')
  await writeFile(fileOf(name, 'manifest.sha256'), `${sha256}  manifest.json.age\n`)
  await rm(fileOf(name, 'manifest.mac'))
}

test('a backup is believed by its passphrase, and not if another backup has taken its place', async () => {
  const [older, newer] = [await backUp({ passphrase }), await backUp({ passphrase })]
  await open({ passphrase }, newer)
  for (const file of ['manifest.json.age', 'manifest.sha256', 'manifest.mac', 'identity.age'])
    await writeFile(fileOf(newer, file), await readFile(fileOf(older, file)))
  await expect(open({ passphrase }, newer)).rejects.toThrow('is not what was written')
  await rm(fileOf(older, 'manifest.mac'))
  await expect(open({ passphrase }, older)).rejects.toThrow('not authenticated')
})

test('a backup that was made before backups were authenticated is believed by its passphrase alone', async () => {
  const name = await backUp({ passphrase })
  await makeOlder(name)
  await open({ passphrase }, name)
})

test('a backup for a recipient is believed by the signing key, and without one only if that is allowed', async () => {
  const { recipient, identityFile } = own
  const signed = await backUp({ recipient, signingKey })
  await open({ identityFile, signingKey }, signed)
  await expect(open({ identityFile }, signed)).rejects.toThrow(/app\.backup\.signingKey/)
  const another = 'another signing key, which is as long as it'
  await expect(open({ identityFile, signingKey: another }, signed)).rejects.toThrow('is not what was written')
  const unsigned = await backUp({ recipient })
  await expect(open({ identityFile, signingKey }, unsigned)).rejects.toThrow('not authenticated')
  await expect(open({ identityFile }, unsigned)).rejects.toThrow('not authenticated')
  await open({ identityFile }, unsigned, true)
})

test('a backup is not believed if it was encrypted for the public key by a stranger, though its passphrase is that of another backup', async () => {
  const { recipient, identityFile } = own
  const genuine = await backUp({ recipient, passphrase })
  await open({ identityFile, passphrase }, genuine)
  const forged = await backUp({ recipient })
  await writeFile(fileOf(forged, 'identity.age'), await readFile(fileOf(genuine, 'identity.age')))
  await expect(open({ identityFile, passphrase }, forged)).rejects.toThrow('fit')
})
