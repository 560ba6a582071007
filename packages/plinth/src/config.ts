// Every setting of an application: those of the platform and those of its modules.

import { type AppDefinition, ownSettings } from './app/define-app.ts'
import { apiSettingGroups } from './core/config/api-settings.ts'
import { type ConfigSources, loadSettings, tableOf } from './core/config/load.ts'
import { serviceSettingGroups } from './core/config/service-settings.ts'
import type { Config } from './core/config/settings.ts'
import { type Overrides, takeSettings } from './core/config/sources.ts'
import type { SettingGroup } from './core/model/settings.ts'

export { ConfigError, type ConfigSources } from './core/config/load.ts'
export type { Config } from './core/config/settings.ts'

const groupsOf = (app: AppDefinition): readonly SettingGroup[] => [
  ...serviceSettingGroups,
  ...ownSettings(app),
  ...apiSettingGroups,
  ...app.modules.flatMap(module => module.settings ?? []),
]

/** Returns the settings by name, such as `app.mail.host`. */
export const settingsOf = (app: AppDefinition) => tableOf(groupsOf(app))

export const loadConfig = (app: AppDefinition, sources: ConfigSources = {}): Config =>
  loadSettings(groupsOf(app), { application: app.settings, ...sources })

/** The settings among the arguments of a command, and the other arguments. */
export const readArguments = (
  app: AppDefinition,
  args: readonly string[],
): { overrides: Overrides; rest: readonly string[] } => {
  const settings = settingsOf(app)
  return takeSettings(args, name => settings.get(name)?.type.column === 'boolean')
}
