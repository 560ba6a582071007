// What a deployment switches on and off, and the setting that decides.

import type { SettingFields, SettingGroup } from '../model/settings.ts'
import { appSettings } from './service-settings.ts'
import type { Config } from './settings.ts'

export interface Feature {
  readonly name: string
  readonly isOn: boolean
  /** The setting that decides, and what it is. */
  readonly reason: string
}

export type FeatureOf = (config: Config) => Feature

/**
 * Switches a feature on when the setting is true; `auto` follows demo mode.
 *
 * @example export const feature = switchedBy('app.library.reminders', librarySettings, 'reminders')
 */
export const switchedBy =
  <F extends SettingFields>(name: string, group: SettingGroup<F>, field: keyof F & string): FeatureOf =>
  config => {
    const value = String(config.get(group)[field])
    const isAuto = value === 'auto'
    const { demo } = config.get(appSettings)
    const reason = `${group.name}.${field} is ${value}${isAuto ? ` and app.demo is ${demo}` : ''}`
    return { name, isOn: isAuto ? demo : value === 'true', reason }
  }

/**
 * Switches a feature on when the setting has a value, which is not shown.
 *
 * @example export const feature = givenBy('app.library.webhook', librarySettings, 'webhookAddress')
 */
export const givenBy =
  <F extends SettingFields>(name: string, group: SettingGroup<F>, field: keyof F & string): FeatureOf =>
  config => {
    const value: unknown = config.get(group)[field]
    const isOn = Array.isArray(value) ? value.length > 0 : value !== ''
    return { name, isOn, reason: `${group.name}.${field} is ${isOn ? 'given' : 'empty'}` }
  }
