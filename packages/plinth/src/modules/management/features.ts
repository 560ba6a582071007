// What is switched on: the features of the service itself and of its modules.

import { type Feature, type FeatureOf, givenBy, switchedBy } from '../../core/config/features.ts'
import { appSettings, corsSettings, telemetrySettings } from '../../core/config/service-settings.ts'
import type { Service } from '../../core/rest/service.ts'
import { databases } from '../../core/store/databases.ts'

const coreFeatures: readonly FeatureOf[] = [
  switchedBy('demo', appSettings, 'demo'),
  givenBy('fixedAddress', appSettings, 'baseUrl'),
  givenBy('fixedOrigins', corsSettings, 'allowedOrigins'),
  givenBy('telemetry', telemetrySettings, 'endpoint'),
]

export const featuresOf = (service: Service): readonly Feature[] => {
  const { database } = service.platform.store
  const declared = [...coreFeatures, ...service.overview().modules.flatMap(module => module.features)]
  return [
    ...databases.map(({ name }) => ({
      name,
      isOn: name === database,
      reason: `app.database.url names ${database}`,
    })),
    ...declared.map(feature => feature(service.config)),
  ]
}
