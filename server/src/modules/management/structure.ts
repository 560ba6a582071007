// What the service is made of: modules, resources and routes; what is switched on, what is not and why.

import type { Json } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import { inLanguage } from '../../core/model/words.ts'
import type { Service } from '../../core/rest/service.ts'
import { type Feature, featuresOf } from './features.ts'

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
