// What the service is made of: modules, resources and routes; what is switched on, what is not and why.

import type { Json } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Service } from '../../core/rest/service.ts'

const bean = (name: string, type: string, more: { resource: string; dependencies: readonly string[] }): Json => ({
  bean: name,
  scope: 'singleton',
  type,
  ...more,
})

const targetsOf = (resource: Resource): string[] => [
  ...new Set([...resource.members.values()].flatMap(({ target }) => (target ? [target.name] : []))),
]

export const toBeans = ({ platform: { registry, store }, overview }: Service): Json => {
  const modules = overview().modules
  const owner = (name: string) => modules.find(module => module.resources.includes(name))?.name ?? 'core'
  const beans = [
    bean('store', `${store.dialect} store`, { resource: 'core/store', dependencies: [] }),
    ...modules.map(({ name, about, resources }) => bean(name, 'module', { resource: about, dependencies: resources })),
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
  const paths = openapi().paths as { readonly [path: string]: { readonly [method: string]: { operationId?: string } } }
  return Object.fromEntries(
    routes.map(({ module, route: { method, path } }) => {
      const operation = paths[path]?.[method.toLowerCase()]?.operationId ?? operationOf(method, path)
      return [`{[${path}],methods=[${method}]}`, { bean: module, method: operation }]
    }),
  )
}

/** The description gives each relation an operation of its own; the route takes them all. */
const operationOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.includes('/relationships/') ? 'Relationship' : 'Relation'}`

interface Feature {
  readonly name: string
  readonly isOn: boolean
  /** The setting that decides, and what it is. */
  readonly because: string
}

const featuresOf = ({ config, platform: { store } }: Service): Feature[] => {
  const feature = (name: string, isOn: boolean, because: string): Feature => ({ name, isOn, because })
  const has = (name: 'app.baseUrl' | 'app.telemetry.endpoint') => config.get(name) !== ''
  return [
    feature('demo', config.get('app.demo'), `app.demo is ${config.get('app.demo')}`),
    feature('postgres', store.dialect === 'postgres', `app.database.url names ${store.dialect}`),
    feature('sqlite', store.dialect === 'sqlite', `app.database.url names ${store.dialect}`),
    feature(
      'telemetry',
      has('app.telemetry.endpoint'),
      presence('app.telemetry.endpoint', has('app.telemetry.endpoint')),
    ),
    feature('fixedAddress', has('app.baseUrl'), presence('app.baseUrl', has('app.baseUrl'))),
    feature(
      'heapdump',
      config.get('app.management.heapdump'),
      `app.management.heapdump is ${config.get('app.management.heapdump')}`,
    ),
  ]
}

const presence = (name: string, isGiven: boolean): string => `${name} is ${isGiven ? 'given' : 'empty'}`

const optionalModules = ['rental', 'membership'] as const

export const toAutoconfig = (service: Service): Json => {
  const running = service.overview().modules.map(module => module.name)
  const chosen = service.config.get('app.modules')
  const modules = [
    ...running.map((name): Feature => ({ name: `module.${name}`, isOn: true, because: 'it is part of the service' })),
    ...optionalModules
      .filter(name => !running.includes(name))
      .map((name): Feature => {
        const because = chosen.includes(name) ? 'it is not part of this build' : 'app.modules does not list it'
        return { name: `module.${name}`, isOn: false, because }
      }),
  ]
  const all = [...modules, ...featuresOf(service)]
  const told = (condition: string) => ({ condition: 'OnSetting', message: condition })
  return {
    positiveMatches: Object.fromEntries(all.filter(one => one.isOn).map(one => [one.name, [told(one.because)]])),
    negativeMatches: Object.fromEntries(
      all.filter(one => !one.isOn).map(one => [one.name, { notMatched: [told(one.because)], matched: [] }]),
    ),
    exclusions: optionalModules.filter(name => !chosen.includes(name)),
  }
}
