// Replaces the keys that the service has generated: by command, and those of tokens by a schedule too.

import type { Config } from '../../core/config/settings.ts'
import { hourMs } from '../../core/jobs/job.ts'
import type { Sweep } from '../../core/jobs/sweep.ts'
import type { Command } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { type KeyRing, presentKey, ringKey, withoutOld } from './key-ring.ts'
import {
  changeKeys,
  createKeys,
  fileOf,
  hasStoredKeys,
  type KeyName,
  type KeyPlatform,
  keyNames,
  moveKeys,
} from './keys.ts'
import { jwtSettings } from './settings.ts'

const minuteMs = 60_000

/** How long a new key waits until it is used, so that every instance knows it by then. */
const waitMs = 10 * minuteMs

/** Tokens live for as long as their session is refreshed, and each for its own time. Sealed secrets stay until they are sealed again. */
const withNew = (platform: KeyPlatform, config: Config, name: KeyName) => {
  const now = platform.clock().getTime()
  const lifetime = config.get(jwtSettings).refreshTokenMinutes * minuteMs
  return (ring: KeyRing, secret: string): KeyRing =>
    withoutOld([ringKey(secret, now + waitMs), ...ring], name === 'tokens' ? now - lifetime : Number.NEGATIVE_INFINITY)
}

/** Adds a key, which is used after a while. Returns where the keys are; null for keys that are configured. */
const rotate = (platform: KeyPlatform, config: Config, name: KeyName) =>
  changeKeys(platform, config, { name, change: withNew(platform, config, name) })

const settingsOf: Readonly<Record<KeyName, readonly [key: string, former: string]>> = {
  tokens: ['app.jwt.tokenSigningKey', 'app.jwt.formerSigningKey'],
  seals: ['app.auth.sealingKey', 'app.auth.formerSealingKey'],
}

const isKeyName = (text: string): text is KeyName => keyNames.some(name => name === text)

export const keyRotation: Sweep = {
  name: 'replacing the key that signs tokens',
  run: async ({ platform, config }) => {
    const { rotateDays } = config.get(jwtSettings)
    if (rotateDays === 0) return
    const now = platform.clock()
    const ring = await createKeys(platform, config).tokens()
    const [newest] = ring
    const isDue = newest === presentKey(ring, now) && newest.from <= now.getTime() - rotateDays * 24 * hourMs
    if (!isDue) return
    // Keys in files would differ from those of instances with folders of their own.
    if (platform.store.isEmbedded || (await hasStoredKeys(platform, 'tokens'))) await rotate(platform, config, 'tokens')
  },
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
  {
    name: 'keys rotate',
    about: 'replace the key that signs tokens or seals secrets; no user is signed out, and nothing is restarted',
    arguments: [{ name: '[keys]', about: 'tokens or seals; tokens unless given' }],
    run: ({ config, print, withPlatform }, name = 'tokens') =>
      withPlatform(async platform => {
        if (!isKeyName(name)) throw new Problem('bad_request', `There are no keys '${name}': give tokens or seals.`)
        const place = await rotate(platform, config, name)
        const [setting, former] = settingsOf[name]
        if (place === null)
          throw new Problem(
            'conflict',
            `${setting} is configured: set ${former} to its value, and ${setting} to a new key.`,
          )
        const from = new Date(platform.clock().getTime() + waitMs).toISOString()
        print(`The new key is used from ${from} on. What former keys have signed or sealed stays valid.`)
        if (place === 'file' && !platform.store.isEmbedded)
          print(`Copy this file to the data folder of every instance before then: ${fileOf(config, name)}`)
      }),
  },
]
