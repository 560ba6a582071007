// What the service is made of: modules, resources and routes; what is switched on, what is not and why.

import { type Feature, type FeatureOf, givenBy, switchedBy } from '../../core/config/features.ts'
import { appSettings, corsSettings, telemetrySettings } from '../../core/config/service-settings.ts'
import { operationsOf } from '../../core/describe/openapi/parts.ts'
import type { Json } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import { inLanguage } from '../../core/model/words.ts'
import type { Service } from '../../core/service.ts'
import { databases } from '../../core/store/databases.ts'
import { defineManagement } from './management-endpoint.ts'
import * as shapes from './shapes.ts'

const bean = (name: string, type: string, more: { resource: string; dependencies: readonly string[] }): Json => ({
  bean: name,
  scope: 'singleton',
  type,
  ...more,
})

const targetsOf = (resource: Resource): string[] => [
  ...new Set([...resource.fields.values()].flatMap(({ target }) => (target ? [target.name] : []))),
]

export const toBeans = ({ platform: { registry, store }, overview }: Service): Json => {
  const modules = overview().modules
  const owner = (name: string) => modules.find(module => module.resources.includes(name))?.name ?? 'core'
  const beans = [
    bean('store', `${store.database} store`, { resource: 'core/store', dependencies: [] }),
    ...modules.map(({ name, about, resources }) =>
      bean(name, 'module', { resource: inLanguage(about, 'en'), dependencies: resources }),
    ),
    ...registry.resources.map(resource =>
      bean(resource.name, resource.definition.internal ? 'internal resource' : 'resource', {
        resource: owner(resource.name),
        dependencies: ['store', ...targetsOf(resource)],
      }),
    ),
  ]
  return [{ context: 'plinth', parent: null, beans }]
}

/** `{[/api/rest/films/{pk}],methods=[GET]}`, as dashboards know it. */
export const toMappings = ({ overview }: Service): Json => {
  const { routes, openapi } = overview()
  const ids = new Map(operationsOf(openapi()).map(({ method, path, id }) => [`${method} ${path}`, id]))
  return Object.fromEntries(
    routes.map(({ module, route: { method, path } }) => {
      const operation = ids.get(`${method.toLowerCase()} ${path}`) ?? operationOf(method, path)
      return [`{[${path}],methods=[${method}]}`, { bean: module, method: operation }]
    }),
  )
}

/** The description gives each relation an operation of its own; the route takes them all. */
const operationOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.includes('/relationships/') ? 'Relationship' : 'Relation'}`

export const toAutoconfig = (service: Service): Json => {
  const running = service.overview().modules.map(module => module.name)
  const { optional } = service.overview()
  const modules = [
    ...running.map((name): Feature => ({ name: `module.${name}`, isOn: true, reason: 'it is part of the service' })),
    ...optional
      .filter(({ name }) => !running.includes(name))
      .map(({ name, isChosen }): Feature => {
        const reason = isChosen ? 'it is not part of this build' : 'app.modules does not include it'
        return { name: `module.${name}`, isOn: false, reason }
      }),
  ]
  const all = [...modules, ...featuresOf(service)]
  const toCondition = (message: string) => ({ condition: 'OnSetting', message })
  return {
    positiveMatches: Object.fromEntries(all.filter(one => one.isOn).map(one => [one.name, [toCondition(one.reason)]])),
    negativeMatches: Object.fromEntries(
      all.filter(one => !one.isOn).map(one => [one.name, { notMatched: [toCondition(one.reason)], matched: [] }]),
    ),
    exclusions: optional.filter(one => !one.isChosen).map(one => one.name),
  }
}

// What is switched on: the features of the service itself and of its modules.

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

export const structureEndpoints = [
  defineManagement({
    path: '/autoconfig',
    id: 'getAutoconfig',
    summary: 'Read which modules and features are enabled or disabled, and why',
    shape: shapes.autoconfig,
    run: ({ service }) => ({ value: toAutoconfig(service) }),
  }),
  defineManagement({
    path: '/beans',
    id: 'getBeans',
    summary: 'List modules, resources and stores, and what they depend on',
    shape: shapes.beans,
    run: ({ service }) => ({ value: toBeans(service) }),
  }),
  defineManagement({
    path: '/mappings',
    id: 'getMappings',
    summary: 'List every route',
    shape: shapes.mappings,
    run: ({ service }) => ({ value: toMappings(service) }),
  }),
] as const
