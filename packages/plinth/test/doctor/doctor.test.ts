// `plinth doctor`: what is wrong with an installation is found, explained and comes with a remedy.

import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { createCertificate } from '@plinth/test-kit/certificate'
import { codeContextOf } from '@plinth/test-kit/code-context'
import { featureDatabases } from '@plinth/test-kit/databases'
import { type MailServerOptions, startMailServer } from '@plinth/test-kit/mailbox'
import { type Config, createApp } from '@plinth/test-kit/platform'
import { configOn, newData } from '@plinth/test-kit/prepared-data'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CommandContext } from '../../src/core/module.ts'
import { createBackup } from '../../src/modules/backup/create-backup.ts'
import { folderPlace } from '../../src/modules/backup/place.ts'
import { doctor } from '../../src/modules/doctor/index.ts'
import { secrets } from '../../src/modules/people/index.ts'

const examine = async (config: Config) => {
  const lines: string[] = []
  const refuse = () => Promise.reject(new Error('not in this test'))
  const context: CommandContext = {
    config,
    ...codeContextOf(config),
    options: {},
    print: (...more) => lines.push(...more),
    printProgress: () => {},
    withPlatform: refuse,
    withPlatformAsIs: async work => {
      const app = await createApp(config)
      await work(app.platform, app.service).finally(() => app.close())
    },
    askPassword: refuse,
    runUntilStopped: () => {},
  }
  const outcome = await doctor.commands?.[0]?.run?.(context).then(
    () => 'sound',
    (error: Error) => error.message,
  )
  return { outcome, text: lines.join('\n') }
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('a sound installation has no errors, and each fault is found with its remedy', async () => {
    const data = await newData(database, {}, {})
    onTestFinished(() => rm(data.folder, { recursive: true, force: true }))
    await chmod(data.folder, 0o700)
    const config = configOn(data, { 'app.demo': 'false', 'app.baseUrl': 'https://plinth.example' })
    const open = await examine(config)
    expect(open.outcome, open.text).toBe('sound')
    expect(open.text).toMatch(
      /^warning.*demo passwords, and cannot sign in with them: admin, operator, staff, client, simple/m,
    )
    const app = await createApp(config)
    await app.platform.records.transaction(({ asService }) =>
      asService.updateMany(secrets, { where: {} }, { passwordHash: null }),
    )
    await app.close()
    const sound = await examine(config)
    expect(sound.outcome, sound.text).toBe('sound')
    expect(sound.text).toMatch(/^ok {7}tables: /m)
    expect(sound.text).toMatch(/^ok {7}integrity: All \d+ records can be read\./m)
    expect(sound.text).toContain('Remedy: Set server.trustedProxies')
    expect(sound.text).toContain('There is no backup.')

    const backedUp = await createApp(config)
    await createBackup({ config, platform: backedUp.platform, place: folderPlace(join(data.folder, 'backups')) })
    await backedUp.close()
    const unencrypted = await examine(config)
    expect(unencrypted.outcome, unencrypted.text).toBe('sound')
    expect(unencrypted.text).toMatch(/^warning.*Backups are not encrypted, so they leave out keys and sessions\./m)
    expect(unencrypted.text).toContain('Remedy: Set app.backup.passphrase or app.backup.recipient.')

    await chmod(data.folder, 0o755)
    const faulty = await examine(
      configOn(data, { 'app.baseUrl': 'http://plinth.example', 'app.mail.host': '127.0.0.1', 'app.mail.port': '1' }),
    )
    expect(faulty.outcome).toBe('3 of the findings are errors.')
    expect(faulty.text).toContain(`Remedy: chmod 700 ${data.folder}`)
    expect(faulty.text).toContain('http://plinth.example is not encrypted')
    expect(faulty.text).toContain('The mail server 127.0.0.1:1 cannot be used: ESOCKET ECONNREFUSED.')
  })
})

test('a database that does not answer is a finding', async () => {
  const { folder } = await newData('sqlite', {}, {})
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { outcome, text } = await examine(configOn({ folder, url: 'postgres://a:b@127.0.0.1:1/c' }, {}))
  expect(outcome).toContain('of the findings is an error')
  expect(text).toMatch(/^error {4}database: The database at \S+ does not answer/m)
  expect(text).not.toContain('a:b')
})

const untrusted = createCertificate()

test.each<[string, MailServerOptions, string]>([
  [
    'whose certificate is not trusted',
    { tls: untrusted },
    'cannot be used: ESOCKET: the certificate is not trusted: self-signed certificate.',
  ],
  ['without STARTTLS', {}, ': the connection cannot be encrypted.'],
])('a mail server %s is a finding', async (_, options, finding) => {
  const data = await newData('sqlite', {}, {})
  const server = await startMailServer(options)
  onTestFinished(async () => {
    await server.stop()
    await rm(data.folder, { recursive: true, force: true })
  })
  const mail = { 'app.mail.host': '127.0.0.1', 'app.mail.port': String(server.port) }
  expect((await examine(configOn(data, mail))).text).toMatch(
    new RegExp(`^error {4}mail: The mail server .*${finding}`, 'm'),
  )
  const open = await examine(configOn(data, { ...mail, 'app.mail.security': 'none' }))
  expect(open.text).toMatch(/^ok {7}mail: The mail server \S+ takes connections without encryption\.$/m)
})

test('a column that the model no longer has comes with the command that drops it', async () => {
  const data = await newData('sqlite', {}, {})
  onTestFinished(() => rm(data.folder, { recursive: true, force: true }))
  const database = new DatabaseSync(join(data.folder, 'plinth.db'))
  database.exec('ALTER TABLE countries ADD COLUMN anthem TEXT')
  database.close()
  const { text } = await examine(configOn(data, {}))
  expect(text).toContain('the column countries.anthem is in the database and not in the model.')
  expect(text).toContain('Remedy: If its data is not needed, run `plinth drop countries.anthem`')
})
