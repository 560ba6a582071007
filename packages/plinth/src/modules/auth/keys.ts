// The keys of the service: configured, or generated at the first start. Generated keys are files in the data folder. Instances
// that share a PostgreSQL database may have folders of their own, so their keys are in the database until they are moved.

import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { createFile } from '../../core/durable-files.ts'
import { lazy } from '../../core/lazy.ts'
import { defineResource } from '../../core/model/define.ts'
import { text } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import type { Command } from '../../core/module.ts'
import { errorCode, Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { Service } from '../../core/service.ts'
import { authSettings, jwtSettings } from './settings.ts'

export const signingKeys = defineResource('signingKeys', {
  about: 'The keys that sign tokens and seal secrets.',
  backup: 'encrypted',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { value: text({ required: true, max: 200 }) },
  access: {},
})

const keyNames = ['tokens', 'seals'] as const
type KeyName = (typeof keyNames)[number]

const kinds: Readonly<Record<KeyName, { configured(config: Config): string; file: string }>> = {
  tokens: { configured: config => config.get(jwtSettings).tokenSigningKey, file: 'token-signing.key' },
  seals: { configured: config => config.get(authSettings).sealingKey, file: 'sealing.key' },
}

export interface Keys {
  /** Signs tokens. */
  tokens(): Promise<string>
  /** Seals secrets. */
  seals(): Promise<string>
  /** Returns the key for fingerprints of requests; derived from the key that seals. */
  fingerprints(): Promise<Buffer>
}

type KeyPlatform = Pick<Platform, 'store' | 'records'>

export const createKeys = (platform: KeyPlatform, config: Config): Keys => {
  const [tokens, seals] = [loadOnce(platform, config, 'tokens'), loadOnce(platform, config, 'seals')]
  return {
    tokens,
    seals,
    fingerprints: lazy(async () => Buffer.from(hkdfSync('sha256', await seals(), '', 'plinth fingerprints', 32))),
  }
}

/** The secrets that seal, the present one first. Other keys follow from them. */
export const sealingSecrets = async (platform: KeyPlatform, config: Config): Promise<readonly string[]> => [
  await createKeys(platform, config).seals(),
]

const loadOnce = (platform: KeyPlatform, config: Config, name: KeyName): (() => Promise<string>) =>
  lazy(async () => {
    const file = fileOf(config, name)
    return (
      kinds[name].configured(config) ||
      readKey(file) ||
      (await findKey(platform, name)) ||
      generate(platform, file, name)
    )
  })

const fileOf = (config: Config, name: KeyName): string => join(config.get(appSettings).dataDir, kinds[name].file)

const readKey = (file: string): string | null => {
  let key: string
  try {
    key = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  if (key.length >= 32) return key
  throw new Problem(
    'conflict',
    `${file} does not contain a key. Restore it from a backup, or remove it to generate a new key.`,
  )
}

const findKey = async ({ records }: KeyPlatform, name: KeyName): Promise<string | null> => {
  const stored = await records.first(signingKeys, { where: { pk: name } })
  return stored?.value ?? null
}

/** Generates a key. Another instance that starts at the same time may be first; then its key is used. */
const generate = async (platform: KeyPlatform, file: string, name: KeyName): Promise<string> => {
  const value = randomBytes(48).toString('base64url')
  if (platform.store.isEmbedded) createFile(file, `${value}\n`)
  else await platform.records.ensure(signingKeys, { pk: name, value })
  const key = readKey(file) ?? (await findKey(platform, name))
  if (key === null) throw new Error(`the key '${name}' was not found after it was generated`)
  return key
}

/** Moves keys from the database to files in the data folder; answers the files. */
export const moveKeys = async (platform: KeyPlatform, config: Config): Promise<readonly string[]> => {
  const moved: string[] = []
  for (const name of keyNames) {
    const [key, file] = [await findKey(platform, name), fileOf(config, name)]
    if (key === null) continue
    createFile(file, `${key}\n`)
    if (readKey(file) !== key)
      throw new Problem('conflict', `${file} differs from the key in the database. Remove the one that is not in use.`)
    await platform.records.remove(signingKeys, name)
    moved.push(file)
  }
  if (moved.length > 0) await platform.store.eraseRemoved()
  return moved
}

/** Generates missing keys before the service listens, and warns of keys in the database. */
export const prepareKeys = async ({ platform, config, log }: Service): Promise<void> => {
  if (platform.store.isEmbedded) await moveKeys(platform, config)
  const keys = createKeys(platform, config)
  await Promise.all([keys.tokens(), keys.seals()])
  const generated = keyNames.filter(name => kinds[name].configured(config) === '')
  const stored = await Promise.all(generated.map(name => findKey(platform, name)))
  if (config.get(appSettings).demo || stored.every(key => key === null)) return
  log.warn(
    'The keys that sign tokens and seal second factors are in the database: anyone who can read it can impersonate any user. ' +
      'Set app.jwt.tokenSigningKey and app.auth.sealingKey, or run `plinth keys move` and share the files.',
  )
}

export const keyCommands: readonly Command[] = [
  { name: 'keys', about: 'manage the keys that the service has generated' },
  {
    name: 'keys move',
    about: 'move the keys from the database to files in the data folder',
    run: ({ config, print, withPlatform }) =>
      withPlatform(async platform => {
        const files = await moveKeys(platform, config)
        if (files.length === 0) return print('The database has no keys.')
        print('Keys moved. Copy these files to the data folder of every instance and restart it:', ...files)
      }),
  },
]
