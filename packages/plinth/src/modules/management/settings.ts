// The settings as administrators see them: grouped, with their places of origin, and without secrets.

import { appSettings } from '../../core/config/service-settings.ts'
import type { Config, SettingValue } from '../../core/config/settings.ts'
import { createScrub, type Scrub, struck } from '../../core/log/scrub.ts'
import type { Json } from '../../core/model/json.ts'
import { defineManagement } from './management-endpoint.ts'
import { oneOf } from './one-of.ts'
import * as shapes from './shapes.ts'

/** The names of settings that are not marked as secret, but hidden: better to hide one too many. */
const soundsSecret = /pass(word|phrase)|secret|token|credential|signingkey|private|(^|\.)key$/i

/** Lengths and lifetimes of secrets are none; neither is where a key lies. */
const isMeasure = /(minutes|seconds|hours|days|issuer|file|enabled|length|size)$/i

const hidesValue = ({ name, isSecret }: SettingValue): boolean =>
  isSecret || (soundsSecret.test(name) && !isMeasure.test(name))

/** A secret address is shown without its secret part; any other secret not at all. */
const visibleValue = (setting: SettingValue, scrub: Scrub): string =>
  hidesValue(setting) && !setting.isSecret && setting.text !== '' ? struck : scrub(setting.text)

export interface VisibleSetting {
  readonly name: string
  readonly value: string
  readonly source: SettingValue['source']
}

export const visibleSettings = (config: Config): VisibleSetting[] => {
  const scrub = createScrub(config.secrets)
  return config
    .all()
    .map(setting => ({ name: setting.name, value: visibleValue(setting, scrub), source: setting.source }))
}

/** `app.jwt.tokenIssuer` belongs to `app.jwt`, `app.demo` to `app`. */
const prefixOf = (name: string): string => name.split('.').slice(0, -1).join('.')

export const toConfigProps = (config: Config): Record<string, Json> => {
  const groups: Record<string, { prefix: string; properties: Record<string, string> }> = {}
  for (const { name, value } of visibleSettings(config)) {
    const prefix = prefixOf(name)
    groups[prefix] ??= { prefix, properties: {} }
    groups[prefix].properties[name.slice(prefix.length + 1)] = value
  }
  return groups
}

/** The names of the sources, in falling order of weight. */
const sourceNames = {
  'command line': 'commandLineArgs',
  environment: 'systemEnvironment',
  file: 'applicationConfig',
  application: 'applicationDefaults',
  default: 'defaultProperties',
} as const satisfies Record<SettingValue['source'], string>

const sources = ['command line', 'environment', 'file', 'application', 'default'] as const

export const toEnvironment = (config: Config): Record<string, Json> => {
  const settings = visibleSettings(config)
  const from = (source: SettingValue['source']) =>
    Object.fromEntries(settings.filter(one => one.source === source).map(({ name, value }) => [name, value]))
  return {
    profiles: config.get(appSettings).demo ? ['demo'] : [],
    ...Object.fromEntries(sources.map(source => [sourceNames[source], from(source)])),
    systemProperties: systemProperties(),
  }
}

export const systemProperties = (): Record<string, string> => ({
  'node.version': process.versions.node,
  'v8.version': process.versions.v8,
  'os.name': process.platform,
  'os.arch': process.arch,
  'process.pid': process.pid.toString(),
  'user.timezone': Intl.DateTimeFormat().resolvedOptions().timeZone,
})

export const settingEndpoints = [
  defineManagement({
    path: '/configprops',
    id: 'getConfigProps',
    summary: 'List the settings by prefix, without secrets',
    shape: shapes.properties,
    run: ({ service }) => ({ value: toConfigProps(service.config) }),
  }),
  defineManagement({
    path: '/env',
    id: 'getEnvironment',
    summary: 'List the settings by source, without secrets',
    shape: shapes.environment,
    run: ({ service }) => ({ value: toEnvironment(service.config) }),
  }),
  defineManagement({
    path: '/env/{name}',
    id: 'getEnvironmentValue',
    summary: 'Read one setting',
    params: { name: 'The name of the setting.' },
    shape: shapes.values,
    run: viewing => {
      const known = visibleSettings(viewing.service.config).map(({ name, value }) => [name, value])
      return oneOf(viewing, { ...systemProperties(), ...Object.fromEntries(known) })
    },
  }),
] as const
