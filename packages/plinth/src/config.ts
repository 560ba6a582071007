// Every setting of the application: those of the platform and those of its modules.

import { allModules, moduleSettings } from './app/modules.ts'
import { apiSettingGroups } from './core/config/api-settings.ts'
import { type ConfigSources, loadSettings, tableOf } from './core/config/load.ts'
import { serviceSettingGroups } from './core/config/service-settings.ts'
import type { Config } from './core/config/settings.ts'
import { type Overrides, takeSettings } from './core/config/sources.ts'

export { ConfigError, type ConfigSources } from './core/config/load.ts'
export type { Config } from './core/config/settings.ts'

const groups = [
  ...serviceSettingGroups,
  moduleSettings,
  ...apiSettingGroups,
  ...allModules.flatMap(module => module.settings ?? []),
]

/** By name, such as `app.mail.host`. */
export const settings = tableOf(groups)

export const loadConfig = (sources: ConfigSources = {}): Config => loadSettings(groups, sources)

/** The settings among the arguments of a command, and the other arguments. */
export const readArguments = (args: readonly string[]): { overrides: Overrides; rest: readonly string[] } =>
  takeSettings(args, name => settings.get(name)?.type.column === 'boolean')
