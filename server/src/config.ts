// Every setting in one table. A further setting is a further line in one of its parts, with its user in the same change.

import { isIPv4 } from 'node:net'
import { boolean } from './config/kinds.ts'
import { type ConfigOf, type ConfigSources, type CrossCheck, load, type Table } from './config/load.ts'
import { accountsSettings } from './config/settings/accounts.ts'
import { apiSettings } from './config/settings/api.ts'
import { auditSettings } from './config/settings/audit.ts'
import { filesSettings } from './config/settings/files.ts'
import { mailSettings } from './config/settings/mail.ts'
import { membershipSettings } from './config/settings/membership.ts'
import { rentalSettings } from './config/settings/rental.ts'
import { serviceSettings } from './config/settings/service.ts'
import { type Overrides, takeSettings } from './config/sources.ts'

export { ConfigError } from './config/load.ts'

export const settings = {
  ...serviceSettings,
  ...apiSettings,
  ...auditSettings,
  ...accountsSettings,
  ...mailSettings,
  ...filesSettings,
  ...rentalSettings,
  ...membershipSettings,
} satisfies Table

export type Config = ConfigOf<typeof settings>

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))

const checkDemo: CrossCheck<typeof settings> = config =>
  config.get('app.demo') && !isLoopback(config.get('server.host'))
    ? [{ name: 'server.host', message: 'Demo mode refuses to listen on anything but loopback' }]
    : []

const checkTokens: CrossCheck<typeof settings> = config =>
  config.get('app.jwt.refreshTokenMinutes') <= config.get('app.jwt.accessTokenMinutes')
    ? [
        {
          name: 'app.jwt.refreshTokenMinutes',
          message: 'A refresh token must be valid for longer than an access token',
        },
      ]
    : []

/** Reads the file, the environment and the overrides, in rising order; throws one ConfigError that names every fault. */
export const loadConfig = (sources: ConfigSources = {}): Config =>
  load(settings, sources, config => [...checkDemo(config), ...checkTokens(config)])

const flags = new Set(Object.entries(settings).flatMap(([name, { is }]) => (is === boolean ? [name] : [])))

/** The settings among the arguments of a command, and the other arguments. */
export const readArguments = (args: readonly string[]): { overrides: Overrides; rest: readonly string[] } =>
  takeSettings(args, name => flags.has(name))
