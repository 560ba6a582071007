// The keys of the service: configured, or generated at the first start. Generated keys are files in the data folder. Instances
// that share a PostgreSQL database may have folders of their own, so their keys are in the database until they are moved.

import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { createFile, replaceFile } from '../../core/durable-files.ts'
import { lazy } from '../../core/lazy.ts'
import { defineResource } from '../../core/model/define.ts'
import { text } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import { errorCode, Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { Service } from '../../core/service.ts'
import { type KeyRing, presentKey, readRing, ringKey, writeRing } from './key-ring.ts'
import { authSettings, jwtSettings } from './settings.ts'

export const signingKeys = defineResource('signingKeys', {
  about: 'The keys that sign tokens and seal secrets.',
  backup: 'encrypted',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { value: text({ required: true, max: 4000 }) },
  access: {},
})

export const keyNames = ['tokens', 'seals'] as const
export type KeyName = (typeof keyNames)[number]

interface Configured {
  readonly key: string
  /** The key before it, which is not used for anything new. */
  readonly former: string
}

const kinds: Readonly<Record<KeyName, { configured(config: Config): Configured; file: string }>> = {
  tokens: {
    configured: config => {
      const { tokenSigningKey, formerSigningKey } = config.get(jwtSettings)
      return { key: tokenSigningKey, former: formerSigningKey }
    },
    file: 'token-signing.key',
  },
  seals: {
    configured: config => {
      const { sealingKey, formerSealingKey } = config.get(authSettings)
      return { key: sealingKey, former: formerSealingKey }
    },
    file: 'sealing.key',
  },
}

export interface Keys {
  /** Sign tokens. The same ring is returned until there is another one. */
  tokens(): Promise<KeyRing>
  /** Seal secrets. */
  seals(): Promise<KeyRing>
  /** Returns the key for fingerprints of requests; derived from the oldest key that seals. */
  fingerprints(): Promise<Buffer>
}

export type KeyPlatform = Pick<Platform, 'store' | 'records' | 'clock'>

export const createKeys = (platform: KeyPlatform, config: Config): Keys => {
  const [tokens, seals] = [kept(platform, config, 'tokens'), kept(platform, config, 'seals')]
  return {
    tokens,
    seals,
    fingerprints: lazy(async () => {
      const secret = (await seals()).at(-1)?.secret ?? ''
      return Buffer.from(hkdfSync('sha256', secret, '', 'plinth fingerprints', 32))
    }),
  }
}

/** The secrets that seal, the one in use first. Other keys follow from them. */
export const sealingSecrets = async (platform: KeyPlatform, config: Config): Promise<readonly string[]> => {
  const ring = await createKeys(platform, config).seals()
  const present = presentKey(ring, platform.clock())
  return [present, ...ring.filter(key => key !== present)].map(({ secret }) => secret)
}

/** How long an instance does without looking for a new key. Less than what a new key waits before it is used. */
const lookMs = 60_000

const kept = (platform: KeyPlatform, config: Config, name: KeyName): (() => Promise<KeyRing>) => {
  const configured = configuredRing(config, name)
  if (configured) return async () => configured
  const first = lazy(() => loadRing(platform, config, name))
  let known: { readonly text: string; readonly ring: KeyRing; readonly at: number } | null = null
  return async () => {
    const now = platform.clock().getTime()
    if (known && Math.abs(now - known.at) < lookMs) return known.ring
    const text = known ? ((await readKeys(platform, config, name)) ?? known.text) : await first()
    known = { text, ring: known?.text === text ? known.ring : readRing(text), at: now }
    return known.ring
  }
}

const configuredRing = (config: Config, name: KeyName): KeyRing | null => {
  const { key, former } = kinds[name].configured(config)
  return key === '' ? null : [key, former].filter(secret => secret !== '').map(secret => ringKey(secret))
}

export const fileOf = (config: Config, name: KeyName): string => join(config.get(appSettings).dataDir, kinds[name].file)

const readFileKeys = (file: string): string | null => {
  let key: string
  try {
    key = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  if (readRing(key).every(({ secret, from }) => secret.length >= 32 && !Number.isNaN(from))) return key
  throw new Problem(
    'conflict',
    `${file} does not contain a key. Restore it from a backup, or remove it to generate a new key.`,
  )
}

const findKeys = async ({ records }: KeyPlatform, name: KeyName): Promise<string | null> => {
  const stored = await records.first(signingKeys, { where: { pk: name } })
  return stored?.value ?? null
}

export const hasStoredKeys = async (platform: KeyPlatform, name: KeyName): Promise<boolean> =>
  (await findKeys(platform, name)) !== null

const readKeys = async (platform: KeyPlatform, config: Config, name: KeyName): Promise<string | null> =>
  readFileKeys(fileOf(config, name)) ?? (await findKeys(platform, name))

const loadRing = async (platform: KeyPlatform, config: Config, name: KeyName): Promise<string> =>
  (await readKeys(platform, config, name)) ?? generate(platform, fileOf(config, name), name)

const newSecret = (): string => randomBytes(48).toString('base64url')

/** Generates a key. Another instance that starts at the same time may be first; then its key is used. */
const generate = async (platform: KeyPlatform, file: string, name: KeyName): Promise<string> => {
  const value = newSecret()
  if (platform.store.isEmbedded) createFile(file, `${value}\n`)
  else await platform.records.ensure(signingKeys, { pk: name, value })
  const key = readFileKeys(file) ?? (await findKeys(platform, name))
  if (key === null) throw new Error(`the key '${name}' was not found after it was generated`)
  return key
}

/** Changes generated keys where they are. Is null for keys that are configured. */
export const changeKeys = async (
  platform: KeyPlatform,
  config: Config,
  { name, change }: { readonly name: KeyName; readonly change: (ring: KeyRing, secret: string) => KeyRing },
): Promise<'file' | 'database' | null> => {
  if (configuredRing(config, name)) return null
  const file = fileOf(config, name)
  const inFile = readFileKeys(file)
  if (inFile !== null) {
    await replaceFile(file, `${writeRing(change(readRing(inFile), newSecret()))}\n`)
    return 'file'
  }
  const stored = await loadRing(platform, config, name)
  if (readFileKeys(file) !== null) return changeKeys(platform, config, { name, change })
  await platform.records.update(signingKeys, name, { value: writeRing(change(readRing(stored), newSecret())) })
  return 'database'
}

/** Moves keys from the database to files in the data folder; answers the files. */
export const moveKeys = async (platform: KeyPlatform, config: Config): Promise<readonly string[]> => {
  const moved: string[] = []
  for (const name of keyNames) {
    const [key, file] = [await findKeys(platform, name), fileOf(config, name)]
    if (key === null) continue
    createFile(file, `${key}\n`)
    if (readFileKeys(file) !== key)
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
  const generated = keyNames.filter(name => configuredRing(config, name) === null)
  const stored = await Promise.all(generated.map(name => findKeys(platform, name)))
  if (config.get(appSettings).demo || stored.every(key => key === null)) return
  log.warn(
    'The keys that sign tokens and seal second factors are in the database: anyone who can read it can impersonate any user. ' +
      'Set app.jwt.tokenSigningKey and app.auth.sealingKey, or run `plinth keys move` and share the files.',
  )
}
