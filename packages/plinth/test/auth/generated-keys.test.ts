// Keys that the service generates: in files that only its user can read, and in a shared database only with a warning.

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase, keepEmptyDatabase } from '@plinth/test-kit/kept-database'
import { configOn } from '@plinth/test-kit/prepared-data'
import type { ServiceOptions, TestService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { everything } from '../../src/core/model/query.ts'
import { moveKeys } from '../../src/modules/auth/keys.ts'
import { startAccounts } from './accounts-service.ts'

const names = ['token-signing.key', 'sealing.key']
const keys = {
  tokens: 'tokens0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  seals: 'seals0123456789-abcdefghijklmnopqrstuvwxyz',
}

const storedKeys = async ({ app: { platform } }: TestService): Promise<Record<string, unknown>> => {
  const resource = platform.store.resource('signingKeys')
  const { records } = await platform.store.find(resource, everything(resource))
  return Object.fromEntries(records.map(({ pk, value }) => [pk, value]))
}

/** Stores keys as earlier versions left them. */
const storeKeys = ({ app: { platform } }: TestService): Promise<void> =>
  platform.store.transaction(async tx => {
    for (const [pk, value] of Object.entries(keys)) await tx.ensure(tx.resource('signingKeys'), pk, { value })
  })

const keyFiles = (folder: string): Promise<string[]> =>
  Promise.all(names.map(async name => (await readFile(join(folder, name), 'utf8')).trim()))

/** A service whose warnings can be read. */
const startWarning = async (database: 'sqlite' | 'postgres', { settings }: ServiceOptions) => {
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const service = await startAccounts(database, { settings: { ...settings, 'app.log.level': 'warn' }, logTo })
  return { service, warnings: () => lines.filter(line => line.includes('in the database')) }
}

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A service has been started on it before. */
const keepStarted = async (database: 'sqlite' | 'postgres'): Promise<Record<string, string>> => {
  const kept = await keepDatabase(database, { 'app.modules': '' })
  onTestFinished(kept.remove)
  return kept.settings
}

describe('on sqlite', () => {
  test('keys are in files of mode 0600, not in the database, and outlive the process', async () => {
    const folder = await newFolder()
    const settings = { 'app.dataDir': folder, 'app.demo': 'true' }
    const { service, warnings } = await startWarning('sqlite', { settings })
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect(await storedKeys(service)).toEqual({})
    expect(warnings()).toEqual([])
    const browser = openBrowser(service.url)
    expect((await browser.signIn('client')).status).toBe(201)
    const kept = await keyFiles(folder)
    for (const key of kept) expect(key.length).toBeGreaterThanOrEqual(43)
    await service.app.close()
    const next = await startAccounts('sqlite', { settings: { ...settings, 'server.port': new URL(service.url).port } })
    onTestFinished(next.app.close)
    expect((await browser.get('/api/auth/userDetails')).status).toBe(200)
    expect(await keyFiles(folder)).toEqual(kept)
  })

  testAll('keys of an earlier version leave the database, and nothing of them remains in its files', async () => {
    const settings = await keepStarted('sqlite')
    const folder = String(settings['app.dataDir'])
    const first = await startAccounts('sqlite', { settings })
    await storeKeys(first)
    await first.app.close()
    for (const name of names) await rm(join(folder, name))
    const service = await startAccounts('sqlite', { settings })
    onTestFinished(service.app.close)
    expect(await keyFiles(folder)).toEqual([keys.tokens, keys.seals])
    expect(await storedKeys(service)).toEqual({})
    for (const name of (await readdir(folder)).filter(name => name.startsWith('plinth.db'))) {
      const bytes = await readFile(join(folder, name), 'latin1')
      for (const key of Object.values(keys)) expect([name, bytes.includes(key)]).toEqual([name, false])
    }
  })

  testAll('a key in the database that differs from its file stops the start', async () => {
    const settings = await keepStarted('sqlite')
    const first = await startAccounts('sqlite', { settings })
    await storeKeys(first)
    await first.app.close()
    await expect(startAccounts('sqlite', { settings })).rejects.toThrow(/token-signing\.key/)
  })

  test('a key file without a key stops the start', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'sealing.key'), '')
    await expect(startAccounts('sqlite', { settings: { 'app.dataDir': folder } })).rejects.toThrow(/sealing\.key/)
  })
})

describe('on postgres', () => {
  testAll(
    'instances with folders of their own share keys in the database, which is warned of outside demo mode',
    async () => {
      const settings = await keepStarted('postgres')
      const { service, warnings } = await startWarning('postgres', { settings })
      onTestFinished(service.app.close)
      expect(warnings()).toEqual([])
      const other = await startWarning('postgres', {
        settings: { ...settings, 'app.dataDir': await newFolder(), 'app.demo': 'false' },
      })
      onTestFinished(other.service.app.close)
      expect(other.warnings()).toHaveLength(1)
      expect(other.warnings()[0]).toContain('app.jwt.tokenSigningKey')
      for (const key of Object.values(await storedKeys(service))) expect(other.warnings()[0]).not.toContain(key)
      const browser = openBrowser(service.url)
      expect((await browser.signIn('client')).status).toBe(201)
      const elsewhere = openBrowser(other.service.url, '127.0.0.1', browser.jar)
      expect((await elsewhere.get('/api/auth/userDetails')).status).toBe(200)
    },
  )

  testAll('configured keys are not warned of', async () => {
    const configured = { 'app.jwt.tokenSigningKey': keys.tokens, 'app.auth.sealingKey': keys.seals }
    const kept = await keepEmptyDatabase('postgres')
    onTestFinished(kept.remove)
    const settings = { ...kept.settings, ...configured, 'app.demo': 'false' }
    const { service, warnings } = await startWarning('postgres', { settings })
    onTestFinished(service.app.close)
    expect(warnings()).toEqual([])
    expect(await storedKeys(service)).toEqual({})
  })

  testAll('keys can be moved from the database to files, which are used from then on', async () => {
    const settings: Record<string, string> = { ...(await keepStarted('postgres')), 'app.demo': 'false' }
    const first = await startAccounts('postgres', { settings })
    const stored = await storedKeys(first)
    const folder = String(settings['app.dataDir'])
    const config = configOn({ folder, url: String(settings['app.database.url']) }, settings)
    expect(await moveKeys(first.app.platform, config)).toEqual(names.map(name => join(folder, name)))
    expect(await storedKeys(first)).toEqual({})
    await first.app.close()
    expect(await keyFiles(folder)).toEqual([stored.tokens, stored.seals])
    const { service, warnings } = await startWarning('postgres', { settings })
    onTestFinished(service.app.close)
    expect(warnings()).toEqual([])
    expect(await storedKeys(service)).toEqual({})
  })
})
