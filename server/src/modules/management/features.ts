// What a deployment can switch on and off, and the settings that decide.

import type { Config } from '../../config.ts'
import type { Service } from '../../core/rest/service.ts'
import { databases } from '../../core/store/databases.ts'

export interface Feature {
  readonly name: string
  readonly isOn: boolean
  /** The setting that decides, and what it is. */
  readonly because: string
}

type SettingName = Parameters<Config['get']>[0]

/** On when the setting is true; `auto` follows demo mode. */
const switched = (name: string, { config }: Service, setting: SettingName): Feature => {
  const value = String(config.get(setting))
  const isAuto = value === 'auto'
  const demo = config.get('app.demo')
  const because = `${setting} is ${value}${isAuto ? ` and app.demo is ${demo}` : ''}`
  return { name, isOn: isAuto ? demo : value === 'true', because }
}

/** On when the setting holds anything. What it holds is not shown. */
const given = (name: string, { config }: Service, setting: SettingName): Feature => {
  const value = config.get(setting)
  const isOn = Array.isArray(value) ? value.length > 0 : value !== ''
  return { name, isOn, because: `${setting} is ${isOn ? 'given' : 'empty'}` }
}

export const featuresOf = (service: Service): readonly Feature[] => {
  const { database } = service.platform.store
  return [
    switched('demo', service, 'app.demo'),
    ...databases.map(({ name }) => ({
      name,
      isOn: name === database,
      because: `app.database.url names ${database}`,
    })),
    given('fixedAddress', service, 'app.baseUrl'),
    given('fixedOrigins', service, 'app.cors.allowedOrigins'),
    switched('basicSignIn', service, 'app.auth.basic.enabled'),
    switched('registrationCodes', service, 'app.registration.forceCodes'),
    given('mail.smtp', service, 'app.mail.host'),
    given('files.s3', service, 'app.files.s3.bucket'),
    given('bnms.controllers', service, 'app.bnms.controllers'),
    given('telemetry', service, 'app.telemetry.endpoint'),
    switched('heapdump', service, 'app.management.heapdump'),
  ]
}
