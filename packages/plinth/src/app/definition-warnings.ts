// What is allowed in definitions, and most likely a mistake: it is logged when the service starts.

import { stateFields } from '../core/model/state-fields.ts'
import { unreachableStates } from '../core/model/state-machine.ts'
import type { Service } from '../core/service.ts'

export const warnOfDefinitions = (service: Service): void => {
  const log = service.logs.named('app')
  for (const resource of unusableResources(service))
    log.warn(`${resource}: no operation has a rule, so every request is denied; see 'access' in its definition`)
  for (const { owner, name, machine } of service.platform.registry.resources.flatMap(stateFields))
    for (const state of unreachableStates(machine))
      log.warn(`${owner.name}.${name}: no step leads to '${state}'; add it to 'transitions' or 'initial'`)
  for (const { module, method, path } of undescribedRoutes(service))
    log.warn(`${method} ${path} (module ${module}) is missing from the OpenAPI document; give the endpoint an 'id'`)
}

const operations = ['read', 'create', 'replace', 'patch', 'delete'] as const

const unusableResources = ({ platform: { registry, access } }: Service): string[] =>
  registry.resources
    .filter(resource => !resource.definition.internal)
    .filter(resource => operations.every(operation => access.rule(resource, operation).from === 'nowhere'))
    .map(resource => resource.name)

/** An overriding route is described by the model, and a preflight needs no description. Pages outside of `/api/` have none. */
const undescribedRoutes = (service: Service) =>
  service.overview().routes.flatMap(({ module, route: { method, path, describe }, overrides }) => {
    const needsOne = module !== 'core' && !overrides && method !== 'OPTIONS' && path.startsWith('/api/')
    return needsOne && !describe ? [{ module, method, path }] : []
  })
