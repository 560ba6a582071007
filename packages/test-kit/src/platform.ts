// The application that tests run: the one of this repository. Its functions are those of the source, for this application.

import platform from '../../../plinth.config.ts'
import { modulesFor as modulesOf } from '../../plinth/src/app/define-app.ts'
import { standardModules } from '../../plinth/src/app/standard-modules.ts'
import { type App, type AppParts, createApp as createAppOf } from '../../plinth/src/app.ts'
import {
  type Config,
  type ConfigSources,
  loadConfig as loadConfigOf,
  readArguments as readArgumentsOf,
  settingsOf,
} from '../../plinth/src/config.ts'
import type { Module } from '../../plinth/src/core/module.ts'

export type { App, AppParts } from '../../plinth/src/app.ts'
export { type Config, ConfigError, type ConfigSources } from '../../plinth/src/config.ts'

export const { moduleSettings } = platform

/** The standard modules. */
export const modules: readonly Module[] = standardModules

/** The standard modules and those of the application. */
export const allModules: readonly Module[] = platform.modules

export const settings = settingsOf(platform)

export const loadConfig = (sources?: ConfigSources): Config => loadConfigOf(platform, sources)

export const readArguments = (args: readonly string[]) => readArgumentsOf(platform, args)

export const modulesFor = (config: Config): readonly Module[] => modulesOf(platform, config)

export const createApp = (config: Config, parts?: AppParts): Promise<App> => createAppOf(platform, config, parts)
